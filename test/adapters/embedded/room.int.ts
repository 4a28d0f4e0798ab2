/** The embedded store on a disk that fills up. */
import { join } from 'node:path';
import { expect } from 'chai';
import { openDatabase } from '../../../adapters/embedded/database.js';
import { createRoom } from '../../../adapters/embedded/room.js';
import { createPlainTransactions } from '../../../adapters/embedded/transactions.js';
import { createWriter } from '../../../adapters/embedded/writer.js';
import { StoreUnavailable } from '../../../ports/event-store.js';
import { temporaryStore } from '../../conformance/embedded.js';
import { failure, record, streamName } from '../../conformance/support.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

const MIB = 1024 ** 2;

describe('embedded store: a disk that fills up', () => {
  describe('nearly', () => {
    const world = openedForEach(async () => {
      const disk = { free: 1_000 * MIB };
      const clock = manualClock();
      const temporary = await temporaryStore({ clock, freeBytes: () => disk.free });
      const changed = async (free: number): Promise<string | null> => {
        disk.free = free;
        await clock.advance(500);
        return temporary.store.stats().refusing;
      };
      return { temporary, changed, close: () => temporary.close() };
    });
    const append = () => world.temporary.store.eventStore.append(streamName(), 'no_stream', [record()]);

    it('refuses new events while what is left can hold the log, and takes them again when there is more', async () => {
      await append();
      expect(await world.changed(200 * MIB)).to.equal(null);
      expect(await world.changed(32 * MIB)).to.match(/^the disk of the data folder is nearly full/);
      const refused = await failure(append());
      expect(refused).to.be.instanceOf(StoreUnavailable);
      expect(refused.message).to.include('nearly full');
      expect(await world.changed(34 * MIB), 'a little more').to.not.equal(null);
      expect(await world.changed(200 * MIB)).to.equal(null);
      await append();
    });

    it('goes on writing down what is under way', async () => {
      const { background, dueTimes, readModels } = world.temporary.store;
      await readModels.define({ name: 'things', version: 1, indexes: {} });
      await world.changed(1 * MIB);
      await background.eventStore.append(streamName(), 'no_stream', [record()]);
      await background.readModels.write('things', [{ id: '1', doc: {}, version: '1' }]);
      await dueTimes.schedule([{ queue: 'q', id: '1', lane: 'l', dueAt: 1, payload: {} }]);
      expect(await dueTimes.count('q')).to.equal(1);
    });

    it('knows it from the start on', async () => {
      const { refusing } = (await world.temporary.restart({ freeBytes: () => MIB })).stats();
      expect(refusing).to.include('nearly full');
    });
  });

  describe('to its end', () => {
    const world = openedForEach(async () => {
      const folder = await tempFolder();
      const db = openDatabase(join(folder.path, 'recado.db'));
      const room = createRoom({
        db,
        writer: () => writer,
        walBytes: () => 0,
        freeBytes: () => 1_000 * MIB,
      });
      const writer = createWriter(createPlainTransactions(db), [room]);
      const insert = db.prepare('INSERT INTO topic_messages VALUES (?, ?, ?, ?)');
      let offset = 0;
      const write = () => writer.submit(() => insert.run('t', (offset += 1), 'k', 'x'.repeat(100_000)));
      return {
        db,
        room,
        write,
        flush: () => writer.flush(),
        async close() {
          db.close();
          await folder.close();
        },
      };
    });

    it('says that writes fail, finds by itself when they no longer do, and leaves nothing of its tries', async () => {
      const { db, room, write, flush } = world;
      await write();
      expect(room.refusing()).to.equal(null);
      const pages = db.pragma('page_count', { simple: true }) as number;
      db.pragma(`max_page_count = ${pages}`);
      expect(await failure(write())).to.be.instanceOf(StoreUnavailable);
      expect(room.refusing()).to.include('full');
      await room.look();
      await flush();
      expect(room.refusing(), 'it still is').to.include('full');
      db.pragma('max_page_count = 1000000');
      await room.look();
      expect(room.refusing()).to.equal(null);
      await write();
      expect(db.prepare('SELECT count(*) FROM due_entries').pluck().get()).to.equal(0);
    });

    it('takes no fault of a caller for a full disk', async () => {
      const { room, db } = world;
      const writer = createWriter(createPlainTransactions(db), [room]);
      const broken = writer.submit(() => {
        throw new TypeError('broken');
      });
      expect(await failure(broken)).to.be.instanceOf(TypeError);
      expect(room.refusing()).to.equal(null);
    });
  });
});
