/**
 * The part of a product's address that people read. It ends in a key of the product's own, so that two products may
 * share a name and an address of before a renaming still says which product it means.
 */
import { foldText } from '../policies/fold-text.js';

const MAX_LENGTH = 80;
const KEY_LENGTH = 6;
const KEYS = 36 ** KEY_LENGTH;

/** `Camiseta Azul` → `camiseta-azul-0k3v9d` */
export const productSlug = (name: string, uuid: string): string => `${words(name)}-${keyOf(uuid)}`;

export const renamedSlug = (slug: string, name: string): string => `${words(name)}-${slugKey(slug)}`;

/** What a slug of this product ends in, whatever it was called when the slug was made. */
export const slugKey = (slug: string): string => slug.slice(slug.lastIndexOf('-') + 1);

const words = (name: string): string =>
  foldText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '') || 'produto';

/** The end of a uuid of any version is as good as random. */
const keyOf = (uuid: string): string =>
  (parseInt(uuid.slice(-8), 16) % KEYS).toString(36).padStart(KEY_LENGTH, '0');
