/** The recipient of a send, and the quotas that count it: identities, merges, days. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { personIdentity, subjectOf } from '../../../application/people/subject.js';
import {
  absorbedLedgers,
  companyLedger,
  dayOf,
  findRecipient,
  identicalLedger,
  loadLedgers,
  recipientLedger,
  recipientOf,
  templateKey,
} from '../../../application/send/quotas.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { initialContact, type Contact } from '../../../domain/contact/state.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';

const DAY = 86_400_000;

describe('the ledgers of a send', () => {
  let app: App;
  let streams: ReturnType<typeof loadedStates>;
  beforeEach(() => {
    streams = loadedStates();
    app = { ...streams, indexSecret: Buffer.from('secret') } as unknown as App;
  });
  const contact = (uuid: string, over: Partial<Contact> = {}): void =>
    streams.set(contactAggregate, uuid, { exists: true, subject: `subject of ${uuid}`, ...over });
  const owns = (owner: string): void =>
    streams.set(identityAggregate, personIdentity(app.indexSecret, 'company', 'phone'), { owner });
  const stranger = () => ({
    uuid: null,
    subject: subjectOf(app.indexSecret, 'company', 'phone'),
    contact: null,
  });

  it('are those of the contact that a phone belongs to, after merges of the one that goes on', async () => {
    contact('old', { mergedInto: 'ana' });
    contact('ana');
    owns('old');
    for (const addressee of [{ phoneKey: 'phone' }, { contactUuid: 'old' }, { contactUuid: 'ana' }]) {
      const { uuid, subject, contact: found } = await recipientOf(app, 'company', addressee);
      expect([uuid, subject, found?.exists]).to.deep.equal(['ana', 'subject of ana', true]);
    }
  });

  it('are those of the phone itself while no contact has it, or none that exists', async () => {
    expect(await findRecipient(app, 'company', 'phone')).to.deep.equal(stranger());
    contact('ana', { exists: false });
    owns('ana');
    expect(await recipientOf(app, 'company', { phoneKey: 'phone' })).to.deep.equal(stranger());
  });

  it('include those of merged contacts, each once and its own not again', async () => {
    contact('one', { subject: 'earlier' });
    contact('two', { subject: 'earlier' });
    contact('three', { subject: 'now' });
    const ana = { ...initialContact, subject: 'now', absorbed: ['one', 'two', 'three'] };
    expect(await absorbedLedgers(app, ana)).to.deep.equal([recipientLedger('earlier')]);
    expect(await absorbedLedgers(app, { ...ana, absorbed: [] })).to.deep.equal([]);
    expect(await absorbedLedgers(app, null)).to.deep.equal([]);
  });

  it('of identical messages differ by phone, template, language and values, and by the secret', () => {
    const message = { name: 'order', language: 'pt_BR', components: [{ a: 1, b: 2 }] };
    const ledger = identicalLedger(app, 'phone', message);
    expect(identicalLedger(app, 'phone', { ...message, components: [{ b: 2, a: 1 }] })).to.equal(ledger);
    const others = [
      identicalLedger(app, 'other', message),
      identicalLedger(app, 'phone', { ...message, name: 'other' }),
      identicalLedger(app, 'phone', { ...message, language: 'en' }),
      identicalLedger(app, 'phone', { ...message, components: [] }),
      identicalLedger({ indexSecret: Buffer.from('other') }, 'phone', message),
    ];
    expect(new Set([ledger, ...others]).size).to.equal(6);
  });

  it('of a company are cut at midnight UTC; a template is known by its name in a company', () => {
    expect([dayOf(0), dayOf(DAY - 1), dayOf(DAY)]).to.deep.equal([0, 0, 1]);
    const names = [
      companyLedger('a', 1),
      companyLedger('a', 2),
      companyLedger('b', 1),
      templateKey('a', 'x'),
      templateKey('a', 'y'),
      templateKey('b', 'x'),
      recipientLedger('a'),
      recipientLedger('b'),
    ];
    expect(new Set(names).size).to.equal(names.length);
  });

  it('keep their names from release to release: what was counted is found again', () => {
    const known = { indexSecret: Buffer.from('a secret that a test knows') };
    expect([
      recipientLedger('subject'),
      companyLedger('company', 20_522),
      templateKey('company', 'order'),
      identicalLedger(known, 'subject', { name: 'order', language: 'pt_BR', components: [] }),
    ]).to.deep.equal([
      '1f2f9950-56f9-540f-80c5-20e3fd81fdcf',
      '02099577-73e1-593c-a813-71e176691f51',
      '762ac403-0760-5678-9516-3681878f5aa7',
      '12dccde7-ab26-8552-aa1b-2dd4c8a271e7',
    ]);
  });

  it('are loaded in the order in which they were asked for', async () => {
    streams.set(quotaAggregate, 'b', { closedInto: 'c' });
    const found = await loadLedgers(app, ['a', 'b']);
    expect(found.map(({ closedInto }) => closedInto)).to.deep.equal([null, 'c']);
  });
});
