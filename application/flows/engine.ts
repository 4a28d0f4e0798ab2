/** What running flows needs beside the stores. */
import { createCache } from '../../ports/cache.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { publishedVersion } from './manage.js';

export interface FlowEngine {
  readonly app: App;
  /** A version that was published, which never changes. @throws Error when there is none */
  readonly version: (flowUuid: string, version: number) => Promise<FlowDefinition>;
  readonly untilHeard: UntilHeard;
}

/**
 * Resolves once flows have heard what had come in from customers before the call. `since`: when somebody's time was up,
 * epoch milliseconds.
 *
 * @throws StoreUnavailable where that takes longer: to be asked again
 */
export type UntilHeard = (since: number) => Promise<void>;

/** Because of what somebody does something for a flow. */
export interface FlowCause {
  readonly company: string;
  /** Of the event, the row or the request. */
  readonly id: string;
  readonly correlationId: string;
}

/** At most 256 KiB each. */
const REMEMBERED_VERSIONS = 200;

/** @param untilHeard left out where nobody waits in vain */
export function createFlowEngine(app: App, untilHeard: UntilHeard = () => Promise.resolve()): FlowEngine {
  const versions = createCache<string, FlowDefinition>(REMEMBERED_VERSIONS);
  return {
    app,
    untilHeard,
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
 * Context of a command that is given because of something. Each has an id of its own: of two processes that do the same
 * step at once one must see that the other was faster, so what was done before is told by the stream's state alone.
 */
export const flowContext = (
  app: Pick<App, 'newId'>,
  cause: FlowCause,
  subject: string | null = null,
): CommandContext => ({
  company: cause.company,
  actor: 'worker:flows',
  commandId: app.newId(),
  correlationId: cause.correlationId,
  causationId: cause.id,
  subject,
});
