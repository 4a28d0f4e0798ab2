import type { Schemas } from '../api.js';

export type StoredEvent = Schemas['StoredEvent'];

/** As filters take it, such as `worker:sending`. */
export const actorText = ({ actor }: StoredEvent): string => {
  const { kind, id } = (actor ?? {}) as { readonly kind?: string; readonly id?: string };
  return [kind, id].filter((part) => part !== undefined).join(':');
};
