/** Errors of due times, leases and keys while MongoDB is unavailable or does not answer. Needs no MongoDB. */
import { expect } from 'chai';
import { openMongo, type Mongo } from '../../../adapters/mongodb/open.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { testBox } from '../../conformance/embedded.js';
import { COMPANY, failure } from '../../conformance/support.js';
import { opened } from '../../support/opened.js';
import { serveSockets } from '../../support/servers.js';

const ANSWER_MS = 400;

const questions: Readonly<Record<string, (mongo: Mongo) => Promise<unknown>>> = {
  schedule: ({ dueTimes }) => dueTimes.schedule([{ queue: 'q', id: '1', lane: 'l', dueAt: 1, payload: {} }]),
  claim: ({ dueTimes }) => dueTimes.claim({ queue: 'q', lane: 'l', now: 1, limit: 1, leaseMs: 1 }),
  settle: ({ dueTimes }) => dueTimes.settle([{ queue: 'q', id: '1', fence: 1, then: 'done' }]),
  lanes: ({ dueTimes }) => dueTimes.lanes('q', 1),
  acquire: ({ leases }) => leases.acquire('relay'),
  keyFor: ({ personalKeys }) => personalKeys.keyFor('s', COMPANY),
  open: ({ personalKeys }) => personalKeys.open(['s.1']),
  destroy: ({ personalKeys }) => personalKeys.destroy('s'),
};

describe('due times, leases and personal keys without their MongoDB', () => {
  const silent = opened(() => serveSockets((socket) => socket.resume()));

  const ports = {
    'refuses connections': () => 1,
    'takes connections and says nothing': () => silent.port,
  };
  for (const [what, port] of Object.entries(ports)) {
    it(`are unavailable in bounded time when it ${what}`, async () => {
      const mongo = await openMongo({
        url: `mongodb://127.0.0.1:${port()}/recado`,
        secretBox: testBox,
        logger: silentLogger,
        holder: 'test',
        limits: { answerMs: ANSWER_MS },
      });
      try {
        await Promise.all(
          Object.entries(questions).map(async ([name, ask]) => {
            expect(await failure(ask(mongo)), name).to.be.instanceOf(StoreUnavailable);
          }),
        );
        expect(mongo.personalKeys.keyAtHand('s')).to.equal(undefined);
      } finally {
        await mongo.close();
      }
    });
  }
});
