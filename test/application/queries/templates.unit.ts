import { expect } from 'chai';
import { findTemplate } from '../../../application/queries/templates.js';
import type { ReadModels } from '../../../ports/read-models.js';

const AT = '2026-03-02T12:00:00.000Z';
const LATER = '2026-03-02T12:00:01.000Z';

const template = (uuid: string, language: string, more: object = {}) => ({
  uuid,
  language,
  name: 'ofertas',
  status: 'APPROVED',
  removed_at: null,
  updated_at: AT,
  ...more,
});

/** The read model returns these documents for the name, in this order. */
const deps = (...docs: readonly ReturnType<typeof template>[]) => ({
  cursorSecret: new Uint8Array(32),
  readModels: {
    find: async () => ({ documents: docs.map((doc) => ({ id: doc.uuid, doc, version: '1' })), next: null }),
  } as unknown as ReadModels,
});

describe('the best match for a template name', () => {
  const english = template('c', 'en_US');
  const portuguese = template('b', 'pt_BR');
  const ofAnotherAccount = template('a', 'pt_BR');

  it('is the same whatever order equally good ones are stored in', async () => {
    for (const order of [
      [portuguese, english, ofAnotherAccount],
      [ofAnotherAccount, portuguese, english],
      [english, ofAnotherAccount, portuguese],
    ]) {
      expect((await findTemplate(deps(...order), 'company', 'ofertas')).uuid).to.equal('c');
    }
    for (const order of [
      [portuguese, ofAnotherAccount],
      [ofAnotherAccount, portuguese],
    ]) {
      expect((await findTemplate(deps(...order), 'company', 'ofertas')).uuid).to.equal('a');
    }
  });

  it('is approved before all, then still there, then the newest', async () => {
    const best = async (...docs: readonly ReturnType<typeof template>[]) =>
      (await findTemplate(deps(...docs), 'company', 'ofertas')).uuid;
    const newer = { updated_at: LATER };
    expect(await best(template('paused', 'en_US', { status: 'PAUSED', ...newer }), portuguese)).to.equal('b');
    expect(await best(template('gone', 'en_US', { removed_at: AT, ...newer }), portuguese)).to.equal('b');
    expect(await best(english, template('newer', 'pt_BR', newer))).to.equal('newer');
  });
});
