/** Effects of WhatsApp's refusals beyond the one message. */
import { expect } from 'chai';
import { isOptedOut } from '../../../application/contacts/marketing.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import { channelControlsStream, contactStream } from '../../../domain/streams.js';
import { makeApi } from '../../support/api/make-api.js';
import { accepted, rejected } from '../../support/fakes/provider.js';
import { opened, openedForEach } from '../../support/opened.js';
import { HOUR, makeSendWorld } from '../../support/sends/send-world.js';

describe('a send that WhatsApp refuses', () => {
  const api = opened(makeApi);
  const w = openedForEach(() => makeSendWorld(api));

  const paused = async () =>
    (await w.app.executor.load(channelControlsAggregate, w.world.channel)).state.pause;
  /** The records of recipient and channel after one attempt that WhatsApp answered with this code. */
  async function refusedWith(code: number) {
    const phone = w.somebody();
    w.provider.answer = () => rejected(code);
    const operation = await w.send(phone, 'promo_1');
    w.provider.answer = () => accepted();
    const { uuid } = await w.resolve(phone);
    const last = async (stream: string) => (await w.app.store.read(stream)).at(-1);
    return {
      operation,
      contact: await isOptedOut(w.app, uuid),
      wish: await last(contactStream.toName(uuid)),
      pause: await paused(),
      stop: await last(channelControlsStream.toName(w.world.channel)),
    };
  }

  it('since the person stopped marketing: they are opted out from now on', async () => {
    const { contact, wish, pause } = await refusedWith(131_050);
    expect(contact).to.deep.equal({ optedOut: true, wishAt: new Date(w.time.now).toISOString() });
    expect(wish!.data).to.include({ source: 'provider_131050' });
    expect(wish!.meta.actor).to.equal('worker:sending');
    expect(wish!.meta.command_id).to.contain('/outcome/opt-out/');
    expect(pause).to.equal(null);
  });

  it('since too many people reported the number: its marketing pauses for an hour', async () => {
    const { operation, contact, pause, stop } = await refusedWith(131_048);
    const until = new Date(w.time.now + HOUR).toISOString();
    expect(pause).to.deep.equal({ code: 131_048, operationUuid: operation, until });
    expect(stop!.meta.actor).to.equal('worker:sending');
    expect(stop!.meta.command_id).to.match(/\/outcome\/pause$/);
    expect(contact.optedOut).to.equal(false);
  });

  it('for what is about this message alone: nobody else is concerned', async () => {
    const { contact, pause } = await refusedWith(131_026);
    expect([contact.optedOut, pause]).to.deep.equal([false, null]);
  });

  it('for a limit that blocks for a day: the number goes on', async () => {
    const { contact, pause } = await refusedWith(131_049);
    expect([contact.optedOut, pause]).to.deep.equal([false, null]);
  });

  describe('or takes under another id than the phone', () => {
    const known = async (phone: string) => (await w.resolve(phone)).contact.waIds[w.world.channel];
    const sentWith = async (phone: string, waId: string | null): Promise<void> => {
      w.provider.answer = () => ({ kind: 'accepted', messageId: 'wamid.1', waId, userId: null, held: false });
      await w.send(phone, null);
    };

    it('that id is remembered, for this channel, once', async () => {
      const phone = w.somebody();
      await sentWith(phone, '551187650001');
      expect(await known(phone)).to.equal('551187650001');
      const { uuid } = await w.resolve(phone);
      const before = (await w.app.store.read(contactStream.toName(uuid))).length;
      await sentWith(phone, '551187650001');
      const after = await w.app.store.read(contactStream.toName(uuid));
      expect(after.length).to.equal(before);
      expect(after.at(-1)!.meta.command_id).to.match(/\/wa-id$/);
      await sentWith(phone, '551187650002');
      expect(await known(phone)).to.equal('551187650002');
    });

    it('the digits of the phone itself, or no id, are not worth an event', async () => {
      const phone = w.somebody();
      await sentWith(phone, phone.slice(1));
      expect(await known(phone)).to.equal(undefined);
      await sentWith(phone, null);
      expect(await known(phone)).to.equal(undefined);
    });
  });
});
