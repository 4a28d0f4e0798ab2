import { resolve } from 'node:path';
import { Command } from 'commander';
import { texts } from '../answer.js';
import { usage } from '../failure.js';
import { say, type Io } from '../io.js';
import { runLocal } from '../local.js';
import { createOutput } from '../output.js';
import { examples, type GlobalOptions } from '../session.js';

interface Options extends GlobalOptions {
  readonly masterKeyFile?: string;
  readonly check?: boolean;
  readonly mark?: boolean;
  readonly nothingRanSince?: boolean;
}

export function restore(io: Io): Command {
  const command = new Command('restore')
    .description('make a data folder from a backup; needs no server, and overwrites nothing')
    .argument('[file]', 'the backup, with its .json and .blobs beside it')
    .option('--master-key-file <file>', 'the key of that deployment: checked, and put into the folder')
    .option('--check', 'only check the backup')
    .option('--mark', 'record in the history that servers were restored with their own tools')
    .option('--nothing-ran-since', 'nothing ran after the backup was made: hold nothing');
  return examples(
    command,
    'restore backups/recado-20261121T030000Z.db --data-dir ./restored --master-key-file ~/keys/recado.key',
    'restore backups/recado-20261121T030000Z.db --check',
    'restore --mark',
  ).action(async (file: string | undefined, _options: unknown, self: Command) => {
    const options = self.optsWithGlobals<Options>();
    const out = createOutput(io, options);
    const ran = options.nothingRanSince === true ? ['--nothing-ran-since'] : [];
    if (options.mark === true) {
      if (file !== undefined) throw usage('--mark takes no file: the servers have been restored already.');
      out.one(await runLocal(io, 'restore', ['--mark', ...ran]));
      return out.done(`The restore is on record. ${whatNow(ran.length > 0)}`);
    }
    if (file === undefined) throw usage('Which backup? Name its file.');
    const target = options.check === true ? '--check' : options.dataDir;
    if (target === undefined) {
      throw usage(
        'Where to? Name a new or empty folder with --data-dir.',
        'To only check the backup, give --check.',
      );
    }
    const key = options.masterKeyFile === undefined ? [] : [resolve(options.masterKeyFile)];
    const { warnings, counts, ...facts } = await runLocal(io, 'restore', [file, target, ...key, ...ran]);
    if (out.json) return out.one({ ...facts, counts, warnings });
    out.one(facts);
    for (const warning of texts(warnings)) say(io, warning);
    out.done(
      options.check === true
        ? 'The backup is whole. Nothing was written.'
        : `Restored and verified. Start the server with DATA_DIR=${target}. ${whatNow(ran.length > 0)}`,
    );
  });
}

const whatNow = (nothingRan: boolean): string =>
  nothingRan
    ? 'Nothing is held.'
    : 'What may have happened after the backup is held: after the start see recado operations list --held.';
