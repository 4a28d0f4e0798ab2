import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { BUSY_TIMEOUT_MS, openDatabase, type Db } from '../../../adapters/embedded/database.js';
import { Database } from '../../../adapters/embedded/driver.js';
import { startMaintenance } from '../../../adapters/embedded/maintenance.js';
import type { TopicLog } from '../../../adapters/embedded/topics.js';
import type { GroupWriter } from '../../../adapters/embedded/writer.js';
import { silentLogger } from '../../../ports/logger.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { tempFolder } from '../../support/temp-folder.js';

const MEBIBYTE = 1024 * 1024;

describe('housekeeping of the embedded store', () => {
  const folder = openedForEach(tempFolder);

  /** Returns the checkpoints that truncate a log of this size while another process's reader holds it open. */
  async function cutting(mebibytes: number) {
    const path = join(folder.path, 'recado.db');
    const db = openDatabase(path);
    const reader = new Database(path, { readonly: true });
    const timeout = (): unknown => db.pragma('busy_timeout', { simple: true });
    const cuts: { readonly how: string; readonly busy: number; readonly waitsMs: unknown }[] = [];
    const watched = {
      pragma(text: string) {
        const result = db.pragma(text) as readonly { readonly busy: number }[];
        if (/RESTART|TRUNCATE/.test(text)) {
          cuts.push({ how: text, busy: result[0]!.busy, waitsMs: timeout() });
        }
        return result;
      },
    } as unknown as Db;
    let commits = 0;
    const clock = manualClock();
    const maintenance = startMaintenance({
      db: watched,
      walBytes: () => statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
      room: { look: () => Promise.resolve() },
      topics: { prunable: () => false } as unknown as TopicLog,
      writer: { commits: () => commits } as unknown as GroupWriter,
      clock,
      logger: silentLogger,
    });
    try {
      reader.prepare('BEGIN').run();
      reader.prepare('SELECT count(*) FROM events').get();
      db.exec('CREATE TABLE filler (bytes)');
      const fill = db.prepare('INSERT INTO filler VALUES (zeroblob(?))');
      db.transaction(() => {
        for (let n = 0; n < mebibytes; n += 1) fill.run(MEBIBYTE);
      })();
      commits += 1;
      await clock.advance(500);
      return { cuts, after: timeout() };
    } finally {
      await maintenance.stop();
      reader.close();
      db.close();
    }
  }

  it('does not wait for a reader of another process when the log is started over', async () => {
    const { cuts, after } = await cutting(17);
    expect(cuts).to.deep.equal([{ how: 'wal_checkpoint(RESTART)', busy: 1, waitsMs: 0 }]);
    expect(after, 'everybody else waits as before').to.equal(BUSY_TIMEOUT_MS);
  });

  it('does not wait for it when the file of the log is cut', async () => {
    const { cuts, after } = await cutting(66);
    expect(cuts).to.deep.equal([{ how: 'wal_checkpoint(TRUNCATE)', busy: 1, waitsMs: 0 }]);
    expect(after).to.equal(BUSY_TIMEOUT_MS);
  });

  it('leaves a shorter log alone', async () => {
    expect((await cutting(8)).cuts).to.deep.equal([]);
  });
});
