/**
 * A customer of a company with flows, in memory: a process handles the customer's messages, or the test itself does.
 */
import { beginAccepted } from '../../../application/flows/begin.js';
import { createFlowEngine } from '../../../application/flows/engine.js';
import { listen } from '../../../application/flows/listen.js';
import { loadExecution } from '../../../application/flows/load.js';
import { directCommand } from '../../../application/app.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { FLOWS, relay } from '../../../application/relay.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import {
  conversationAggregate,
  conversationId,
  type ConversationCommand,
} from '../../../domain/conversation/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { executionStream, messageStream } from '../../../domain/streams.js';
import { projections } from '../../../projections/catalog.js';
import { catchUp } from '../../../projections/runner.js';
import { addCustomer, addInboundMessage } from '../../support/api/world.js';
import { openedForEach } from '../../support/opened.js';
import { textOf } from '../../workers/flows/play.js';
import { PHONE, setStage } from '../../workers/flows/stage.js';
import { createFlowWorld } from '../../workers/flows/world.js';

export const NUMBER: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: { ask: { type: 'ask', text: 'Quantos?', save_as: 'n', expect: 'number', next: null } },
};
export const ANYTHING: FlowDefinition = {
  schema: 1,
  start: 'ask',
  blocks: { ask: { type: 'ask', text: 'Diga.', save_as: 'said', next: null } },
};
export const offers = (more: Partial<FlowDefinition> = {}): FlowDefinition => ({
  schema: 1,
  start: 'offer',
  triggers: [{ on: 'keyword', words: ['promo', 'sair', 'vendedor', '12'] }],
  blocks: { offer: { type: 'send_text', text: 'Ofertas!', next: null } },
  ...more,
});
export const GREETING = offers({ triggers: [{ on: 'first_message' }] });

/** For use inside a `describe` block: each of its tests gets a world of its own. */
export function aCustomer() {
  const world = openedForEach(() => createFlowWorld());
  const stage = openedForEach(() => setStage(world));
  const cause = () => ({ company: stage.company, id: 'cause', correlationId: 'correlation' });
  const direct = () => directCommand(world.app, { company: stage.company, actor: 'test' });
  /** Resolves the contact alone: no conversation exists until a message arrives. */
  const person = () => {
    const known = { phone: PHONE, phoneKey: PHONE.slice(1), waUserId: null, name: null };
    return resolveContact(world.app, stage.company, known, 'inbound', direct());
  };
  const customer = () => addCustomer(world.app, stage, { phone: PHONE });

  const given = {
    flows: (...definitions: readonly FlowDefinition[]) =>
      stage.publish(definitions.length, (place) => definitions[place]!),
    /** Publishes these flows, and starts the process that handles messages. */
    async listening(...definitions: readonly FlowDefinition[]): Promise<readonly string[]> {
      const flows = await given.flows(...definitions);
      world.startProcess();
      return flows;
    },
    /** Publishes these flows, and requests the first as the API does. It runs until it has to wait for something. */
    async running(...definitions: readonly FlowDefinition[]): Promise<string> {
      const [first] = await given.listening(...definitions);
      const execution = await stage.execute(first!, 'running');
      await world.rest();
      return execution;
    },
    /** The test begins the execution itself: its question is sent, and no process receives the event of that. */
    async begun(...definitions: readonly FlowDefinition[]): Promise<string> {
      const [first] = await given.flows(...definitions);
      const execution = await stage.execute(first!, 'running');
      await beginAccepted(createFlowEngine(world.app), execution, cause());
      await world.rest();
      return execution;
    },
    async words(stop: readonly string[], person: readonly string[]): Promise<void> {
      for (const command of [
        { type: 'ChangeOptOutWords', words: { stop } },
        { type: 'ChangePersonWords', words: person },
      ] as const) {
        await world.app.executor.execute(companyAggregate, stage.company, command, direct());
      }
    },
    async conversation(command: ConversationCommand): Promise<void> {
      const { conversation } = await customer();
      await world.app.executor.execute(conversationAggregate, conversation, command, direct());
      await world.rest();
    },
    /** Brings the read model of messages up to date. */
    shown: () =>
      catchUp(
        projections.find(({ name }) => name === 'messages')!,
        world.app,
      ),
  };

  const when = {
    /** Returns the message's uuid. */
    async says(content: Parameters<typeof addInboundMessage>[3]): Promise<string> {
      const message = await addInboundMessage(world.app, stage, await customer(), content);
      await world.rest();
      return message;
    },
    async hearsAgain(message: string): Promise<void> {
      const [record] = await world.store.read(messageStream.toName(message));
      await world.app.topics.publish(relay(record!).filter(({ topic }) => topic === FLOWS));
      await world.rest();
    },
    /** Handles the message in the test itself, without a process. */
    hears: (message: string): Promise<void> => listen(createFlowEngine(world.app), message, cause()),
  };

  const found = {
    sent: (): readonly string[] => world.sent.map(textOf),
    execution: async (uuid: string) => (await loadExecution(world.app, uuid))!,
    state: async (uuid: string) => (await found.execution(uuid)).state,
    async conversation() {
      const uuid = conversationId((await person()).uuid, stage.channel, 0);
      return (await world.app.executor.load(conversationAggregate, uuid)).state;
    },
    /** Data of every event of this type in the execution's stream. */
    async events(uuid: string, type: string) {
      const records = await world.store.read(executionStream.toName(uuid));
      return records.filter((record) => record.type === type).map(({ data }) => data);
    },
    executions: (): readonly string[] =>
      world.store.records.flatMap(({ type, stream }) =>
        type === 'ExecutionCreated' ? [executionStream.match(stream)!] : [],
      ),
  };
  return { world, stage, cause, direct, person, given, when, found };
}
