import { resolve } from 'node:path';
import { Command } from 'commander';
import { texts } from '../answer.js';
import type { Clock } from '../../ports/clock.js';
import { pause } from '../../ports/waiting.js';
import type { Client, Resource } from '../client.js';
import { EXIT, Failure } from '../failure.js';
import { say, type Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, path, wholeNumber } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['STATUS', 'status'],
  ['COMPLETED', 'completed_at'],
  ['EVENTS', 'events'],
  ['BYTES', 'bytes'],
  ['FILE', 'file'],
];
const LOOK_EVERY_MS = 300;

export function backup(io: Io): Command {
  const command = new Command('backup')
    .description('write a verified backup of the embedded store while the server runs')
    .option(
      '--to <file>',
      "file below BACKUP_DIR (or DATA_DIR/backups) on the server's machine (default: a new one there)",
    )
    .option('--keep <n>', 'afterwards remove all but the newest n of its folder', wholeNumber(1, 10_000))
    .option('--no-wait', 'do not wait until it is written');
  examples(command, 'backup', 'backup --to /mnt/backups/recado.db', 'backup --keep 14', 'backup list').action(
    act<{ to?: string; keep?: number; wait: boolean }>(io, async ({ client, out }, { to, keep, wait }) => {
      const begun = await client.send('POST', '/backups', {
        ...(to === undefined ? {} : { file: resolve(to) }),
        ...(keep === undefined ? {} : { keep }),
      });
      const state = wait ? await ended(client, io.clock, begun) : begun;
      if (state['status'] === 'failed') throw new Failure(EXIT.failed, String(state['error']));
      if (out.json) return out.one(state);
      const { master_key: masterKey, removed, error: _none, progress: _done, uuid: _uuid, ...facts } = state;
      out.one(facts);
      for (const file of texts(removed)) say(io, `Removed ${file}.`);
      if (wait) out.done('Written and verified: read back whole, every event by its checksum.');
      out.done(String(masterKey));
    }),
  );
  examples(command.command('list').description('list backups, newest first'), 'backup list').action(
    act(io, async ({ client, out }) => out.list((await client.page('/backups', {})).data, COLUMNS)),
  );
  return command;
}

async function ended(client: Client, clock: Clock, begun: Resource): Promise<Resource> {
  let state = begun;
  while (state['status'] === 'running') {
    await pause(clock, LOOK_EVERY_MS);
    state = await client.get(`/backups/${path(String(begun['uuid']))}`);
  }
  return state;
}
