/**
 * The readable part of a product's address. It ends in a key derived from the product's uuid. Two products may thus
 * share a name, and an address from before a renaming still identifies its product.
 */
import { foldText } from '../policies/fold-text.js';

const MAX_LENGTH = 80;
const KEY_LENGTH = 6;
const KEYS = 36 ** KEY_LENGTH;

/** `Camiseta Azul` → `camiseta-azul-0k3v9d` */
export const productSlug = (name: string, uuid: string): string => `${words(name)}-${keyOf(uuid)}`;

export const renamedSlug = (slug: string, name: string): string => `${words(name)}-${slugKey(slug)}`;

/** The key at the end of a slug, which stays the same when the product is renamed. */
export const slugKey = (slug: string): string => slug.slice(slug.lastIndexOf('-') + 1);

const words = (name: string): string =>
  foldText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '') || 'produto';

/** The last digits of a uuid of any version are as good as random. */
const keyOf = (uuid: string): string =>
  (parseInt(uuid.slice(-8), 16) % KEYS).toString(36).padStart(KEY_LENGTH, '0');
