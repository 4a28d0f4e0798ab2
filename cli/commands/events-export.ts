import { InvalidArgumentError, type Command } from 'commander';
import { FORMATS, type ExportRequest, type Format } from '../export/state.js';
import { runExport } from '../export/run.js';
import { usage } from '../failure.js';
import { confirm, type Io } from '../io.js';
import { place } from '../position.js';
import { counted } from '../readable.js';
import { act, examples, words, type Session } from '../session.js';
import { checkRange, checkTypes } from './events-filter.js';

interface ExportOptions {
  readonly out: string;
  readonly format: Format;
  readonly from?: string;
  readonly to?: string;
  readonly types?: string;
  readonly company?: string;
  readonly includePersonal?: boolean;
  readonly exact?: boolean;
  readonly resume?: boolean;
  readonly yes?: boolean;
}

export function eventsExport(io: Io, noun: Command): void {
  examples(
    noun
      .command('export')
      .description('write the history into files: for DuckDB, pandas, spreadsheets, or another Recado')
      .requiredOption('--out <folder>', 'new or empty; its manifest.json describes the content')
      .option('--format <format>', `${FORMATS.join(', ')} (see docs/analysts.md)`, oneOfFormats, 'ndjson')
      .option(
        '--from <place>',
        'after this position, or from this time on (2026-11-20, 2026-11-20T14:00Z)',
        place,
      )
      .option(
        '--to <place>',
        'up to this position, or before this time (default: as far as it goes now)',
        place,
      )
      .option('--types <list>', 'only these event types, comma-separated')
      .option('--company <uuid>', 'only those of one company')
      .option('--include-personal', 'names, phones and texts in the clear; the server logs the request')
      .option('--exact', 'the whole history as it is stored, with the sealed keys: for "events import"')
      .option('--resume', 'resume an interrupted export')
      .option('--yes', 'do not ask before personal data is written'),
    'events export --out november --format parquet --from 2026-11-01 --to 2026-12-01',
    'events export --out november --format parquet --from 2026-11-01 --to 2026-12-01 --resume',
    'events export --out november-ndjson --from 2026-11-01 --to 2026-12-01',
    'events export --out orders --format csv --types OrderPlaced,OrderPaid',
    'events export --out whole --exact',
  ).action(act<ExportOptions>(io, exportEvents));
}

function oneOfFormats(text: string): Format {
  const found = FORMATS.find((format) => format === text);
  if (found) return found;
  throw new InvalidArgumentError(`Give one of ${FORMATS.join(', ')}.`);
}

async function exportEvents(session: Session, options: ExportOptions): Promise<void> {
  const { format, from = null, to = null, company = null } = options;
  const types = options.types === undefined ? null : words(options.types);
  checkRange(from, to, '--to');
  await checkTypes(session.client, options.types);
  if (options.exact) {
    // A partial history cannot be imported: streams would start in the middle.
    if (format !== 'ndjson' || from !== null || to !== null || types !== null || company !== null) {
      throw usage(
        '--exact takes the whole history as ndjson: no --format, --from, --to, --types or --company.',
      );
    }
    if (options.includePersonal)
      throw usage('--exact keeps personal data sealed: leave --include-personal out.');
  }
  if (options.includePersonal && !options.resume) {
    await confirm(
      session.io,
      'Personal data of customers will be written to this machine in the clear.',
      options.yes,
    );
  }
  const kind = options.exact ? 'exact' : options.includePersonal ? 'personal' : 'masked';
  const request: ExportRequest = { format, kind, from, to, types, company };
  const manifest = await runExport(session, options.out, request, options.resume ?? false);
  const { events, files, positions } = manifest;
  if (session.out.json) return session.out.one({ ...manifest });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (events === 0) return session.say('There is no event in that range: the export is empty.');
  session.say(
    `${counted(events, 'event')} in ${counted(files.length, 'file')}, ${(bytes / 1e6).toFixed(1)} MB, up to position ${positions.up_to}.`,
  );
}
