/** The page's language: Portuguese or English, by choice, else by the browser. */
import type { Word } from './words/all.js';

export type { Word };
export type Language = 'pt' | 'en';

const KEY = 'recado.language';

export const language: Language = chosen();
const locale = language === 'pt' ? 'pt-BR' : 'en-GB';

function chosen(): Language {
  const stored = localStorage.getItem(KEY);
  if (stored === 'pt' || stored === 'en') return stored;
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en';
}

const { wordsEn, wordsPt } = document.documentElement.dataset;
const texts = (await (await fetch((language === 'pt' ? wordsPt : wordsEn) ?? '')).json()) as Readonly<
  Record<string, string>
>;

export function switchLanguage(): void {
  localStorage.setItem(KEY, language === 'pt' ? 'en' : 'pt');
  location.reload();
}

type Values = Readonly<Record<string, string | number>>;

const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (all, name: string) => String(values[name] ?? all));

export const t = (word: Word, values: Values = {}): string => filled(texts[word] ?? word, values);

/** The word of a value that the API names; the value itself where this release has no word for it. */
export const named = (group: string, value: string): string => texts[`${group}.${value}`] ?? value;

/** What the API says with values, in the words of the page; as the API says it where this release has none. */
export function said(word: string, values: Values, otherwise: string): string {
  const text = texts[word];
  return text === undefined ? otherwise : filled(text, values);
}

const dateTime = new Intl.DateTimeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });
const timeOnly = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
const number = new Intl.NumberFormat(locale);
const money = new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' });

/** Today the time, else date and time. */
export function shortTime(iso: string, now = new Date()): string {
  const at = new Date(iso);
  return at.toDateString() === now.toDateString() ? timeOnly.format(at) : dateTime.format(at);
}

/** To the millisecond, as the history has it. */
const exact = new Intl.DateTimeFormat(locale, {
  dateStyle: 'short',
  timeStyle: 'medium',
});
export function exactTime(iso: string): string {
  const at = new Date(iso);
  return `${exact.format(at)}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** To the millisecond, without the day. */
const clock = new Intl.DateTimeFormat(locale, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
});
export const clockTime = (iso: string): string => clock.format(new Date(iso));

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'full' });
/** Such as `Wednesday, 25 November 2026`; empty for no time. */
export const dayOf = (iso: string): string => (iso === '' ? '' : day.format(new Date(iso)));

export const fullTime = (iso: string): string => dateTime.format(new Date(iso));
export const count = (value: number): string => number.format(value);
/** @param amount such as `49.90` */
export const amount = (value: string): string => money.format(Number(value));

const AGO = [
  ['ago.days', 86_400_000],
  ['ago.hours', 3_600_000],
  ['ago.minutes', 60_000],
] as const;

/** Such as `12 min ago`, to the largest unit. */
export function ago(iso: string, now = Date.now()): string {
  const passed = now - Date.parse(iso);
  const [word, ms] = AGO.find(([, each]) => passed >= each) ?? ['ago.now', 1];
  return t(word, { count: Math.floor(passed / ms) });
}
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 });
export const percent = (part: number): string => share.format(part);

/** Such as `40 s` or `3 min`. */
export const seconds = (value: number): string => (value < 90 ? `${value} s` : span(value * 1000));

/** Such as `5 h 12 min`. */
export function span(ms: number): string {
  const minutes = Math.max(1, Math.floor(ms / 60_000));
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min` : `${hours} h ${minutes % 60} min`;
}
