/** Sends over stores in memory, by a clock that a test moves, to a provider in the process. */
import type { App, Settings } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { CHANNEL_TOKEN_CONTEXT } from '../../../application/provisioning/common.js';
import { gatedSend } from '../../../application/send/gated-send.js';
import { identicalLedger } from '../../../application/send/quotas.js';
import { relay, type SendPointer } from '../../../application/relay.js';
import { RECONCILE_QUEUE, SEND_QUEUE, sendEntry, type SendPayload } from '../../../application/send/queue.js';
import { contactAggregate, type ContactCommand } from '../../../domain/contact/decide.js';
import type { Contact } from '../../../domain/contact/state.js';
import { exampleIds } from '../../support/examples/example.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { messageAggregate, outboundMessageId } from '../../../domain/message/decide.js';
import { operationAggregate, type OperationCommand } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { messageStream, operationStream } from '../../../domain/streams.js';
import type { ClaimedEntry } from '../../../ports/due-times.js';
import type { Document } from '../../../ports/read-models.js';
import { appOver, collectingLogger, type LogLine } from '../../support/app.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { faultyStore, type Fault } from '../../support/fakes/faulty-store.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { fakeProvider } from '../../support/fakes/provider.js';
import { memoryDueTimes } from '../../support/memory/due-times.js';
import { memoryEventStore } from '../../support/memory/event-store.js';
import { finding } from '../../support/memory/finding.js';
import { memoryPersonalKeys } from '../../support/memory/personal-keys.js';
import { memoryReadModels } from '../../support/memory/read-models.js';

interface Named {
  readonly uuid?: string;
}

export const WINDOW_MS = 60_000;
export const RECONCILE_MS = 300_000;

export function memorySends(settings: Partial<Settings> = {}) {
  const clock = manualClock();
  const store = memoryEventStore();
  const faults = faultyStore();
  const dueTimes = memoryDueTimes(() => clock.now());
  const readModels = finding(memoryReadModels());
  const provider = fakeProvider();
  const { logger, log } = collectingLogger();
  const base = appOver(
    {
      store: faults.wrap(store),
      readModels,
      topics: {} as App['topics'],
      dueTimes,
      keys: memoryPersonalKeys(),
    },
    { clock, barrier: fakeBarrier(), provider: provider.port, logger },
  );
  const app: App = {
    ...base,
    settings: {
      ...base.settings,
      pacingWindowMs: WINDOW_MS,
      reconcileWindowMs: RECONCILE_MS,
      channelRate: 20,
      paceRecipients: true,
      ...settings,
    },
  };
  let versions = 0;
  const show = (collection: string, id: string, doc: Document): Promise<unknown> =>
    readModels.write(collection, [{ id, doc, version: String((versions += 1)).padStart(12, '0') }]);

  const contextOf = (subject: string | null, commandId = app.newId()): CommandContext => ({
    company: exampleIds.company,
    actor: 'test',
    commandId,
    correlationId: 'trace',
    causationId: commandId,
    subject,
  });

  let sends = 0;
  const given = {
    /** The channel of all sends, connected unless `more` says otherwise. */
    channel: (more: Document = {}): Promise<unknown> =>
      show('channels', exampleIds.channel, {
        uuid: exampleIds.channel,
        company_uuid: exampleIds.company,
        waba_id: 'waba',
        phone_number_id: 'number',
        display_name: null,
        status: 'connected',
        restrictions: [],
        access_token_sealed: app.secrets.seal('token', CHANNEL_TOKEN_CONTEXT),
        ...more,
      }),
    /** Accepts a text, each to another person unless `more` says otherwise. */
    async accepted(more: Partial<SendAsAccepted> = {}): Promise<string> {
      const uuid = deriveId('send', (sends += 1));
      const data: SendAsAccepted = {
        ...operationEventExamples.accepted.data,
        subject: deriveId('subject', sends),
        phone: `+55119${String(sends).padStart(8, '8')}`,
        external_id: null,
        message_type: 'text',
        content: { text: 'Olá' },
        components: [],
        text: 'Olá',
        template_uuid: null,
        template_category: null,
        deadline: new Date(clock.now() + app.settings.pacingWindowMs).toISOString(),
        ...more,
      };
      await app.executor.execute(
        operationAggregate,
        uuid,
        { type: 'AcceptSend', data },
        contextOf(data.subject),
      );
      return uuid;
    },
    /** Executes a command on the operation beforehand. */
    happened: async (operation: string, command: OperationCommand): Promise<void> => {
      await app.executor.execute(operationAggregate, operation, command, contextOf(exampleIds.subject));
    },
    /** A contact, with a phone unless `more` says otherwise, with these later changes; returns its uuid. */
    async contact(
      { uuid = exampleIds.contact, ...more }: Partial<Pick<Contact, 'phone' | 'waUserId'>> & Named = {},
      ...since: readonly ContactCommand[]
    ): Promise<string> {
      const { phone = '+5511987650001', waUserId = null } = more;
      const subject = deriveId('subject of', uuid);
      const created: ContactCommand = {
        type: 'CreateContact',
        companyUuid: exampleIds.company,
        source: 'api',
        subject,
        phone,
        phoneKey: phone?.slice(1) ?? null,
        waUserId,
        name: null,
      };
      for (const command of [created, ...since])
        await app.executor.execute(contactAggregate, uuid, command, contextOf(subject));
      return uuid;
    },
    /** An attempt of the operation began, with its message in the conversation. */
    async begun(operation: string): Promise<void> {
      const messageUuid = outboundMessageId(operation);
      await given.happened(operation, {
        type: 'BeginAttempt',
        contactUuid: exampleIds.contact,
        conversationUuid: exampleIds.conversation,
        messageUuid,
        channelIntervalMs: 50,
      });
      const data = {
        company_uuid: exampleIds.company,
        channel_uuid: exampleIds.channel,
        conversation_uuid: exampleIds.conversation,
        contact_uuid: exampleIds.contact,
        type: 'text',
        content: { text: 'Olá' },
        operation_uuid: operation,
        text: 'Olá',
      } as const;
      await app.executor.execute(
        messageAggregate,
        messageUuid,
        { type: 'QueueMessage', data },
        contextOf(exampleIds.subject),
      );
    },
    show,
    faults: (event: string, ...next: readonly Fault[]): void => faults.at(event, ...next),
  };

  async function payloadOf(operation: string): Promise<SendPayload> {
    const [first] = await store.read(operationStream.toName(operation), { limit: 1 });
    const { correlation_id, event_id, company, subject, deadline } = relay(first!)[0]!.value as SendPointer;
    return { correlation_id, event_id, company, subject, deadline: Date.parse(deadline) };
  }

  async function ledgerOf(operation: string): Promise<string> {
    const send = gatedSend((await app.executor.load(operationAggregate, operation)).state.accepted)!;
    return identicalLedger(app, send.subject, send);
  }

  return {
    app,
    clock,
    store,
    faults,
    dueTimes,
    provider,
    log,
    given,
    contextOf,
    lines: (level: LogLine['level']) => log.filter((line) => line.level === level),
    payloadOf,
    /** The operation's row, as the dispatcher claims it. */
    async claimed(operation: string, to: Partial<SendPayload> = {}): Promise<ClaimedEntry> {
      const lane = exampleIds.channel;
      const payload = { ...(await payloadOf(operation)), ...to };
      await dueTimes.schedule([sendEntry(operation, lane, clock.now(), payload)]);
      const claim = { queue: SEND_QUEUE, lane, now: clock.now(), limit: 1_000, leaseMs: WINDOW_MS };
      return (await dueTimes.claim(claim)).find(({ id }) => id === operation)!;
    },
    rowOf: (operation: string): ClaimedEntry | undefined =>
      dueTimes.rows(SEND_QUEUE).find(({ id }) => id === operation),
    lostRowOf: (operation: string): ClaimedEntry | undefined =>
      dueTimes.rows(RECONCILE_QUEUE).find(({ id }) => id === operation),
    state: async (operation: string) => (await app.executor.load(operationAggregate, operation)).state,
    contact: async (uuid: string = exampleIds.contact) =>
      (await app.executor.load(contactAggregate, uuid)).state,
    message: async (operation: string) =>
      (await app.executor.load(messageAggregate, outboundMessageId(operation))).state,
    /** The last event of the operation. */
    async last(operation: string) {
      return (await store.read(operationStream.toName(operation))).at(-1)!;
    },
    slotsOf: async (operation: string) =>
      (await app.executor.load(quotaAggregate, await ledgerOf(operation))).state.slots,
    /** Takes the operation's reservation among identical messages, as the gates do. */
    async takeSlot(operation: string): Promise<void> {
      const request = { operationUuid: operation, what: 'x', counted: true };
      await app.executor.execute(
        quotaAggregate,
        await ledgerOf(operation),
        { type: 'TakeSlot', request, rules: [], others: [] },
        contextOf(null),
      );
    },
    /** The last event of the operation's message. */
    said: async (operation: string) =>
      (await store.read(messageStream.toName(outboundMessageId(operation)))).at(-1)!,
    events: async (operation: string): Promise<readonly string[]> =>
      (await store.read(operationStream.toName(operation))).map(({ type }) => type),
  };
}

export type MemorySends = ReturnType<typeof memorySends>;
