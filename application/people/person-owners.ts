/** This process's cache of the contacts that own person identities: see `resolveContact`. */
import type { ContactUuid } from '../../domain/kernel/ids.js';
import { createCache } from '../../ports/cache.js';

/** Contact uuids by the stream of a person's identity; contains no personal data. */
export interface PersonOwners {
  get(identity: string): string | undefined;
  set(identity: string, contactUuid: ContactUuid): void;
}

const MOST_REMEMBERED = 10_000;

export const createPersonOwners = (): PersonOwners => createCache<string, string>(MOST_REMEMBERED);
