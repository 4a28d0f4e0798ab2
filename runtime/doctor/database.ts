/** Findings about the database file, also while a server has it open. */
import { join } from 'node:path';
import { checkFile, type CheckedFile } from '../../adapters/embedded/peek.js';
import { fail, ok, warn, type Finding } from '../../api/admin/doctor.js';
import { NOT_VACUUMED } from './limits.js';

/** Damage that SQLite can't detect: the bytes of events and documents. */
function contents({ historyProblem, damagedModels }: CheckedFile): readonly Finding[] {
  return [
    historyProblem === null
      ? ok('history', 'Every event is there and matches its checksum.')
      : fail(
          'history',
          historyProblem,
          'Stop the server, keep the folder as it is, and restore the last backup into a new one (recado restore).',
        ),
    ...damagedModels.map((name) =>
      fail(
        'documents',
        `The read model ${name} holds documents that can not be read.`,
        `Make it again: recado projections rebuild ${name}`,
      ),
    ),
  ];
}

/** @param deep also reads the whole file */
export function databaseFindings(dataDir: string, deep: boolean): readonly Finding[] {
  const checked = checkFile(join(dataDir, 'recado.db'), deep);
  const { journalMode, schema, supportedSchema, problem, missingIndexes, unusedShare, vacuumed } = checked;
  const found: Finding[] = [];
  if (problem !== null) {
    return [
      fail(
        'database',
        `recado.db is damaged: ${problem}.`,
        'Stop the server, keep the folder as it is, and restore the last backup into a new one (recado restore).',
      ),
    ];
  }
  if (deep) found.push(...contents(checked));
  found.push(
    ok(
      'database',
      deep
        ? 'SQLite finds nothing wrong with recado.db.'
        : 'recado.db can be read. With --deep all of it is checked.',
    ),
  );
  if (schema > supportedSchema) {
    found.push(
      fail(
        'schema',
        `recado.db was written by a newer release (schema ${schema}, this one knows ${supportedSchema}).`,
        'Start the newer release, or restore a backup made by this one.',
      ),
    );
  } else if (schema < supportedSchema) {
    found.push(ok('schema', `The next start brings the tables from schema ${schema} to ${supportedSchema}.`));
  } else found.push(ok('schema', `Schema ${schema}.`));
  found.push(
    journalMode === 'wal'
      ? ok('pragmas', 'The journal is a write-ahead log; the server syncs it at every commit.')
      : warn(
          'pragmas',
          `The journal mode is "${journalMode}".`,
          'The next start sets it to a write-ahead log; it needs a local disk.',
        ),
  );
  if (missingIndexes.length > 0) {
    found.push(
      warn(
        'indexes',
        `Indexes are missing: ${missingIndexes.slice(0, 5).join(', ')}.`,
        'Rebuild the read models: recado projections rebuild.',
      ),
    );
  } else found.push(ok('indexes', 'Every index that the read models declare is there.'));
  if (!vacuumed) {
    found.push(
      warn(
        'erased',
        NOT_VACUUMED,
        'The next start writes the file anew. That needs twice its size on the disk, and UPGRADE_VACUUM left on.',
      ),
    );
  }
  if (unusedShare > 0.5) {
    found.push(
      warn(
        'file_size',
        `${Math.round(unusedShare * 100)} % of recado.db is empty: room for new data.`,
        'Nothing has to be done. To give it back to the disk: stop the server and run sqlite3 recado.db VACUUM.',
      ),
    );
  }
  return found;
}
