/** One update of a webhook: applied, tried again, or parked in the end. */
import { expect } from 'chai';
import { outboundMessageId } from '../../../domain/message/decide.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { ProviderStatusUpdate } from '../../../ports/provider-webhook.js';
import { conversations } from '../../../read-models/conversations.js';
import { applyOne, waitBefore } from '../../../workers/inbound/apply-one.js';
import { memoryIntake, NUMBER, texts } from './memory-intake.js';

const OPERATION = '0190a000-0000-7000-8000-000000000001';
const CHANNEL = {
  uuid: '0190a000-0000-7000-8000-000000000002',
  company_uuid: 'company',
  status: 'connected',
  phone_number: null,
  taken_off: false,
} as const;

const status = (opaque: string | null): ProviderStatusUpdate => ({
  kind: 'status',
  wabaId: 'waba',
  phoneNumberId: NUMBER,
  messageId: 'wamid.1',
  status: 'delivered',
  recipientId: '5511',
  recipientUserId: null,
  at: '2026-03-01T11:59:00.000Z',
  opaque,
  pricing: null,
  errors: [],
});

describe('one update of a provider webhook', () => {
  function world() {
    const intake = memoryIntake();
    intake.channels.push(CHANNEL);
    const [pointer] = intake.keep(texts(['ana']));
    return {
      ...intake,
      apply: (update: ProviderStatusUpdate, tries: number) =>
        applyOne(intake.app, pointer!, { index: 3, update, receivedAt: 0 }, tries),
      reasons: () => intake.parked.map(({ command }) => command.reason),
    };
  }
  const unknown = 'no message is known for the provider message id wamid.1';

  it('is applied as a command of its own, in the name of the company that has the number', async () => {
    const w = world();
    const message = outboundMessageId(OPERATION);
    w.states.set(message, { exists: true, companyUuid: 'company', contactUuid: 'contact' });
    expect(await w.apply(status(OPERATION), 1)).to.equal('ok');
    expect(
      w.parked.map(({ command: { type }, context: { id, commandId } }) => [type, id, commandId]),
    ).to.deep.equal([
      ['ReportStatus', message, 'e1/3'],
      ['SettleByStatus', OPERATION, 'e1/3/settle'],
    ]);
    for (const { context } of w.parked) expect(context['company']).to.equal('company');
  });

  it('that finds nothing to apply to is tried again five times, and parked with the sixth', async () => {
    const w = world();
    expect(await w.apply(status(OPERATION), 5)).to.deep.equal({ retry: unknown });
    expect(w.parked).to.deep.equal([]);
    expect(await w.apply(status(OPERATION), 6)).to.equal('ok');
    expect(w.parked.map(({ command }) => command)).to.deep.equal([
      { type: 'ParkUpdate', index: 3, kind: 'status', reason: unknown },
    ]);
  });

  it('of a message that another system sent is no work for anybody in the end', async () => {
    const w = world();
    expect(await w.apply(status(null), 5)).to.deep.equal({ retry: unknown });
    expect(await w.apply(status(null), 6)).to.equal('foreign');
    expect(w.parked).to.deep.equal([]);
  });

  it('that fails is tried again, and parked with its twelfth try', async () => {
    const w = world();
    const fault = new Error('a fault');
    w.answers.channel = () => Promise.reject(fault);
    expect(await w.apply(status(null), 11)).to.deep.equal({ retry: 'a fault' });
    expect(w.log).to.deep.equal([
      {
        level: 'error',
        fields: { err: fault, kind: 'status', tries: 11 },
        message: 'an update of a provider webhook failed',
      },
    ]);
    expect(await w.apply(status(null), 12)).to.equal('ok');
    expect(w.reasons()).to.deep.equal(['it failed: a fault']);
  });

  it('is left to its reader where a store is away, and no failure of its own', async () => {
    const w = world();
    const gone = new StoreUnavailable('gone');
    w.answers.channel = () => Promise.reject(gone);
    expect(await w.apply(status(null), 12).catch((error: unknown) => error)).to.equal(gone);
    expect(w.log).to.deep.equal([]);
    expect(w.parked).to.deep.equal([]);
  });

  it('waits for no read model that only says where to look', async () => {
    const w = world();
    const waits: string[] = [];
    Object.assign(w.app.barrier, { wait: async (models: readonly string[]) => void waits.push(...models) });
    await w.apply(status(null), 1);
    await w.app.readModels.find(conversations.name, {
      index: 'by_company',
      equals: [],
      order: 'asc',
      limit: 1,
    });
    expect(waits).to.have.members(['channels', 'messages']);
  });

  it('waits 2 s before its second try, twice as long before each next one, and five minutes at most', () => {
    expect([2, 3, 4, 9, 10, 40].map(waitBefore)).to.deep.equal([
      2_000, 4_000, 8_000, 256_000, 300_000, 300_000,
    ]);
  });
});
