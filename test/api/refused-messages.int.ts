import { expect } from 'chai';
import { Refusal } from '../../domain/kernel/refusal.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { deliveries } from '../../read-models/deliveries.js';
import { deliveryAttempts } from '../../read-models/delivery-attempts.js';
import { ask, dataOf } from '../support/api/client.js';
import { expectInvalid } from '../support/api/refused.js';
import { makeApi } from '../support/api/make-api.js';
import { addIntegration } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { makeSendWorld } from '../support/sends/send-world.js';

type Refused = Readonly<Record<string, unknown>>;

describe('GET /messages/refusals', () => {
  const api = opened(() => makeApi());
  const sends = opened(() => makeSendWorld(api));
  before(async () => {
    for (const log of [deliveries, deliveryAttempts]) await api.app.readModels.define(log);
  });

  const list = async (query = '', key = sends.world.key): Promise<readonly Refused[]> =>
    dataOf<readonly Refused[]>(await ask(api, 'GET', `/messages/refusals?${query}`, { key }));
  const by = (phone: string): string => `phone=${encodeURIComponent(phone)}`;
  const refused = async (phone: string, template: string | null = 'order'): Promise<string> => {
    try {
      await sends.accept(phone, template);
    } catch (error) {
      if (error instanceof Refusal) return error.code;
    }
    return 'accepted';
  };

  it('lists a call that a gate refused, with what the gate saw, and no message', async () => {
    const phone = sends.somebody();
    const first = await sends.send(phone, 'order');
    expect(await refused(phone)).to.equal('duplicate_template_send');
    const [found, more] = await list(by(phone));
    expect(more).to.equal(undefined);
    expect(found).to.include({ phone, template: 'order', code: 'duplicate_template_send' });
    expect(found).to.have.nested.property('details.earlier_events[0].operation_uuid', first);
    const sent = await ask(api, 'GET', `/messages?${by(phone)}`, { key: sends.world.key });
    expect(sent.body.data).to.have.length(1);
  });

  it('records neither what was accepted nor what is refused for another reason', async () => {
    const phone = sends.somebody();
    expect(await refused(phone, null)).to.equal('accepted');
    expect(await refused(phone, 'nao_existe')).to.equal('template_not_found');
    expect(await list(by(phone))).to.deep.equal([]);
  });

  it('pages, keeps to a time range, and shows an integration its own calls only', async () => {
    const phone = sends.somebody();
    await sends.send(phone, 'order');
    for (let i = 0; i < 3; i += 1) {
      sends.time.now += 1_000;
      await refused(phone);
    }
    const answer = await ask(api, 'GET', `/messages/refusals?${by(phone)}&limit=2`, { key: sends.world.key });
    const next = String(answer.body.meta?.next_cursor);
    expect(await list(`${by(phone)}&limit=2&after=${next}`)).to.have.length(1);
    const at = (ms: number): string => new Date(sends.time.now + ms).toISOString();
    expect(await list(`${by(phone)}&from=${at(-1_000)}&to=${at(0)}`)).to.have.length(1);
    const reversed = `/messages/refusals?${by(phone)}&from=${at(0)}&to=${at(-1_000)}`;
    await expectInvalid(api, ['GET', reversed, { key: sends.world.key }], ['query.to', 'range_not_possible']);
    const { key } = await addIntegration(api.app, sends.world);
    expect(await list(by(phone), key)).to.deep.equal([]);
  });

  it('keeps nothing personal of an erased person', async () => {
    const phone = sends.somebody();
    await sends.send(phone, 'order');
    await refused(phone);
    const { uuid: contactUuid } = await sends.resolve(phone);
    await eraseContact(api.app, { contactUuid }, { actor: 'admin' });
    const [found] = await list(by(phone));
    expect(found).to.deep.include({ phone: null, idempotency_key: null, details: {} });
  });

  it('records 60 of a minute, and answers all', async () => {
    sends.time.now += 60_000;
    const phone = sends.somebody();
    await sends.send(phone, 'order');
    const codes = await Promise.all(Array.from({ length: 65 }, () => refused(phone)));
    expect(new Set(codes)).to.deep.equal(new Set(['duplicate_template_send']));
    expect(await list(`${by(phone)}&limit=100`)).to.have.length(60);
  });
});
