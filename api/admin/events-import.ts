/**
 * Imports a whole history into an empty system, batch by batch, and serves the data that an exact export needs beside
 * its events.
 */
import { masterKeyProof as proofOf, type HistoryImport } from '../../application/history/import.js';
import type { App } from '../../application/app.js';
import { decodeCursor, encodeCursor } from '../../application/queries/cursor.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { HistoryTexts } from '../../ports/history-texts.js';
import type { SealedKey, SealedKeys } from '../../ports/sealed-keys.js';
import { one, pageOf } from '../routes/replies.js';
import { nothing, type AdminHandlers } from './support.js';

export interface HistoryTransfer {
  readonly texts: HistoryTexts;
  readonly keys: SealedKeys;
  /** Null unless this process was started for an import. */
  readonly importing: HistoryImport | null;
}

const KEYS_SCOPE = { list: 'sealed-keys', companyUuid: '', filters: [] };

export function importRoutes(
  app: App,
  { keys, importing }: HistoryTransfer,
  cursorSecret: Uint8Array,
): AdminHandlers {
  function open(): HistoryImport {
    if (importing) return importing;
    throw new Refusal(
      'import_not_enabled',
      'This server is at work. Start one with HISTORY_IMPORT=on and an empty DATA_DIR (or empty stores): while a history is imported nothing may act on it.',
    );
  }

  return {
    listSealedKeys: async (call) => {
      const { after, limit } = pageOf(call);
      const [from] = after === undefined ? [''] : decodeCursor(cursorSecret, KEYS_SCOPE, after);
      const page = await keys.list(String(from), limit);
      const last = page.length < limit ? undefined : page.at(-1);
      const next = last ? encodeCursor(cursorSecret, KEYS_SCOPE, [last.key_id]) : null;
      return { status: 200, body: { data: page, meta: { next_cursor: next } } };
    },

    getMasterKeyProof: async () => one({ master_key_proof: proofOf(app) }),

    beginHistoryImport: async (_call, body: BeginBody) => {
      const { sha256, events, keys: count, last, master_key_proof: masterKeyProof } = body;
      return one(await open().begin({ sha256, events, keys: count, last, masterKeyProof }));
    },

    importSealedKeys: async (_call, body: { readonly keys: readonly SealedKey[] }) => {
      await open().addKeys(body.keys);
      return nothing;
    },

    importEvents: async (_call, { lines }: { readonly lines: readonly string[] }) =>
      one(await open().addEvents(lines)),

    completeHistoryImport: async () => one(await open().complete()),
  };
}

interface BeginBody {
  readonly sha256: string;
  readonly events: number;
  readonly keys: number;
  readonly last: string | null;
  readonly master_key_proof: string;
}
