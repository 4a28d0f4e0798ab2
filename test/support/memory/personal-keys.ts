/** The personal keys port over a map, for unit tests. */
import { randomBytes } from 'node:crypto';
import {
  isOlderThanKey,
  lostKeyOf,
  type PersonalKey,
  type PersonalKeys,
} from '../../../ports/personal-keys.js';

export interface MemoryPersonalKeys extends PersonalKeys {
  /** Key ids that `open` was asked for, call by call. */
  readonly asked: readonly (readonly string[])[];
}

/** `atHand: false` makes every seal wait for its key, as in a process that has not cached the person's key yet. */
export function memoryPersonalKeys({
  atHand = true,
  now = () => Date.now(),
}: { readonly atHand?: boolean; readonly now?: () => number } = {}): MemoryPersonalKeys {
  const live = new Map<string, PersonalKey>();
  const byId = new Map<string, Uint8Array>();
  const asked: string[][] = [];
  /** When the last key of a subject was destroyed. */
  const erased = new Map<string, { readonly madeAfter: number }>();
  let made = 0;
  return {
    asked,
    async keyFor(subject, _company, dataFrom) {
      let key = live.get(subject);
      const after = erased.get(subject);
      if (after && dataFrom !== undefined && dataFrom < after.madeAfter) return lostKeyOf(subject);
      if (!key) {
        made += 1;
        key = { keyId: `${subject}/${made}`, key: randomBytes(32), ...after };
        live.set(subject, key);
        byId.set(key.keyId, key.key);
      }
      return key;
    },
    keyAtHand(subject, dataFrom) {
      const key = atHand ? live.get(subject) : undefined;
      return key && isOlderThanKey(key, dataFrom) ? undefined : key;
    },
    async open(keyIds) {
      asked.push([...keyIds]);
      return new Map(keyIds.flatMap((id) => (byId.has(id) ? [[id, byId.get(id)!] as const] : [])));
    },
    async destroy(subject) {
      live.delete(subject);
      const gone = [...byId.keys()].filter((id) => id.startsWith(`${subject}/`));
      for (const id of gone) byId.delete(id);
      if (gone.length > 0) erased.set(subject, { madeAfter: now() });
      return gone.length;
    },
  };
}
