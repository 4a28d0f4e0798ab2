import { foldText } from '../policies/fold-text.js';

/** `Ação & Cia.` → `acao-cia`; empty when no character of the name fits into an address. */
export const plainSlug = (name: string, maxLength: number): string =>
  foldText(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, maxLength)
    .replace(/-+$/, '');
