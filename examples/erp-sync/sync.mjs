/**
 * Keeps an ERP and the store in step: orders out, then products and stock in. Run it again and again, from cron:
 *   node sync.mjs products.csv orders/
 * It may end at any place: the next run goes on from what `sync-state.json` says. Needs @recado/client, RECADO_URL and
 * RECADO_API_KEY, with the scopes events:read, store:read and store:write.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GoneError, Recado } from '@recado/client';

const { RECADO_URL: baseUrl = '', RECADO_API_KEY: apiKey = '' } = process.env;
const [products, orders] = process.argv.slice(2);
if (!orders) throw new Error('usage: node sync.mjs PRODUCTS.csv ORDERS_FOLDER');
const recado = new Recado({ baseUrl, apiKey });

/** Whole or not at all, whenever this process ends. */
function write(path, value) {
  writeFileSync(`${path}.new`, JSON.stringify(value, null, 2));
  renameSync(`${path}.new`, path);
}

const STATE = 'sync-state.json';
/** `after`: the last event that was taken; `sent`: the row of each product as it was sent. */
const state = existsSync(STATE) ? JSON.parse(readFileSync(STATE, 'utf8')) : { after: null, sent: {} };
mkdirSync(orders, { recursive: true });

let taken = 0;
/** The same order twice is the same file: nothing is booked twice. */
function take(order) {
  const path = join(orders, `${order.uuid}.json`);
  if (existsSync(path)) return;
  write(path, order);
  taken += 1;
}

// Orders first, so that the ERP has booked what the store sold before it says how much is left.
for (let more = true; more;) {
  try {
    const query = { types: 'order.created', limit: 100, ...(state.after !== null && { after: state.after }) };
    const { data, meta } = await recado.events.page(query);
    // An event without data was about a person who has been erased since.
    for (const event of data) if (event.data.order) take(event.data.order);
    state.after = meta.next_after; // kept only after its orders are
    more = meta.more;
  } catch (error) {
    if (!(error instanceof GoneError)) throw error;
    // Away for longer than events are kept: read all orders once, then go on with the events.
    for await (const order of recado.store.orders.list()) take(order);
    state.after = error.details.continue_after;
  }
  write(STATE, state);
}
console.log(`orders: ${taken} new`);

// A real file may have quoted cells: use a CSV library then.
const [head, ...lines] = readFileSync(products, 'utf8').trim().split(/\r?\n/);
const columns = head.split(';');
const rows = lines.map((line) => {
  const cells = line.split(';');
  return Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? '']));
});
// Only what the ERP changed: a row that stays as it was does not overwrite stock that the store has sold since.
const changed = rows.filter((row) => JSON.stringify(row) !== JSON.stringify(state.sent[row.import_handle]));
let seen = 0;
const { created, updated, unchanged, failed } = await recado.store.products.import(
  changed.map(({ stock, ...row }) => ({ ...row, stock: Number(stock) })),
  {
    onBatch({ done, items }) {
      // A refused row is sent again by the next run, after somebody has corrected it.
      changed.slice(seen, done).forEach((row, at) => {
        if (items[at].status !== 'failed') state.sent[row.import_handle] = row;
      });
      seen = done;
      write(STATE, state);
    },
  },
);
console.log(`products: ${created} created, ${updated} updated, ${unchanged} unchanged`);
for (const { position, item } of failed)
  console.log(`  refused: ${changed[position].import_handle}: ${item.error.code}`);
process.exitCode = failed.length > 0 ? 1 : 0;
