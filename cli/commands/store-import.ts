import type { Command } from 'commander';
import { maybe, number, part, parts, text, type Resource } from '../answer.js';
import { csvFormat, csvRecords, type CsvFormat, type CsvRecord } from '../csv-file.js';
import { EXIT, Failure, usage } from '../failure.js';
import type { Io } from '../io.js';
import { retryUnreachable } from '../retry-unreachable.js';
import { categoryFinder, type CategoryFinder } from '../product-table/categories.js';
import { readColumns, type Columns } from '../product-table/columns.js';
import { errorsFile, type ErrorsFile } from '../product-table/errors-file.js';
import { readProducts, type TableProduct } from '../product-table/products.js';
import { forgetState, readState, writeState } from '../product-table/progress-file.js';
import { progressBar } from '../progress-bar.js';
import { counted } from '../readable.js';
import { act, examples, wholeNumber, type Session } from '../session.js';

interface ImportOptions {
  readonly company?: string;
  readonly dryRun?: boolean;
  readonly resume?: boolean;
  readonly fromRow?: number;
  readonly createCategories?: boolean;
  readonly batch: number;
}

interface Result {
  readonly status: string;
  readonly product_uuid: string | null;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly warnings?: readonly Resource[];
}

type Counts = Record<string, number>;

const NOTHING: Readonly<Counts> = { created: 0, updated: 0, unchanged: 0, failed: 0 };
/** The server may have done the request already; repeating it does no harm, so it is retried automatically. */
const PATIENCE = { attempts: 4, firstPauseMs: 1_000 };

export function storeImport(io: Io, noun: Command): void {
  examples(
    noun
      .command('import')
      .description('make and change products from a CSV file; repeating it changes nothing')
      .argument('<file>', 'first line: column names in Portuguese or English (see docs/cli.md)')
      .option('--company <uuid>', 'company of the store (default: the demo company, or the only one)')
      .option('--dry-run', 'show what would happen to each product, and change nothing')
      .option('--create-categories', 'make categories that the store does not have')
      .option('--resume', 'resume the interrupted import of this file')
      .option('--from-row <line>', 'skip the rows before this line', wholeNumber(1, 2_147_483_647))
      .option('--batch <n>', 'products in each request', wholeNumber(1, 100), 100),
    'store import produtos.csv --dry-run',
    'store import produtos.csv --create-categories',
    'store import produtos.csv --resume --timeout 300',
  ).action(act<ImportOptions>(io, importFile));
}

async function importFile(session: Session, options: ImportOptions, file: string): Promise<void> {
  const { client } = session;
  const target = `/companies/${await session.company(options.company)}/store`;
  const format = await csvFormat(file);
  const { header, columns, products: expected } = await lookThrough(file, format);
  if (columns.unknown.length > 0) {
    session.say(`Ignored unknown columns: ${columns.unknown.map((title) => `"${title}"`).join(', ')}.`);
  }
  const before = options.resume ? readState(file, format.hash, target) : null;
  if (options.resume && before === null) {
    throw usage('There is nothing to resume: no import of this very file into this store was interrupted.');
  }
  const preview = options.dryRun ?? false;
  const finder = columns.fields.has('category')
    ? await categoryFinder(client, `${target}/categories`, !preview && (options.createCategories ?? false))
    : null;
  const run: Run = {
    session,
    target: `${target}/products/import`,
    preview,
    newCategories: options.createCategories ?? false,
    finder,
    errors: errorsFile(file, header, format.delimiter, before !== null),
    counts: { ...NOTHING, ...before?.counts },
    bar: progressBar(session.io),
    expected,
  };
  let done = 0;
  let batch: TableProduct[] = [];
  const send = async (): Promise<void> => {
    if (batch.length === 0) return;
    await sendBatch(run, batch, done);
    done += batch.length;
    if (!preview) writeState(file, { hash: format.hash, target, done, counts: run.counts });
    batch = [];
  };
  try {
    for await (const product of readProducts(rowsOf(file, format), columns)) {
      if (done < (before?.done ?? 0) || product.line < (options.fromRow ?? 1)) {
        done += 1;
        continue;
      }
      batch.push(product);
      if (batch.length >= options.batch) await send();
    }
    await send();
  } catch (error) {
    run.bar.clear();
    if (!preview)
      session.say(`Stopped after ${done} of ${counted(expected, 'product')}. Resume with --resume.`);
    throw error;
  }
  run.bar.clear();
  if (!preview) forgetState(file);
  finish(run);
}

interface Run {
  readonly session: Session;
  readonly target: string;
  readonly preview: boolean;
  readonly newCategories: boolean;
  readonly finder: CategoryFinder | null;
  readonly errors: ErrorsFile;
  readonly counts: Counts;
  readonly bar: ReturnType<typeof progressBar>;
  readonly expected: number;
}

async function* rowsOf(file: string, format: CsvFormat): AsyncGenerator<CsvRecord> {
  let header = true;
  for await (const record of csvRecords(file, format)) {
    if (!header) yield record;
    header = false;
  }
}

/** Reads the file once before sending anything: checks that it is a table of products, and counts them. */
async function lookThrough(
  file: string,
  format: CsvFormat,
): Promise<{ readonly header: readonly string[]; readonly columns: Columns; readonly products: number }> {
  const first = await csvRecords(file, format).next();
  if (first.done === true) throw usage(`${file} is empty.`);
  const header = first.value.cells;
  const columns = readColumns(file, header);
  let products = 0;
  for await (const _product of readProducts(rowsOf(file, format), columns)) products += 1;
  return { header, columns, products };
}

async function sendBatch(run: Run, batch: readonly TableProduct[], before: number): Promise<void> {
  const ready: { readonly product: TableProduct; readonly item: Readonly<Record<string, unknown>> }[] = [];
  for (const product of batch) {
    const problem = product.problem ?? (await categoryProblem(run, product));
    if (problem !== null) tell(run, product, { status: 'failed', product_uuid: null, error: problem });
    else {
      const category = product.category === null ? undefined : await run.finder?.find(product.category);
      const item = { ...product.item, ...(category === undefined ? {} : { category_uuid: category }) };
      ready.push({ product, item });
    }
  }
  if (ready.length > 0) {
    const body = { preview: run.preview, products: ready.map(({ item }) => item) };
    const results = await retryUnreachable(run.session, PATIENCE, () =>
      run.session.client.sendAll(run.target, body),
    );
    for (const result of results) {
      const sent = ready[number(result['index'])];
      if (sent) tell(run, sent.product, resultOf(result));
    }
  }
  run.bar.show(before + batch.length, run.expected);
}

async function categoryProblem(run: Run, { category }: TableProduct): Promise<TableProduct['problem']> {
  if (category === null || (run.preview && run.newCategories)) return null;
  if ((await run.finder?.find(category)) !== undefined) return null;
  return {
    code: 'category_unknown',
    field: 'category',
    message: `The store has no category "${category}". Add --create-categories, or make it first.`,
  };
}

const resultOf = (result: Resource): Result => ({
  status: text(result['status']),
  product_uuid: maybe(result['product_uuid'], text),
  error: maybe(result['error'], (error) => {
    const { code, message, ...rest } = part(error);
    return { code: text(code), message: text(message), ...rest };
  }),
  warnings: parts(result['warnings']),
});

function tell(
  { session: { out }, counts, errors, bar, preview }: Run,
  product: TableProduct,
  { status, product_uuid, error, warnings = [] }: Result,
): void {
  counts[status] = (counts[status] ?? 0) + 1;
  const { line, handle } = product;
  if (error !== null && !preview) errors.add(product.rows, error);
  const told = { line, import_handle: handle, status, product_uuid, error, warnings };
  if (out.json) out.line(told, '');
  else if (error !== null) {
    bar.clear();
    out.line(told, `line ${line}: ${error.code}: ${error.message}`);
  }
}

function finish({ session, counts, errors, preview }: Run): void {
  const summary = Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
  session.say(`${preview ? 'Dry run: ' : ''}${summary}.`);
  if (counts['failed'] === 0) return;
  throw new Failure(
    EXIT.refused,
    `${counted(counts['failed'] ?? 0, 'product')} failed.`,
    preview
      ? 'Correct them before you import the file.'
      : `Their rows are in ${errors.name}, each with its error. Correct them there and import that file.`,
  );
}
