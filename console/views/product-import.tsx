import { useState } from 'preact/hooks';
import { CellProblem } from '../../cli/product-table/cells.js';
import { readColumns } from '../../cli/product-table/columns.js';
import { readProducts, type TableProduct } from '../../cli/product-table/products.js';
import { send, type Schemas } from '../api.js';
import { readCsv, readText, type CsvRow } from '../csv.js';
import { useWork } from '../load.js';
import { Badge, ErrorBox, messageOf } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Category } from '../shapes.js';
import { Table } from '../table.js';
import { said, t } from '../words.js';
import { useCategories } from './category-options.js';

/** As many as one call takes. */
const BATCH = 100;
type Result = Schemas['StoreProductImportResult'];

interface Outcome {
  readonly line: number;
  readonly handle: string | null;
  readonly name: string;
  readonly status: Result['status'];
  readonly problem: string | null;
}

interface Table {
  readonly products: readonly TableProduct[];
  readonly ignored: readonly string[];
}

async function readTable(file: File): Promise<Table> {
  const [header, ...rows] = readCsv(await readText(file));
  const columns = readColumns(file.name, header?.cells ?? []);
  const products: TableProduct[] = [];
  for await (const product of readProducts(oneByOne(rows), columns)) products.push(product);
  return { products, ignored: columns.unknown };
}

/** The reader takes what comes bit by bit. */
async function* oneByOne(rows: readonly CsvRow[]): AsyncGenerator<CsvRow> {
  yield* rows;
}

/** `Roupas > Camisetas`, or a name alone; undefined where there is none of this name. */
function categoryOf(path: string, categories: readonly Category[]): string | undefined {
  const last = path.split('>').at(-1)?.trim().toLowerCase();
  return categories.find(({ name, slug }) => name.toLowerCase() === last || slug === last)?.uuid;
}

export function ImportProducts({ company }: { readonly company: string }) {
  const [table, setTable] = useState<Table | null>(null);
  const [outcomes, setOutcomes] = useState<readonly Outcome[]>([]);
  const [phase, setPhase] = useState<'pick' | 'previewing' | 'preview' | 'importing' | 'done'>('pick');
  const [unreadable, setUnreadable] = useState<string | null>(null);
  const work = useWork();
  const categories = useCategories(company);

  const apply = async (products: readonly TableProduct[], preview: boolean): Promise<void> => {
    setOutcomes([]);
    setPhase(preview ? 'previewing' : 'importing');
    const made: Outcome[] = [];
    const done = await work.run(async () => {
      for (let at = 0; at < products.length; at += BATCH) {
        made.push(...(await sendBatch(company, products.slice(at, at + BATCH), categories, preview)));
        setOutcomes([...made]);
      }
    });
    setPhase(preview && done ? 'preview' : 'done');
  };
  const pick = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setUnreadable(null);
    setTable(null);
    setPhase('pick');
    try {
      const read = await readTable(file);
      if (read.products.length === 0) return setUnreadable(t('import.empty'));
      setTable(read);
      await apply(read.products, true);
    } catch (error) {
      const detail = error instanceof CellProblem || error instanceof Error ? error.message : String(error);
      setUnreadable(`${t('import.columns')}. ${t('import.needs')} (${detail})`);
    }
  };
  const wanted = outcomes.filter(({ status }) => status === 'created' || status === 'updated').length;
  return (
    <>
      <a class="back-link" href={addressOf(company, 'products')} onClick={follow}>
        ‹ {t('products.back')}
      </a>
      <section aria-labelledby="import">
        <h1 id="import">{t('products.import')}</h1>
        <p class="quiet">{t('import.how')}</p>
        <label class="field">
          {t('import.file')}
          <input
            data-op="importStoreProducts"
            type="file"
            accept=".csv,text/csv,text/plain"
            disabled={work.busy}
            onChange={({ currentTarget }) => void pick(currentTarget.files?.[0])}
          />
        </label>
        {unreadable !== null && (
          <p role="alert" class="bad">
            {unreadable}
          </p>
        )}
        {work.error !== null && <ErrorBox error={work.error} />}
        {table !== null && (
          <>
            {table.ignored.length > 0 && (
              <p class="quiet">{t('import.ignored', { names: table.ignored.join(', ') })}</p>
            )}
            <h2>{t(phase === 'importing' || phase === 'done' ? 'import.result' : 'import.preview')}</h2>
            <p role="status">
              {work.busy
                ? t('import.working', { done: outcomes.length, all: table.products.length })
                : summary(outcomes)}
            </p>
            {phase === 'preview' && (
              <button
                type="button"
                class="main"
                disabled={wanted === 0}
                onClick={() => void apply(table.products, false)}
              >
                {t('import.run', { count: wanted })}
              </button>
            )}
            <Outcomes outcomes={outcomes} />
          </>
        )}
      </section>
    </>
  );
}

async function sendBatch(
  company: string,
  products: readonly TableProduct[],
  categories: readonly Category[],
  preview: boolean,
): Promise<readonly Outcome[]> {
  const sound = products.filter(({ problem }) => problem === null);
  const items = sound.map(({ item, category }) => {
    const found = category === null ? undefined : categoryOf(category, categories);
    return found === undefined ? item : { ...item, category_uuid: found };
  });
  const results =
    items.length === 0
      ? []
      : await send<readonly Result[]>('POST', `/companies/${company}/store/products/import`, {
          products: items,
          preview,
        });
  return products.map((product) => {
    const { line, handle, item, problem } = product;
    const result = results[sound.indexOf(product)];
    return {
      line,
      handle,
      name: typeof item['name'] === 'string' ? item['name'] : '',
      status: result?.status ?? 'failed',
      problem: problem !== null ? cellText(problem) : result?.error ? messageOf(result.error) : null,
    };
  });
}

/** The sentence of the reader begins with, or has, the cell in quotes. */
const cellText = ({ code, message }: NonNullable<TableProduct['problem']>): string =>
  said(`cell.${code}`, { said: /"([\s\S]*)"/.exec(message)?.[1] ?? '' }, message);

const STATUSES = ['created', 'updated', 'unchanged', 'failed'] as const;
const KINDS = { created: 'good', updated: 'good', unchanged: 'plain', failed: 'bad' } as const;

const summary = (outcomes: readonly Outcome[]): string =>
  t(
    'import.sum',
    Object.fromEntries(
      STATUSES.map((each) => [each, outcomes.filter(({ status }) => status === each).length]),
    ),
  );

/** The refused ones first: they are what somebody has to look at. */
function Outcomes({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const sorted = [...outcomes].sort((a, b) => Number(b.status === 'failed') - Number(a.status === 'failed'));
  return (
    <Table
      tall
      label={t('import.preview')}
      heads={[{ number: t('import.line') }, t('import.code'), t('products.product'), t('products.state')]}
    >
      {sorted.map(({ line, handle, name, status, problem }) => (
        <tr key={line}>
          <td class="number">{line}</td>
          <td>{handle ?? '–'}</td>
          <th scope="row">{name === '' ? '–' : name}</th>
          <td>
            <Badge kind={KINDS[status]}>{t(`import.${status}`)}</Badge>
            {problem !== null && <div class="quiet">{problem}</div>}
          </td>
        </tr>
      ))}
    </Table>
  );
}
