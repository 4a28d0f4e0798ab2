/** What is read of a message, whose content depends on its type. */
import { named, t } from '../words.js';

export type Fields = Readonly<Record<string, unknown>>;

export const asFields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null;

export const textIn = (content: Fields, name: string): string | null => {
  const value = content[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

export function kindOf(type: string): string {
  const word = named('thread.kind', type);
  return word === type ? t('thread.kind.other', { type }) : word;
}
