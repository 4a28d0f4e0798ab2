/**
 * A MongoDB that disappears in the middle of a write: an unacknowledged write must never be treated as stored. Needs no
 * MongoDB: a small part of its wire protocol is enough for the driver to reach the write.
 * https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/
 */
import { type Socket } from 'node:net';
import { expect } from 'chai';
import { BSON } from 'mongodb';
import { openMongo, type Mongo } from '../../../adapters/mongodb/open.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { silentLogger } from '../../../ports/logger.js';
import { testBox } from '../../conformance/embedded.js';
import { failure } from '../../conformance/support.js';
import { serveSockets } from '../../support/servers.js';

const ANSWER_MS = 2_000;
const HEADER = 16;
const OP_REPLY = 1;
const OP_QUERY = 2004;
const OP_MSG = 2013;

const HELLO = {
  ok: 1,
  helloOk: true,
  isWritablePrimary: true,
  ismaster: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 13,
};
/** Commands that the server answers before it disappears: handshakes and the creation of indexes. */
const ANSWERED = new Set(['hello', 'ismaster', 'isMaster', 'ping', 'createIndexes', 'endSessions']);

interface Cut {
  readonly port: number;
  /** Commands on which it closed the connection. */
  readonly unanswered: string[];
  close(): Promise<void>;
}

/** A server that closes the connection on every command other than a handshake or the creation of an index. */
async function startServerThatLeaves(): Promise<Cut> {
  const unanswered: string[] = [];

  function answer(socket: Socket, frame: Buffer): void {
    const legacy = frame.readInt32LE(12) === OP_QUERY;
    // OP_QUERY: flags, the collection's name and two numbers. OP_MSG: flags, then the kind of the first section.
    const at = legacy ? frame.indexOf(0, HEADER + 4) + 1 + 8 : HEADER + 4 + 1;
    const [command = ''] = Object.keys(BSON.deserialize(frame.subarray(at, at + frame.readInt32LE(at))));
    if (!ANSWERED.has(command)) {
      unanswered.push(command);
      socket.destroy();
      return;
    }
    const body = BSON.serialize(command === 'createIndexes' ? { ok: 1 } : HELLO);
    // OP_REPLY: flags, cursor (8 bytes), first document, number of documents. OP_MSG: flags, kind of the section.
    const before = Buffer.alloc(legacy ? 20 : 5);
    if (legacy) before.writeInt32LE(1, 16);
    const header = Buffer.alloc(HEADER);
    header.writeInt32LE(HEADER + before.length + body.length, 0);
    header.writeInt32LE(frame.readInt32LE(4), 8);
    header.writeInt32LE(legacy ? OP_REPLY : OP_MSG, 12);
    socket.write(Buffer.concat([header, before, body]));
  }

  const server = await serveSockets((socket) => {
    let heard = Buffer.alloc(0);
    socket.on('data', (bytes) => {
      heard = Buffer.concat([heard, bytes]);
      while (heard.length >= HEADER && heard.length >= heard.readInt32LE(0)) {
        const frame = heard.subarray(0, heard.readInt32LE(0));
        heard = heard.subarray(frame.length);
        answer(socket, frame);
      }
    });
  });
  return { ...server, unanswered };
}

const row = (id: string) => ({ queue: 'q', id, lane: 'l', dueAt: 1, payload: {} });

const writes: Readonly<Record<string, readonly [command: string, (mongo: Mongo) => Promise<unknown>]>> = {
  'one row that is to wait': ['insert', ({ dueTimes }) => dueTimes.schedule([row('1')])],
  'several rows that are to wait': ['insert', ({ dueTimes }) => dueTimes.schedule([row('1'), row('2')])],
  'a settlement': [
    'delete',
    ({ dueTimes }) => dueTimes.settle([{ queue: 'q', id: '1', fence: 1, then: 'done' }]),
  ],
  'rows that end': ['delete', ({ dueTimes }) => dueTimes.cancel('q', ['1'])],
};

describe('a MongoDB that goes away in the middle of a write', () => {
  for (const [what, [command, write]] of Object.entries(writes)) {
    it(`has not kept ${what}`, async () => {
      const server = await startServerThatLeaves();
      const mongo = await openMongo({
        url: `mongodb://127.0.0.1:${server.port}/recado`,
        secretBox: testBox,
        logger: silentLogger,
        holder: 'test',
        limits: { answerMs: ANSWER_MS },
      });
      try {
        expect(await failure(write(mongo))).to.be.instanceOf(StoreUnavailable);
        expect(server.unanswered).to.include(command);
      } finally {
        await mongo.close();
        await server.close();
      }
    });
  }
});
