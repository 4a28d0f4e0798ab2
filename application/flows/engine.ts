/** Dependencies of running flows, in addition to the stores. */
import { createCache } from '../../ports/cache.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { causedBy, type App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { publishedVersion } from './manage.js';

/** A running flow takes this of the app. */
export type FlowDeps = Pick<
  App,
  | 'barrier'
  | 'clock'
  | 'codec'
  | 'dueTimes'
  | 'executor'
  | 'indexSecret'
  | 'lastOrdinals'
  | 'logger'
  | 'newId'
  | 'publicUrl'
  | 'readModels'
  | 'sender'
  | 'settings'
  | 'store'
>;

export interface FlowEngine {
  readonly app: FlowDeps;
  /** A published version, which never changes. @throws Error when it does not exist */
  readonly version: (flowUuid: string, version: number) => Promise<FlowDefinition>;
  readonly untilInboundProcessed: UntilInboundProcessed;
}

/**
 * Resolves once flows have processed every message that was received from customers before the call. `since`: when the
 * wait expired, epoch milliseconds.
 *
 * @throws StoreUnavailable when that takes too long: try again later
 */
export type UntilInboundProcessed = (since: number) => Promise<void>;

/** The cause of a change to a flow's execution. */
export interface FlowCause {
  readonly company: string;
  /** Id of the event, the row or the request. */
  readonly id: string;
  readonly correlationId: string;
  /** When the work began, epoch milliseconds: data of a person who is erased meanwhile is not recorded. */
  readonly dataFrom?: number;
}

/** Cached flow versions, at most 256 KiB each. */
const REMEMBERED_VERSIONS = 200;

/** @param untilInboundProcessed omit it where no timeout depends on received messages */
export function createFlowEngine(
  app: FlowDeps,
  untilInboundProcessed: UntilInboundProcessed = () => Promise.resolve(),
): FlowEngine {
  const versions = createCache<string, FlowDefinition>(REMEMBERED_VERSIONS);
  return {
    app,
    untilInboundProcessed,
    async version(flowUuid, version) {
      const name = `${flowUuid}@${version}`;
      const known = versions.get(name);
      if (known) return known;
      const definition = await publishedVersion(app, flowUuid, version);
      if (!definition) throw new Error(`flow ${flowUuid} has no version ${version}`);
      versions.set(name, definition);
      return definition;
    },
  };
}

/**
 * Context of a command with a cause. Each has a new id: of two processes that run the same step concurrently, one must
 * get a conflict. Only the stream's state therefore shows whether the step was already done.
 */
export const flowContext = (
  app: Pick<App, 'newId'>,
  cause: FlowCause,
  subject: string | null = null,
): CommandContext => {
  const { company, id, correlationId, dataFrom } = cause;
  const event = { company, event_id: id, correlation_id: correlationId };
  const context = causedBy(event, 'worker:flows', app.newId(), subject);
  return dataFrom === undefined ? context : { ...context, dataFrom };
};
