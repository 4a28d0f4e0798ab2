/** Reads behind the executions of flows. */
import { flowAggregate } from '../../domain/flow/decide.js';
import { flows } from '../../read-models/flows.js';
import type { App } from '../app.js';
import type { ExecutionSource } from '../resources/execution.js';

/** Current names of flows; a deleted flow keeps its last name. */
export async function namesOfFlows(
  app: Pick<App, 'readModels' | 'executor'>,
  executions: readonly Pick<ExecutionSource, 'flow_uuid'>[],
): Promise<(flowUuid: string) => string> {
  const uuids = [...new Set(executions.map(({ flow_uuid }) => flow_uuid))];
  const found = await app.readModels.getMany(flows.name, uuids);
  const names = new Map(found.map(({ id, doc }) => [id, doc.name]));
  for (const uuid of uuids) {
    if (!names.has(uuid)) names.set(uuid, (await app.executor.load(flowAggregate, uuid)).state.name);
  }
  return (flowUuid) => names.get(flowUuid) ?? '';
}
