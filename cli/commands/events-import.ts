import type { Command } from 'commander';
import { importHistory } from '../export/import.js';
import { verifyFiles, readManifest } from '../export/manifest.js';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { counted } from '../readable.js';
import { act, examples, type Session } from '../session.js';

export function eventsImport(io: Io, noun: Command): void {
  examples(
    noun
      .command('import')
      .description('import the history of an exact export into a system that has none (HISTORY_IMPORT=on)')
      .argument('<folder>', 'of "events export --exact"'),
    'events import whole',
  ).action(
    act(io, async (session: Session, _options, folder: string) => {
      const manifest = readManifest(folder);
      if (manifest.request.kind !== 'exact') {
        throw usage(
          `${folder} holds a ${manifest.request.kind} export: no history can be made of it again.`,
          'Export with --exact.',
        );
      }
      session.say('Comparing the files with the manifest.');
      await verifyFiles(folder, manifest);
      await importHistory(session, folder, manifest);
      session.say(
        `Imported ${counted(manifest.events, 'event')}. Stop this server and start it without HISTORY_IMPORT.`,
      );
    }),
  );
}
