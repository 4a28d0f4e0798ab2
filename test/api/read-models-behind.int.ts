/** Requests while read models are being built, as after a restore: missing documents must not cause a refusal. */
import { expect } from 'chai';
import { registerCompany } from '../../application/provisioning/companies.js';
import type { ReadModels } from '../../ports/read-models.js';
import { ask, type Answer } from '../support/api/client.js';
import { makeApi, serveApi } from '../support/api/make-api.js';
import { addContact, makeWorld } from '../support/api/world.js';
import { beingBuilt } from '../support/fakes/being-built.js';
import { opened, openedForEach } from '../support/opened.js';
import { openAdmin } from './admin/server.js';

describe('callers beside read models that are being built', () => {
  const api = opened(() => makeApi());
  const world = opened(() => makeWorld(api.app));
  const beside = (...models: readonly string[]) => openedForEach(() => serveApi(beingBuilt(api.app, models)));
  const heard = ({ status, body }: Answer): unknown[] => [status, body.error?.code];
  const post = (json: unknown) => ({ key: world.key, json, headers: { 'idempotency-key': 'once' } });
  const send = (channel: string) =>
    post({
      recipient: { phone: '+5511987654321' },
      channel_uuid: channel,
      type: 'text',
      content: { text: 'Olá' },
    });

  describe('of API keys', () => {
    const late = beside('api_keys');

    it('are asked to come back, not told that there is no such key', async () => {
      const answer = await ask(late, 'GET', '/channels', { key: world.key });
      expect(heard(answer)).to.deep.equal([503, 'unavailable']);
      expect(answer.headers['retry-after']).to.equal('5');
      expect(answer.body.error?.message).to.include('brought up to date');
    });

    it('are refused without a credential that could be one', async () => {
      expect(heard(await ask(late, 'GET', '/channels', { key: 'nonsense' }))).to.deep.equal([
        401,
        'unauthenticated',
      ]);
    });
  });

  describe('of channels', () => {
    const late = beside('channels');

    it('are asked to come back with a send, and nothing is accepted', async () => {
      const before = await api.app.store.head();
      expect(heard(await ask(late, 'POST', '/messages', send(world.channel)))).to.deep.equal([
        503,
        'unavailable',
      ]);
      expect(await api.app.store.head()).to.equal(before);
    });

    it('are refused for what has nothing to do with channels', async () => {
      expect(heard(await ask(late, 'GET', `/contacts/${world.company}`, world))).to.deep.equal([
        404,
        'not_found',
      ]);
      expect(heard(await ask(late, 'POST', '/messages', post({})))).to.deep.equal([422, 'validation_failed']);
    });
  });

  describe('of contacts', () => {
    const late = beside('contacts');

    it('are asked to come back for a contact, not told that there is none', async () => {
      const contact = await addContact(api.app, world, { phone: '+5511912345678' });
      expect(heard(await ask(api, 'GET', `/contacts/${contact}`, world))).to.deep.equal([200, undefined]);
      expect(heard(await ask(late, 'GET', `/contacts/${contact}`, world))).to.deep.equal([
        503,
        'unavailable',
      ]);
    });
  });

  describe('that catch up while a request is answered', () => {
    /** @param behind reads of the model before it has caught up */
    const catchesUp = (model: string, behind = 1) =>
      openedForEach(() => {
        const whole = beingBuilt(api.app, []);
        const empty = beingBuilt(api.app, [model]);
        let reads = 0;
        const readModels: ReadModels = {
          ...whole.readModels,
          get: (collection, id) => {
            const isBehind = collection === model && (reads += 1) <= behind;
            return (isBehind ? empty : whole).readModels.get(collection, id);
          },
        };
        return serveApi({ ...whole, readModels });
      });

    describe('with a key', () => {
      const late = catchesUp('api_keys');

      it('refuse nobody by what was read before', async () => {
        const list = () => ask(late, 'GET', '/channels', { key: world.key });
        expect(heard(await list())).to.deep.equal([503, 'unavailable']);
        expect(heard(await list())).to.deep.equal([200, undefined]);
      });
    });

    describe('with a channel', () => {
      // A send that would be refused reads the channel once more.
      const late = catchesUp('channels', 2);
      const again = () => ({ ...send(world.channel), headers: { 'idempotency-key': 'caught-up' } });

      it('refuse no send by what was read before', async () => {
        expect(heard(await ask(late, 'POST', '/messages', again()))).to.deep.equal([503, 'unavailable']);
        expect(heard(await ask(late, 'POST', '/messages', again()))).to.deep.equal([202, undefined]);
      });

      const quick = catchesUp('channels');

      it('accept a send for a channel that was there a moment later', async () => {
        expect(heard(await ask(quick, 'POST', '/messages', again()))).to.deep.equal([202, undefined]);
      });
    });
  });

  it('are refused as ever where everything is shown', async () => {
    expect(heard(await ask(api, 'GET', '/channels', { key: `${world.key}0` }))).to.deep.equal([
      401,
      'unauthenticated',
    ]);
    expect(heard(await ask(api, 'POST', '/messages', send(world.company)))).to.deep.equal([
      404,
      'channel_not_found',
    ]);
  });

  describe('as operators', () => {
    const admin = opened(() => openAdmin({ over: (app) => beingBuilt(app, ['companies']) }));

    it('are asked to come back for a company, not told that there is none', async () => {
      const { companyUuid } = await registerCompany(admin.app, { name: 'Aurora' }, { actor: 'test' });
      const { status, code } = await admin.call('GET', `/companies/${companyUuid}`);
      expect([status, code]).to.deep.equal([503, 'unavailable']);
    });
  });
});
