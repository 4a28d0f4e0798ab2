/**
 * Pages of a search. Unsealed blocks, at most a few thousand documents per scope, are read directly.
 *
 * The signatures of a sealed block give the candidates: documents that may match. This costs the same for rare and
 * common words, and it is little. The candidates are then read in order until the page is full.
 *
 * A search starts with the block that has the best sort value. It ends when no remaining block can hold a better value
 * than the last one of the page.
 */
import type { Search } from '../../ports/read-models.js';
import { toColumn } from './collection-table.js';
import type { Db, Statement } from './database.js';
import { LIMIT } from './limit.js';
import type { Block, Blocks } from './search-blocks.js';
import { createCandidateFilter, type CandidateFilter } from './search-candidates.js';
import { compareOrder, inOrder, type Hit, type Order } from './search-order.js';
import { firstPlace } from './search-places.js';
import { tellingFirst } from './search-words.js';

/** Ids of one page in order, and whether more follow. */
export interface SearchPage {
  readonly ids: readonly string[];
  readonly more: boolean;
}

interface Asked {
  /** Encoded as in `words`, the longest first. */
  readonly beginnings: readonly string[];
  readonly telling: CandidateFilter;
  readonly descending: boolean;
  readonly after: Hit | undefined;
  readonly wanted: number;
}

/** @param rows table with the words and places of the documents */
export function createSearchPages(
  db: Db,
  rows: string,
  blocks: Pick<Blocks, 'of' | 'slice' | 'order'>,
): (query: Search) => SearchPage {
  const at = db
    .prepare<unknown[], readonly [...Hit, string]>(`SELECT ord, id, words FROM ${rows} WHERE place = ?`)
    .raw(true);
  const statements = new Map<string, Statement<Hit>>();

  function prepared(sql: string): Statement<Hit> {
    let statement = statements.get(sql);
    if (!statement) statements.set(sql, (statement = db.prepare<unknown[], Hit>(sql).raw(true)));
    return statement;
  }

  /** The page of a block that is not sealed. */
  function readAll({ block, used }: Block, { beginnings, descending, after, wanted }: Asked): readonly Hit[] {
    const direction = descending ? 'DESC' : 'ASC';
    const sql =
      `SELECT ord, id FROM ${rows} WHERE place >= ? AND place < ? ` +
      'AND instr(words, ?) > 0 '.repeat(beginnings.length) +
      (after ? `AND (ord, id) ${descending ? '<' : '>'} (?, ?) ` : '') +
      `ORDER BY ord ${direction}, id ${direction} ${LIMIT}`;
    const first = firstPlace(block);
    return prepared(sql).all(first, first + used, ...beginnings, ...(after ?? []), wanted);
  }

  /** The page of a sealed block, limited to hits that sort before those already found in other blocks. */
  function readCandidates(whole: Block, asked: Asked, before: Hit | undefined): readonly Hit[] {
    const { beginnings, telling, descending, after, wanted } = asked;
    const { block } = whole;
    const meant = telling.candidates(whole, (slice) => blocks.slice(block, slice));
    if (!meant) return [];
    const compare = inOrder(descending);
    const first = firstPlace(block);
    const order = blocks.order(block);
    const rowOf = (nth: number): readonly [...Hit, string] | undefined => at.get(first + (order[nth] ?? NaN));

    const found: Hit[] = [];
    const next = descending ? -1 : 1;
    let nth = descending ? order.length - 1 : 0;
    if (after) nth = startOf(order.length, descending, (place) => rowOf(place), after);
    for (; nth >= 0 && nth < order.length && found.length < wanted; nth += next) {
      const bits = meant[nth >> 3]!;
      // Most bytes are empty: skip to the last bit of this one.
      if (bits === 0) nth = descending ? nth & ~7 : nth | 7;
      if ((bits & (1 << (nth & 7))) === 0) continue;
      const row = rowOf(nth);
      // The document has moved away, or its bits are set by chance.
      if (!row || !beginnings.every((beginning) => row[2].includes(beginning))) continue;
      const hit: Hit = [row[0], row[1]];
      if (after && compare(hit, after) <= 0) continue;
      if (before && compare(hit, before) > 0) break;
      found.push(hit);
    }
    return found;
  }

  return (query) => {
    if (query.prefixes.length === 0 || query.prefixes.includes('')) {
      throw new Error('a search needs at least one prefix, and none that is empty');
    }
    const descending = query.order === 'desc';
    const beginnings = tellingFirst(query.prefixes);
    const asked: Asked = {
      beginnings,
      telling: createCandidateFilter(beginnings.map((beginning) => beginning.slice(1))),
      descending,
      after: query.after && [toColumn(query.after[0], 'a cursor'), String(query.after[1])],
      wanted: query.limit + 1,
    };
    const compare = inOrder(descending);
    const best = ({ low, high }: Block): Order => (descending ? high : low);
    const worst = ({ low, high }: Block): Order => (descending ? low : high);
    const sign = descending ? -1 : 1;
    const reading = blocks
      .of(query.scope)
      .filter((block) => !asked.after || sign * compareOrder(worst(block), asked.after[0]) >= 0)
      .sort((a, b) => sign * compareOrder(best(a), best(b)));
    let hits: readonly Hit[] = [];
    for (const block of reading) {
      const last = hits[asked.wanted - 1];
      if (last && sign * compareOrder(best(block), last[0]) > 0) break;
      const more = block.slices === 0 ? readAll(block, asked) : readCandidates(block, asked, last);
      if (more.length > 0) hits = [...hits, ...more].sort(compare).slice(0, asked.wanted);
    }
    return { ids: hits.slice(0, query.limit).map(([, id]) => id), more: hits.length > query.limit };
  };
}

/**
 * Index at which a sealed block continues after a sort key. It is not always exact, since documents may have moved
 * away.
 */
function startOf(
  length: number,
  descending: boolean,
  rowOf: (nth: number) => readonly [...Hit, string] | undefined,
  after: Hit,
): number {
  const compare = inOrder(false);
  // In ascending order, all before `low` sort before the key, and all from `high` on sort after it.
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    let nth = middle;
    let row = rowOf(nth);
    while (!row && nth + 1 < high) row = rowOf((nth += 1));
    if (!row) high = middle;
    else if (compare([row[0], row[1]], after) < 0) low = nth + 1;
    else high = middle;
  }
  return descending ? low - 1 : low;
}
