/**
 * A worker of flows over stores in memory, with its calls, its outcomes and its log, and faults when it reads flows.
 */
import type { App } from '../../../application/app.js';
import { loadExecution } from '../../../application/flows/load.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { flowStream } from '../../../domain/streams.js';
import { startReactor, type RunningReactor } from '../../../workers/kernel/reactor.js';
import type { InboundBarrier } from '../../../workers/kernel/inbound-barrier.js';
import { flowReactor } from '../../../workers/flows/worker.js';
import { collectingLogger } from '../../support/app.js';
import { fakeBarrier } from '../../support/fakes/barrier.js';
import { textOf } from './play.js';
import { setStage } from './stage.js';
import { createFlowWorld } from './world.js';

export async function watchedWorker() {
  const barrier = fakeBarrier();
  const world = createFlowWorld({ barrier });
  const stage = await setStage(world);
  const outcomes: string[] = [];
  const { logger, log } = collectingLogger();
  const workers: RunningReactor[] = [];
  /** The error that reads of flow streams throw, and how often it was thrown. */
  const fault: { error: Error | null; asked: number } = { error: null, asked: 0 };
  /** Addresses of other systems that the worker called. */
  const calls: string[] = [];

  function start(incoming?: InboundBarrier): RunningReactor {
    const app: App = {
      ...world.app,
      logger,
      store: {
        ...world.app.store,
        async read(stream, range) {
          if (flowStream.match(stream) !== undefined && fault.error !== null) {
            fault.asked += 1;
            throw fault.error;
          }
          return world.app.store.read(stream, range);
        },
      },
      sender: {
        ...world.app.sender,
        async request({ url }) {
          calls.push(url);
          return { kind: 'answered', status: 200, headers: {}, bodyText: '{}', durationMs: 1, address: null };
        },
      },
    };
    const worker = startReactor(app, flowReactor, incoming ? { inbound: incoming } : {}, (group, kind) =>
      outcomes.push(`${group} ${kind}`),
    );
    workers.push(worker);
    return worker;
  }
  async function begun(definition: FlowDefinition, key = 'first'): Promise<string> {
    const [flow] = await stage.publish(1, () => definition);
    return stage.execute(flow!, key);
  }
  const state = async (execution: string) => (await loadExecution(world.app, execution))!.state;
  const said = (): readonly string[] => world.sent.map(textOf);
  const rows = (queue: string) => world.dueTimes.rows(queue);
  const parked = async (): Promise<readonly Record<string, unknown>[]> => {
    const found = await world.app.readModels.scan('parked_messages', {
      after: null,
      limit: 10,
      order: 'asc',
    });
    return found.map(({ text: json }) => JSON.parse(json) as Record<string, unknown>);
  };
  /** Advances past all tries of a message or a row. */
  async function allTries(): Promise<void> {
    for (let n = 0; n < 12; n += 1) await world.leap(700_000);
  }

  return {
    barrier,
    world,
    stage,
    outcomes,
    log,
    fault,
    calls,
    start,
    begun,
    state,
    said,
    rows,
    parked,
    allTries,
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()));
      world.close();
    },
  };
}
