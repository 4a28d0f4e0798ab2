import { expect } from 'chai';
import { readOperation } from '../../../application/queries/operations.js';
import type { App } from '../../../application/app.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import { exampleIds } from '../../support/examples/example.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { operations } from '../../../projections/models/operations.js';
import { asAny } from '../../../projections/projection.js';
import { createReplay } from '../../../projections/replay.js';
import { history } from '../../support/projections.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { StoreUnavailable } from '../../../ports/event-store.js';

const UUID = '00000000-0000-4000-8000-000000000001';
const COMPANY = 'a company';
const shown = { uuid: UUID, company_uuid: COMPANY, status: 'succeeded' };
const folded = { uuid: UUID, company_uuid: COMPANY, status: 'queued' };
const away = new StoreUnavailable('away');

/** The answer of a store: a document, nothing, or the error that it is unavailable. */
type Answer = object | undefined | Error;

function ask(readModel: Answer, history: Answer): Promise<unknown> {
  const answer = (given: Answer) => (given instanceof Error ? Promise.reject(given) : Promise.resolve(given));
  const app = {
    readModels: { get: async () => (await answer(readModel)) && { id: UUID, doc: readModel, version: '1' } },
    store: {
      read: async (stream: string) => {
        const found = await answer(history);
        return found && stream.startsWith('operation-') ? [found] : [];
      },
    },
    codec: { decodeAll: async (records: readonly object[]) => records },
    project: (_: string, records: readonly object[]) => records[0],
  };
  return readOperation(app as unknown as App, UUID, COMPANY);
}

/** The operation as it is shown when only the streams are available. */
async function foldedFrom(...entries: readonly (readonly [string, DomainEvent])[]): Promise<unknown> {
  const records = history(...entries);
  const app = {
    readModels: { get: () => Promise.reject(away) },
    store: { read: async (stream: string) => records.filter(({ record }) => record.stream === stream) },
    codec: { decodeAll: async (of: readonly object[]) => of },
    project: createReplay([asAny(operations)], {} as never).project,
  };
  return readOperation(app as unknown as App, exampleIds.execution, exampleIds.company);
}

const failure = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);

describe('reading an operation', () => {
  it('takes the read model where it shows the operation, whatever the history says', async () => {
    expect(await ask(shown, away)).to.deep.equal(shown);
  });

  it('folds the stream where the read model is late or away', async () => {
    expect(await ask(undefined, folded)).to.deep.equal(folded);
    expect(await ask(away, folded)).to.deep.equal(folded);
  });

  it('folds the stream of its execution too', async () => {
    const uuid = exampleIds.execution;
    const accepted = [`operation-${uuid}`, operationEventExamples.flowAccepted] as const;
    const { created, started, waitBegan } = executionEventExamples;
    const told = [created, started, waitBegan].map((event) => [`execution-${uuid}`, event] as const);
    expect(await foldedFrom(accepted)).to.deep.include({ type: 'flow.execute', status: 'queued' });
    expect(await foldedFrom(accepted, ...told)).to.deep.include({ status: 'waiting', uuid });
  });

  it('says that there is none only when the history says so', async () => {
    expect(await failure(ask(undefined, undefined)))
      .to.be.instanceOf(Refusal)
      .with.property('code', 'not_found');
    expect(await failure(ask(undefined, away)), 'it may have been accepted a moment ago').to.equal(away);
    expect(await failure(ask(away, away))).to.equal(away);
  });

  it("does not show another company's", async () => {
    const theirs = { ...folded, company_uuid: 'another' };
    expect(await failure(ask(theirs, theirs)))
      .to.be.instanceOf(Refusal)
      .with.property('code', 'not_found');
    expect(await failure(ask(undefined, theirs)))
      .to.be.instanceOf(Refusal)
      .with.property('code', 'not_found');
  });
});
