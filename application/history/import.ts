/**
 * Imports a whole history from an exact export into an empty system. No command is decided again and no one is
 * notified. The records are stored unchanged, in their order, with their streams, revisions and ids. Read models follow
 * them like any append.
 *
 * An import may be interrupted anywhere and resumes after the last batch that is recorded as done. A batch that was
 * written but not recorded is found in the store, event by event.
 */
import { Refusal } from '../../domain/kernel/refusal.js';
import { START, type Position } from '../../ports/event-store.js';
import type { SealedKey, SealedKeys } from '../../ports/sealed-keys.js';
import { createTurns } from '../../ports/waiting.js';
import { historyImports, type HistoryImportDoc } from '../../read-models/history-imports.js';
import type { App } from '../app.js';
import { createBatchCheck, createBatchWriter, freshOf } from './import-batch.js';
import { notEmpty, refused } from './import-refusals.js';

const ID = 'import';
const PROOF = 'recado-events-export';

export interface ImportDeps {
  readonly app: Pick<App, 'store' | 'readModels' | 'codec' | 'registry' | 'secrets' | 'logger'>;
  readonly keys: SealedKeys;
  /** True if the store applies appends in the order of the calls, even when none is awaited. */
  readonly keepsOrder: boolean;
  /** Called when the history is complete up to this position: no worker may act on its events. May be called again. */
  readonly onDone: (last: Position) => Promise<void>;
}

/** The manifest of an export. */
export interface ImportOrder {
  /** Hash of the file of events; identifies the export. */
  readonly sha256: string;
  readonly events: number;
  readonly keys: number;
  /** Position of the last event in the exporting store. */
  readonly last: string | null;
  readonly masterKeyProof: string;
}

export type ImportProgress = Omit<HistoryImportDoc, 'keys' | 'last' | 'position'>;

export interface HistoryImport {
  /** @throws Refusal history_not_empty, master_key_differs, import_conflict */
  begin(order: ImportOrder): Promise<ImportProgress>;
  /** Call it before adding events: they are opened to be checked. @throws Refusal import_not_begun */
  addKeys(keys: readonly SealedKey[]): Promise<void>;
  /** Lines in their order; skips those already imported. @throws Refusal import_refused, history_not_empty */
  addEvents(lines: readonly string[]): Promise<ImportProgress>;
  /** True from its begin to its end: in between, nothing else may write events. */
  isUnderWay(): Promise<boolean>;
  /** @throws Refusal import_refused when something is missing */
  complete(): Promise<ImportProgress>;
}

/** For the manifest: only a system with the same master key can open it. */
export const masterKeyProof = ({ secrets }: Pick<App, 'secrets'>): string => secrets.seal(PROOF, PROOF);

export function createHistoryImport(deps: ImportDeps): HistoryImport {
  const { store, readModels, codec, registry, secrets, logger } = deps.app;
  const checkBatch = createBatchCheck({ codec, definitions: registry.definitions });
  const writer = createBatchWriter(store, deps.keepsOrder);
  // Concurrent requests would interleave their events.
  const inTurn = createTurns();

  const progress = async (): Promise<HistoryImportDoc | undefined> => {
    await readModels.define(historyImports);
    return (await readModels.get(historyImports.name, ID))?.doc;
  };

  async function running(): Promise<HistoryImportDoc> {
    const doc = await progress();
    if (doc?.status === 'running') return doc;
    throw new Refusal('import_not_begun', 'No import is under way. Begin one.');
  }

  async function note(doc: HistoryImportDoc): Promise<HistoryImportDoc> {
    // Increases with every batch, and once more at the end.
    const version = String(doc.imported * 2 + (doc.status === 'done' ? 1 : 0)).padStart(20, '0');
    await readModels.write(historyImports.name, [{ id: ID, doc, version }]);
    return doc;
  }

  async function begin(order: ImportOrder): Promise<ImportProgress> {
    if (!sameMasterKey(secrets, order.masterKeyProof)) {
      throw new Refusal(
        'master_key_differs',
        'The export was made under another master key: nothing sealed in it could be opened here. Start this system with the RECADO_MASTER_KEY (or master.key) of the one that was exported.',
      );
    }
    const before = await progress();
    if (before) {
      if (before.sha256 === order.sha256) return shown(before);
      throw new Refusal('import_conflict', 'Another export was imported here, or is being imported.');
    }
    const { records } = await store.readAll({ after: START, limit: 1 });
    if (records.length > 0) throw notEmpty();
    const { sha256, events, keys, last } = order;
    logger.warn({ events, keys }, 'an import of a whole history begins');
    return shown(
      await note({
        status: 'running',
        sha256,
        events,
        keys,
        last,
        imported: 0,
        source_position: null,
        position: START,
      }),
    );
  }

  async function addEvents(lines: readonly string[]): Promise<ImportProgress> {
    const doc = await running();
    const fresh = freshOf(lines, doc.source_position);
    const last = fresh[fresh.length - 1];
    if (last === undefined) return shown(doc);
    await checkBatch(fresh);
    const position = await writer.write(doc.position, fresh);
    return shown(
      await note({ ...doc, imported: doc.imported + fresh.length, source_position: last.position, position }),
    );
  }

  async function complete(): Promise<ImportProgress> {
    const doc = await progress();
    if (doc === undefined) throw new Refusal('import_not_begun', 'No import is under way. Begin one.');
    if (doc.status === 'done') return shown(doc);
    if (doc.imported !== doc.events || doc.source_position !== doc.last) {
      throw refused(`${doc.imported} of ${doc.events} events are in: the rest is missing.`);
    }
    await deps.onDone(doc.position);
    logger.warn({ events: doc.events }, 'an import of a whole history has ended');
    return shown(await note({ ...doc, status: 'done' }));
  }

  return {
    begin: (order) => inTurn(() => begin(order)),
    addKeys: (keys) =>
      inTurn(async () => {
        await running();
        await deps.keys.restore(keys);
      }),
    addEvents: (lines) => inTurn(() => addEvents(lines)),
    isUnderWay: async () => (await progress())?.status === 'running',
    complete: () => inTurn(complete),
  };
}

const shown = ({ status, sha256, events, imported, source_position }: HistoryImportDoc): ImportProgress => ({
  status,
  sha256,
  events,
  imported,
  source_position,
});

function sameMasterKey(secrets: App['secrets'], proof: string): boolean {
  try {
    return secrets.open(proof, PROOF) === PROOF;
  } catch {
    return false;
  }
}
