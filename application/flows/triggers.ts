/** Finds the flow that a customer's message starts. */
import { flowAggregate } from '../../domain/flow/decide.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { foldWord } from '../../domain/policies/opt-out-words.js';
import { flows } from '../../read-models/flows.js';
import type { App } from '../app.js';

export interface Triggered {
  readonly flowUuid: string;
  readonly version: number;
  readonly definition: FlowDefinition;
  readonly trigger: 'keyword' | 'first_message';
}

/** Maximum active flows searched: with more of them, nobody can keep their words apart any more. */
const MAX_FLOWS = 500;

/** @param words text of the message; null when it has none */
export async function findTriggered(
  app: Pick<App, 'readModels' | 'executor'>,
  versionOf: (flowUuid: string, version: number) => Promise<FlowDefinition>,
  message: {
    readonly companyUuid: CompanyUuid;
    readonly words: string | null;
    /** Called only if some flow starts on first messages. */
    readonly isFirst: () => Promise<boolean>;
  },
): Promise<Triggered | null> {
  const { documents } = await app.readModels.find(flows.name, {
    index: 'by_status',
    equals: [message.companyUuid, 'active'],
    order: 'asc',
    limit: MAX_FLOWS,
  });
  const said = message.words === null ? '' : foldWord(message.words);
  let first: Triggered | null = null;
  // Keywords take precedence over first messages; of several flows, the oldest one wins.
  for (const { doc } of documents) {
    const { uuid: flowUuid, version } = doc;
    if (version === null) continue;
    const definition = await versionOf(flowUuid, version);
    const { triggers = [] } = definition;
    const found = (trigger: Triggered['trigger']): Triggered => ({ flowUuid, version, definition, trigger });
    const called = said !== '' && triggers.some((trigger) => wordsOf(trigger).includes(said));
    if (called && (await isPublished(app, flowUuid, version))) return found('keyword');
    const greets = first === null && triggers.some(({ on }) => on === 'first_message');
    if (greets && (await isPublished(app, flowUuid, version))) first = found('first_message');
  }
  return first !== null && (await message.isFirst()) ? first : null;
}

const wordsOf = (trigger: NonNullable<FlowDefinition['triggers']>[number]): readonly string[] =>
  trigger.on === 'keyword' ? trigger.words.map(foldWord) : [];

/** The read model is a hint: only the stream shows that it was unpublished a moment ago. */
async function isPublished(app: Pick<App, 'executor'>, flowUuid: string, version: number): Promise<boolean> {
  const { state } = await app.executor.load(flowAggregate, flowUuid);
  return !state.deleted && state.published?.version === version;
}
