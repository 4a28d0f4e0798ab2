/** The slots that a send takes right before its first attempt, over quotas in memory. Tests set everything else. */
import { expect } from 'chai';
import { newId } from '../../../adapters/clock/system.js';
import { directCommand, type App } from '../../../application/app.js';
import { createCodec } from '../../../application/codec.js';
import { createExecutor, type Executor } from '../../../application/execute.js';
import { passGates, type GatedSend } from '../../../application/send/gates.js';
import {
  companyLedger,
  dayOf,
  identicalLedger,
  recipientLedger,
  templateKey,
  type Recipient,
} from '../../../application/send/quotas.js';
import { createRegistry } from '../../../domain/catalog.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { initialContact, type Contact } from '../../../domain/contact/state.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { DEFAULT_MARKETING } from '../../../domain/policies/gates.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { memoryPersonalKeys } from '../../support/memory/personal-keys.js';
import { refusalOf } from '../provisioning/workspace.js';
import { order, promo } from './gated-sends.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const registry = createRegistry();

function world() {
  const store = memoryEventStore();
  const streams = loadedStates();
  const codec = createCodec(registry, memoryPersonalKeys());
  const clock = { now: () => NOW, monotonic: () => NOW, after: () => () => undefined };
  const ledgers = createExecutor({ store, codec, registry, clock, newId, random: () => 0 });
  const load: Executor['load'] = (aggregate, id) =>
    ((aggregate as object) === quotaAggregate ? ledgers : streams.executor).load(aggregate, id);
  const app = {
    store,
    codec,
    registry,
    clock,
    newId,
    executor: { ...ledgers, load },
    indexSecret: Buffer.from('secret'),
    readModels: { getMany: async () => [], find: async () => ({ documents: [], next: null }) },
  } as unknown as App;
  streams.set(companyAggregate, 'company', { marketing: { ...DEFAULT_MARKETING, enabled: true } });
  const contact = (uuid: string, over: Partial<Contact> = {}): Recipient => {
    const state = { ...initialContact, exists: true, subject: `subject of ${uuid}`, ...over };
    streams.set(contactAggregate, uuid, state);
    return { uuid, subject: state.subject, contact: state };
  };
  return {
    ...streams,
    app,
    store,
    contact,
    pass: (send: GatedSend, recipient: Recipient, operationUuid = newId(), first = true) =>
      passGates(
        app,
        operationUuid,
        send,
        recipient,
        first,
        directCommand(app, { company: 'company', actor: 'test' }),
      ),
    slotsOf: async (ledger: string) => (await ledgers.load(quotaAggregate, ledger)).state.slots,
  };
}

describe('a send that passes the gates', () => {
  let w: ReturnType<typeof world>;
  let ana: Recipient;
  beforeEach(() => {
    w = world();
    ana = w.contact('ana');
  });
  const anas = recipientLedger('subject of ana');
  const today = companyLedger('company', dayOf(NOW));
  const slot = (operationUuid: string, send: GatedSend, counted = true) => ({
    operationUuid,
    at: NOW,
    what: templateKey('company', send.name),
    counted,
  });

  it('takes one slot among identical messages where it is no marketing, and no other', async () => {
    const operation = newId();
    await w.pass(order, ana, operation);
    await w.pass(order, ana, operation, false);
    const ledger = identicalLedger(w.app, order.subject, order);
    expect(await w.slotsOf(ledger)).to.deep.equal([slot(operation, order)]);
    expect(w.store.records).to.have.length(1);
    expect((await refusalOf(w.pass(order, ana, newId(), false))).code).to.equal('duplicate_template_send');
  });

  it('takes one of the person and one of the company where it is marketing', async () => {
    const operation = newId();
    await w.pass(promo, ana, operation);
    expect(await w.slotsOf(anas)).to.deep.equal([slot(operation, promo)]);
    expect(await w.slotsOf(today)).to.deep.equal([slot(operation, promo)]);
    expect(await w.slotsOf(identicalLedger(w.app, promo.subject, promo))).to.deep.equal([]);
  });

  it('is not counted for the person who has just written, and is for the company', async () => {
    const operation = newId();
    w.set(conversationAggregate, conversationId('ana', 'channel', 0), {
      exists: true,
      lastInboundAt: new Date(NOW - 1).toISOString(),
    });
    await w.pass(promo, ana, operation);
    expect(await w.slotsOf(anas)).to.deep.equal([slot(operation, promo, false)]);
    expect(await w.slotsOf(today)).to.deep.equal([slot(operation, promo)]);
  });

  it('takes no slot of a channel that WhatsApp flagged, nor of a person who opted out', async () => {
    w.set(channelAggregate, 'channel', { qualityRating: 'RED' });
    expect((await refusalOf(w.pass(promo, ana))).code).to.equal('channel_marketing_paused');
    w.set(channelAggregate, 'channel', {});
    ana = w.contact('ana', { optedOut: true });
    expect((await refusalOf(w.pass(promo, ana))).code).to.equal('recipient_opted_out');
    expect(w.store.records).to.deep.equal([]);
  });

  it('is counted where its person is by now: their contact was merged meanwhile', async () => {
    const bia = w.contact('bia', { absorbed: ['ana'] });
    await w.pass(promo, bia);
    w.contact('ana', { mergedInto: 'bia' });
    // This contact was loaded before the merge: its quota is closed by now.
    const { code } = await refusalOf(w.pass(promo, ana));
    expect(code, 'what was sent to bia counts').to.equal('duplicate_template_send');
    const operation = newId();
    await w.pass({ ...promo, name: 'another' }, ana, operation);
    const biasSlots = await w.slotsOf(recipientLedger('subject of bia'));
    expect(biasSlots.map(({ operationUuid }) => operationUuid)).to.include(operation);
    expect(await w.slotsOf(anas)).to.deep.equal([]);
  });
});
