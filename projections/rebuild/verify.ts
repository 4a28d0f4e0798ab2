/**
 * Compares two copies of a read model, document by document, byte for byte. Both copies keep changing meanwhile, so a
 * document may be read before an event in one copy and after it in the other. Differing documents are therefore
 * compared again, a limited number of times, until both have the same version.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  UnreadableDocument,
  type Document,
  type ReadModels,
  type ScannedDocument,
} from '../../ports/read-models.js';
import type { Difference, Verification } from '../../read-models/projection-rebuilds.js';
import { readEach } from '../read-each.js';

export interface VerifyOptions {
  /** Compares at most this many documents, spread over the ids; null for all. */
  readonly sample: number | null;
  readonly goesOn: () => boolean;
  readonly pause: (ms: number) => Promise<void>;
}

type Reader = Pick<ReadModels, 'scan' | 'get' | 'getMany'>;

const PAGE = 200;
const SHOWN = 50;
/**
 * Comparisons of differing documents, and the time between them. Documents that still change settle within this time.
 */
const LOOKS = 25;
const BETWEEN_MS = 200;
/** Adjacent documents that are compared at each place of a sample. */
const RUN = 20;

/** Null when `goesOn` ended the comparison. */
export async function verify(
  readModels: Reader,
  oldAddress: string,
  newAddress: string,
  options: VerifyOptions,
): Promise<Verification | null> {
  const { sample, goesOn, pause } = options;
  const suspects = new Set<string>();
  let compared = 0;
  let rowsOld = 0;
  let rowsNew = 0;

  async function page(after: string | null, limit: number): Promise<string | null> {
    const scan = (address: string) => readModels.scan(address, { after, limit, order: 'asc' });
    const [olds, news] = await Promise.all([scan(oldAddress), scan(newAddress)]);
    // Compare only ids that both pages cover; ids beyond that are on the next page.
    const ends = [olds, news].flatMap((list) => (list.length === limit ? (list.at(-1)?.id ?? []) : []));
    const end = ends.length === 0 ? null : ends.reduce((a, b) => (compareIds(a, b) <= 0 ? a : b));
    const within = (list: readonly ScannedDocument[]) =>
      new Map(
        list
          .filter(({ id }) => end === null || compareIds(id, end) <= 0)
          .map((one) => [one.id, one] as const),
      );
    const [a, b] = [within(olds), within(news)];
    rowsOld += a.size;
    rowsNew += b.size;
    for (const id of new Set([...a.keys(), ...b.keys()])) {
      compared += 1;
      if (!alike(a.get(id), b.get(id))) suspects.add(id);
    }
    return end;
  }

  if (sample === null) {
    let after: string | null = null;
    do {
      if (!goesOn()) return null;
      after = await page(after, PAGE);
      await pause(0);
    } while (after !== null);
  } else {
    for (const after of await spread(readModels, newAddress, Math.ceil(sample / RUN))) {
      if (!goesOn()) return null;
      await page(after, RUN);
      await pause(0);
    }
  }
  const settled = await settle(readModels, oldAddress, newAddress, [...suspects], options);
  return (
    settled && {
      full: sample === null,
      rows_old: sample === null ? rowsOld : null,
      rows_new: sample === null ? rowsNew : null,
      compared,
      ...settled,
    }
  );
}

async function settle(
  readModels: Reader,
  oldAddress: string,
  newAddress: string,
  ids: readonly string[],
  { goesOn, pause }: VerifyOptions,
) {
  let open = ids;
  const differences: Difference[] = [];
  let [different, missing, added, unreadable] = [0, 0, 0, 0];
  for (let look = 1; open.length > 0; look += 1) {
    if (!goesOn()) return null;
    const still: string[] = [];
    for (let from = 0; from < open.length; from += PAGE) {
      const some = open.slice(from, from + PAGE);
      const [olds, news] = await Promise.all([
        readEach(readModels, oldAddress, some),
        readModels.getMany(newAddress, some),
      ]);
      const newsById = new Map(news.map((one) => [one.id, one] as const));
      for (const id of some) {
        const [old, b] = [olds.get(id), newsById.get(id)];
        const damaged = old instanceof UnreadableDocument;
        if (damaged && b) {
          unreadable += 1;
          continue;
        }
        const a = damaged ? { ...old.stored, doc: {} } : old;
        const same = a && b ? versionOf(a) === versionOf(b) : false;
        if (a && b && same && isDeepStrictEqual(a.doc, b.doc)) continue;
        if (!a && !b) continue;
        if (!same && look < LOOKS) {
          still.push(id);
          continue;
        }
        different += 1;
        if (!b) missing += 1;
        if (!a) added += 1;
        if (differences.length < SHOWN) {
          differences.push(
            ...differencesOf(id, a?.doc, b?.doc, a && b && !same ? [versionOf(a), versionOf(b)] : null),
          );
        }
      }
      await pause(0);
    }
    open = still;
    if (open.length > 0) await pause(BETWEEN_MS);
  }
  const inOrder = differences.sort((a, b) => compareIds(a.id, b.id));
  return { different, missing, added, unreadable, differences: inOrder.slice(0, SHOWN) };
}

/** The order of `scan`. */
const compareIds = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

const alike = (a: ScannedDocument | undefined, b: ScannedDocument | undefined): boolean =>
  a !== undefined && b !== undefined && a.text === b.text && versionOf(a) === versionOf(b);

/**
 * An erasure writes a document again at its position in the history and marks the version with `~` (see erase-contact).
 */
const versionOf = ({ version }: { readonly version: string }): string => version.replace(/~+$/, '');

/** Start ids of a sample: between the first and the last id, evenly spread as far as ids are. */
async function spread(
  readModels: Reader,
  address: string,
  runs: number,
): Promise<readonly (string | null)[]> {
  const [[first], [last]] = await Promise.all([
    readModels.scan(address, { after: null, limit: 1, order: 'asc' }),
    readModels.scan(address, { after: null, limit: 1, order: 'desc' }),
  ]);
  const number = (id: string): number | null => {
    const head = id.slice(0, 8);
    return /^[0-9a-f]{8}$/.test(head) ? parseInt(head, 16) : null;
  };
  const [low, high] = [first && number(first.id), last && number(last.id)];
  if (low === undefined || high === undefined || low === null || high === null) return [null];
  const steps = Array.from({ length: runs - 1 }, (_, n) => low + ((high - low) * (n + Math.random())) / runs);
  return [null, ...steps.map((at) => Math.floor(at).toString(16).padStart(8, '0'))];
}

function differencesOf(
  id: string,
  before: Document | undefined,
  after: Document | undefined,
  versions: readonly [string, string] | null,
): readonly Difference[] {
  if (!before || !after) {
    return [{ id, pointer: '', old: before ? 'a document' : null, new: after ? 'a document' : null }];
  }
  const found = [...pointers(before, after, '')].map(([pointer, a, b]) => ({
    id,
    pointer,
    old: masked(pointer, a),
    new: masked(pointer, b),
  }));
  if (versions === null) return found;
  return [{ id, pointer: 'version', old: versions[0], new: versions[1] }, ...found];
}

function* pointers(a: unknown, b: unknown, at: string): Generator<readonly [string, unknown, unknown]> {
  if (isDeepStrictEqual(a, b)) return;
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) {
    yield [at, a, b];
    return;
  }
  for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
    yield* pointers(a[key], b[key], `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Texts without personal data; any other text may be a name. */
const PLAIN = /^([0-9a-f]{8}-[0-9a-f-]{27}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;
const KINDS = /\/(status|type|direction|provider|language|category|kind|currency|state)$/;

function masked(pointer: string, value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'string') {
    return PLAIN.test(value) || KINDS.test(pointer) ? JSON.stringify(value) : `a text of ${value.length}`;
  }
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `an object of ${Object.keys(value).length}`;
  // A phone number may be stored as a number.
  if (typeof value === 'number' && Math.abs(value) >= 1e7) return 'a number';
  return JSON.stringify(value);
}
