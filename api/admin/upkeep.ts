/**
 * Operations that leave no event of their own declare `x-recado-records`: `true`, or `in_pieces` where many calls carry
 * out one act. What they are asked for is recorded before their handler runs (docs/adr/0058).
 */
import { SYSTEM_COMPANY, type App } from '../../application/app.js';
import type { HistoryImport } from '../../application/history/import.js';
import { recordUpkeep } from '../../application/upkeep.js';
import { START } from '../../ports/event-store.js';
import { operationsOf, type ContractDocument } from '../contract.js';
import type { Call } from '../middleware/call.js';
import type { AccessCheck, RoleCaller } from './access.js';

export type Recording = 'each' | 'in_pieces';

/** By operation. @throws Error for another value: it would record nothing */
export function recordingOf(document: ContractDocument): ReadonlyMap<string, Recording> {
  return new Map(
    operationsOf(document).flatMap(({ method, path, operationId }): [string, Recording][] => {
      const mark = document.paths[path]?.[method.toLowerCase()]?.['x-recado-records'];
      if (mark === undefined) return [];
      if (mark !== true && mark !== 'in_pieces')
        throw new Error(
          `${operationId} of the admin contract records ${JSON.stringify(mark)}, which is nothing`,
        );
      return [[operationId, mark === true ? 'each' : mark]];
    }),
  );
}

export function createUpkeepRecord(
  app: Pick<App, 'store' | 'executor' | 'clock' | 'newId'>,
  document: ContractDocument,
  access: Pick<AccessCheck, 'companyFor'>,
  importing: Pick<HistoryImport, 'isUnderWay'> | null,
): (call: Call<RoleCaller>) => Promise<void> | undefined {
  const recording = recordingOf(document);

  /** An event would end the way of a whole history into an empty system. The order of both looks matters. */
  async function isFree(): Promise<boolean> {
    const { records } = await app.store.readAll({ after: START, limit: 1 });
    return records.length > 0 && (await importing?.isUnderWay()) !== true;
  }

  async function record({ caller, operation, params, query, requestId }: Call<RoleCaller>): Promise<void> {
    if (!(await isFree())) return;
    await recordUpkeep(app, {
      company: (await access.companyFor(caller, operation, params)) ?? SYSTEM_COMPANY,
      actor: caller.actor,
      correlationId: requestId,
      operation: operation.operationId,
      parameters: asTexts({ ...params, ...switchedOn(query) }),
      inPieces: recording.get(operation.operationId) === 'in_pieces',
    });
  }

  return (call) => (recording.has(call.operation.operationId) ? record(call) : undefined);
}

/** Numbers among them have been read as such. */
const asTexts = (params: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

/** Such as `include_personal`: it makes another act of the call. Other values of a query may name somebody. */
const switchedOn = (query: Call['query']): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(query).filter(([, value]) => value === true));
