/** What a console learns of an event: which kind of thing changed, and which one. Nothing of its content. */
import { isUuid } from '../../domain/kernel/ids.js';
import { streamParts } from '../../domain/kernel/stream.js';
import type { StoredRecord } from '../../ports/event-store.js';

export const CHANGE_KINDS = [
  'conversation',
  'message',
  'contact',
  'order',
  'product',
  'store',
  'delivery',
  'operation',
  'execution',
  'flow',
  'channel',
  'template',
  'integration',
  'team',
  'saved_reply',
] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface Change {
  readonly kind: ChangeKind;
  /** Null: many of them. */
  readonly uuid: string | null;
}

/** By the category of streams. */
const KINDS: ReadonlyMap<string, ChangeKind> = new Map<string, ChangeKind>([
  ...CHANGE_KINDS.filter((kind) => kind !== 'delivery' && kind !== 'saved_reply').map(
    (kind) => [kind, kind] as const,
  ),
  // The controls of a channel, by its uuid.
  ['sending', 'channel'],
  ['replies', 'saved_reply'],
]);

export const CHANGING_PREFIXES: readonly string[] = [...KINDS.keys()].map((category) => `${category}-`);

/** Undefined for events that no console shows. */
export function changeIn({ stream }: Pick<StoredRecord, 'stream'>): Change | undefined {
  const { category, id } = streamParts(stream);
  const kind = KINDS.get(category);
  return kind && { kind, uuid: isUuid(id) ? id : null };
}

/** The changes of one company. */
export const changesOf = (company: string, records: readonly StoredRecord[]): readonly Change[] =>
  records.flatMap((record) => {
    const change = record.meta.company === company ? changeIn(record) : undefined;
    return change === undefined ? [] : [change];
  });

/** Said one by one up to here; then only that there were many. */
const SAID_OF_A_KIND = 50;

/** Gathers changes until they are taken; their number is bounded. */
export function createGathered() {
  let kinds = new Map<ChangeKind, Set<string> | null>();
  return {
    add({ kind, uuid }: Change): void {
      const known = kinds.get(kind);
      if (known === null) return;
      if (uuid === null || (known !== undefined && known.size >= SAID_OF_A_KIND && !known.has(uuid))) {
        kinds.set(kind, null);
      } else if (known === undefined) kinds.set(kind, new Set([uuid]));
      else known.add(uuid);
    },
    isEmpty: (): boolean => kinds.size === 0,
    take(): readonly Change[] {
      const taken = [...kinds].flatMap(([kind, uuids]): readonly Change[] =>
        uuids === null ? [{ kind, uuid: null }] : [...uuids].map((uuid) => ({ kind, uuid })),
      );
      kinds = new Map();
      return taken;
    },
  };
}
