/** Makes products from the rows of a table: rows with one handle are one product, those with options its variants. */
import type { CsvRecord } from '../csv-file.js';
import { CellProblem, readAmount, readCode, readMeasure, readStock, readYesNo, unguarded } from './cells.js';
import type { Columns, Field } from './columns.js';

export interface TableProduct {
  /** Line of its first row. */
  readonly line: number;
  readonly handle: string | null;
  readonly rows: readonly CsvRecord[];
  /** The body for POST /store/products/batch; empty when `problem` is not null. */
  readonly item: Readonly<Record<string, unknown>>;
  /** `Roupas > Camisetas`; null when the table names no category. */
  readonly category: string | null;
  /** The reason why it can't be sent. */
  readonly problem: { readonly code: string; readonly message: string; readonly field: string } | null;
}

/** @param records without the header */
export async function* readProducts(
  records: AsyncIterable<CsvRecord>,
  columns: Columns,
): AsyncGenerator<TableProduct> {
  const seen = new Set<string>();
  const finish = ({ handle, rows }: Group): TableProduct => {
    const again = handle !== null && seen.has(handle);
    if (handle !== null) seen.add(handle);
    return product(rows, handle, columns, again);
  };
  let group: Group | null = null;
  for await (const record of records) {
    const handle = handleOf(record, columns);
    if (group !== null && handle !== null && handle === group.handle) {
      group.rows.push(record);
      continue;
    }
    if (group !== null) yield finish(group);
    group = { handle, rows: [record] };
  }
  if (group !== null) yield finish(group);
}

type Rows = readonly [CsvRecord, ...CsvRecord[]];

interface Group {
  readonly handle: string | null;
  readonly rows: [CsvRecord, ...CsvRecord[]];
}

function product(rows: Rows, handle: string | null, columns: Columns, again: boolean): TableProduct {
  const [first] = rows;
  const base = { line: first.line, handle, rows };
  try {
    if (handle === null) {
      throw new CellProblem('handle_missing', 'import_handle', 'The row has neither a handle nor a sku.');
    }
    if (again) {
      throw new CellProblem(
        'handle_repeated',
        'import_handle',
        `Rows of "${handle}" appear further up already. Put the rows of a product one below the other.`,
      );
    }
    const item = { import_handle: handle, ...productFields(rows, columns) };
    return { ...base, item, category: cellOf(first, columns, 'category'), problem: null };
  } catch (error) {
    if (!(error instanceof CellProblem)) throw error;
    const { code, message, field } = error;
    return { ...base, item: {}, category: null, problem: { code, message, field } };
  }
}

function productFields(rows: Rows, columns: Columns): Readonly<Record<string, unknown>> {
  const [first] = rows;
  const withOptions = rows.filter((row) => Object.keys(optionsOf(row, columns)).length > 0);
  if (withOptions.length === 0) {
    if (rows.length > 1) {
      throw new CellProblem(
        'options_missing',
        'variants',
        'Several rows share one handle, and none says by which options they differ.',
      );
    }
    return { ...details(first, columns), ...offer(first, columns) };
  }
  // A row without options among those that have some is the product itself.
  const own = rows.find((row) => !withOptions.includes(row));
  const head = own ?? first;
  const { price } = offer(head, columns);
  return {
    ...details(head, columns),
    ...(own ? offerOfProduct(own, columns) : price === undefined ? {} : { price }),
    variants: withOptions.map((row) => variant(row, columns, own === undefined ? price : undefined)),
  };
}

/** The product's own fields, with or without variants. */
function details(row: CsvRecord, columns: Columns): Readonly<Record<string, unknown>> {
  const text = (field: Field) => given(field, cellOf(row, columns, field));
  const measure = (name: string, exact: Field, rough: Field, factor: number) => {
    const small = cellOf(row, columns, exact);
    if (small !== null) return { [name]: readMeasure(small, exact, 1) };
    const large = cellOf(row, columns, rough);
    return large === null ? {} : { [name]: readMeasure(large, rough, factor) };
  };
  const active = cellOf(row, columns, 'active');
  const ncm = cellOf(row, columns, 'ncm');
  const images = columns.images
    .flatMap((at) => unguarded(row.cells[at] ?? '').split(/[|;\s]+/))
    .filter(Boolean);
  return {
    ...text('name'),
    ...text('description'),
    ...given('ncm', ncm === null ? null : readCode(ncm, 'ncm')),
    ...text('unit'),
    ...text('brand'),
    ...text('category_uuid'),
    ...text('promo_starts_at'),
    ...text('promo_ends_at'),
    ...measure('weight_grams', 'weight_grams', 'weight_kg', 1000),
    ...measure('width_mm', 'width_mm', 'width_cm', 10),
    ...measure('height_mm', 'height_mm', 'height_cm', 10),
    ...measure('length_mm', 'length_mm', 'length_cm', 10),
    ...(active === null ? {} : { active: readYesNo(active, 'active') }),
    ...(images.length === 0 ? {} : { image_urls: images }),
  };
}

interface Offer {
  readonly price?: string;
  readonly promo_price?: string;
  readonly sku?: string;
  readonly gtin?: string;
  readonly stock?: number;
}

/** The fields that a product without variants has in common with a variant. */
function offer(row: CsvRecord, columns: Columns): Offer {
  const price = cellOf(row, columns, 'price');
  const promo = cellOf(row, columns, 'promo_price');
  const sku = cellOf(row, columns, 'sku');
  const gtin = cellOf(row, columns, 'gtin');
  const stock = cellOf(row, columns, 'stock');
  return {
    ...(price === null ? {} : { price: readAmount(price, 'price') }),
    // ERPs write 0 for no promotion.
    ...(promo === null || /^[0.,\s]+$/.test(promo) ? {} : { promo_price: readAmount(promo, 'promo_price') }),
    ...(sku === null ? {} : { sku: readCode(sku, 'sku') }),
    ...(gtin === null ? {} : { gtin: readCode(gtin, 'gtin') }),
    ...(stock === null ? {} : { stock: readStock(stock, 'stock') }),
  };
}

/** A product with variants has no stock of its own: its variants have it. */
function offerOfProduct(row: CsvRecord, columns: Columns): Offer {
  const { stock: _stock, ...rest } = offer(row, columns);
  return rest;
}

/** A variant with the product's price has no price of its own. */
function variant(row: CsvRecord, columns: Columns, productPrice: string | undefined) {
  const { price, ...rest } = offer(row, columns);
  const image = cellOf(row, columns, 'variant_image');
  return {
    options: optionsOf(row, columns),
    ...rest,
    ...(price === undefined || price === productPrice ? {} : { price }),
    ...given('image_url', image),
  };
}

function optionsOf(row: CsvRecord, columns: Columns): Readonly<Record<string, string>> {
  const pairs = [
    ...columns.options.map(({ axis, at }) => [axis, unguarded(row.cells[at] ?? '')] as const),
    ...columns.named.map(
      ({ nameAt, valueAt }) => [row.cells[nameAt] ?? '', unguarded(row.cells[valueAt] ?? '')] as const,
    ),
  ];
  return Object.fromEntries(pairs.filter(([axis, value]) => axis !== '' && value !== ''));
}

const handleOf = (row: CsvRecord, columns: Columns): string | null =>
  cellOf(row, columns, 'import_handle') ?? cellOf(row, columns, 'sku');

function cellOf({ cells }: CsvRecord, { fields }: Columns, field: Field): string | null {
  const at = fields.get(field);
  const text = at === undefined ? '' : unguarded(cells[at] ?? '');
  return text === '' ? null : text;
}

const given = (name: string, value: string | null): Readonly<Record<string, unknown>> =>
  value === null ? {} : { [name]: value };
