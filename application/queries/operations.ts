/** Reads one operation; from its streams when its read model lags or is unavailable. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { executionStream, operationStream } from '../../domain/streams.js';
import { StoreUnavailable } from '../../ports/event-store.js';
import { operations } from '../../read-models/operations.js';
import type { App } from '../app.js';
import type { OperationSource } from '../resources/operation.js';
import { readOwned } from './page.js';

/** @throws Refusal not_found; StoreUnavailable when neither the read model nor the history can be read */
export async function readOperation(
  app: Pick<App, 'readModels' | 'store' | 'codec' | 'project'>,
  uuid: string,
  companyUuid: CompanyUuid,
): Promise<OperationSource> {
  try {
    return await readOwned(app.readModels, operations.name, uuid, companyUuid, 'operation');
  } catch (error) {
    const missing = error instanceof Refusal && error.code === 'not_found';
    if (!missing && !(error instanceof StoreUnavailable)) throw error;
    // Perhaps it was accepted a moment ago and is not in the read model yet. While the history cannot be read, nobody
    // can say that the operation does not exist.
    // The result of a flow is in the stream of its execution, which is created later.
    const streams = [operationStream.toName(uuid), executionStream.toName(uuid)];
    const records = await Promise.all(streams.map((stream) => app.store.read(stream)));
    const folded = app.project(operations.name, await app.codec.decodeAll(records.flat()));
    if (folded?.company_uuid === companyUuid) return folded;
    throw error;
  }
}
