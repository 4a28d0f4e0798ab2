/**
 * Sends accepted before a restore: those that are held, and those whose row is made again because the copy may lack it.
 */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import type { Horizon } from '../../../application/restore/horizon.js';
import type { OpenWork } from '../../../application/restore/open-work.js';
import { SEND_QUEUE } from '../../../application/send/queue.js';
import { exampleIds } from '../../support/examples/example.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import type { OperationEvent } from '../../../domain/operation/events.js';
import { operationStream } from '../../../domain/streams.js';
import { operationEventExamples as operation } from '../../support/examples/operation.js';
import { prepareSends } from '../../../workers/restore/sends.js';
import { at, history } from '../../support/projections.js';
import { HORIZON, NOTHING_RAN, restoreStores } from './horizon.js';

const UUID = exampleIds.operation;
const { accepted, acceptedOfFlow, deferred, attempted, held, outcomeUnknown, succeeded } = operation;
const marketing = { ...accepted, data: { ...accepted.data, template_category: 'MARKETING' } };

/** Prepares one operation with these events, after the restore. */
async function prepared(events: readonly OperationEvent[], horizon: Horizon = HORIZON) {
  const stores = restoreStores();
  const recorded = history(...events.map((event) => [operationStream.toName(UUID), event] as const));
  const { initial, evolve } = operationAggregate;
  const commands: { readonly uuid: string; readonly type: string; readonly context: CommandContext }[] = [];
  const app = {
    ...stores.app,
    store: { read: async () => recorded.map(({ record }) => record) },
    executor: {
      load: async () => ({ state: events.reduce(evolve, initial) }),
      execute: async (_: unknown, uuid: string, { type }: { type: string }, context: CommandContext) =>
        void commands.push({ uuid, type, context }),
    },
  } as unknown as App;
  await prepareSends(app, horizon, { sends: new Set([UUID]) } as unknown as OpenWork);
  return { ...stores, commands, first: recorded[0]?.record };
}

describe('sends behind a restore', () => {
  it('are put on hold, with the row that an intake makes for them', async () => {
    const { commands, held: work, rows, first } = await prepared([accepted]);
    expect(commands).to.deep.equal([
      {
        uuid: UUID,
        type: 'HoldSend',
        context: {
          company: exampleIds.company,
          actor: 'worker:restore',
          commandId: `${HORIZON.eventId}/hold`,
          correlationId: 'c',
          causationId: HORIZON.eventId,
          subject: null,
        },
      },
    ]);
    expect(work().map(({ restored_at: _at, restore_position: _place, ...rest }) => rest)).to.deep.equal([
      {
        id: UUID,
        kind: 'send',
        company_uuid: exampleIds.company,
        about: 'POST /messages',
        due_at: at(0),
        row: {
          queue: SEND_QUEUE,
          id: UUID,
          lane: exampleIds.channel,
          dueAt: Date.parse(at(0)),
          payload: {
            correlation_id: 'c',
            event_id: first!.eventId,
            company: exampleIds.company,
            subject: exampleIds.subject,
            deadline: Date.parse(accepted.data.deadline),
          },
        },
      },
    ]);
    expect(rows(SEND_QUEUE)).to.deep.equal([]);
  });

  it('say which flow they are of, and keep the lane of their urgency', async () => {
    const ofFlow = (await prepared([acceptedOfFlow])).held();
    expect(ofFlow[0]!.about).to.equal(`the flow execution ${exampleIds.execution}`);
    const ofCampaign = (await prepared([marketing])).held();
    expect(ofCampaign[0]!.row.lane).to.equal(`${exampleIds.channel}/marketing`);
  });

  it('are held for the time that they wait for', async () => {
    const { held: work, commands } = await prepared([accepted, deferred]);
    expect(work()[0]!.row.dueAt).to.equal(Date.parse(deferred.data.until));
    expect(commands).to.have.length(1);
  });

  it('stay held where an earlier restore holds them already', async () => {
    for (const horizon of [HORIZON, NOTHING_RAN]) {
      const { held: work, commands, rows } = await prepared([accepted, held], horizon);
      expect(work().map(({ id }) => id)).to.deep.equal([UUID]);
      expect([commands, rows(SEND_QUEUE)]).to.deep.equal([[], []]);
    }
  });

  it('get their row back where nothing ran since', async () => {
    for (const events of [[accepted], [accepted, deferred]]) {
      const { held: work, commands, rows } = await prepared(events, NOTHING_RAN);
      expect(rows(SEND_QUEUE).map(({ id }) => id)).to.deep.equal([UUID]);
      expect([work(), commands]).to.deep.equal([[], []]);
    }
  });

  it('get their row back where the call is on record: they are never repeated', async () => {
    const { held: work, commands, rows } = await prepared([accepted, attempted]);
    expect(rows(SEND_QUEUE).map(({ id }) => id)).to.deep.equal([UUID]);
    expect([work(), commands]).to.deep.equal([[], []]);
  });

  it('are left alone where their outcome is awaited or known, or nothing was accepted', async () => {
    for (const events of [[accepted, attempted, outcomeUnknown], [accepted, attempted, succeeded], []]) {
      const { held: work, commands, rows } = await prepared(events);
      expect([work(), commands, rows(SEND_QUEUE)]).to.deep.equal([[], [], []]);
    }
  });
});
