/** Formats money and dates in the visitor's language. */
import type { Lang } from './texts.js';

const LOCALES: Readonly<Record<Lang, string>> = { 'pt-BR': 'pt-BR', en: 'en-US' };
/** Stores are Brazilian (spec §2: BRL): times are the shop's, wherever the visitor is. */
const TIME_ZONE = 'America/Sao_Paulo';

const perLang = <T>(make: (locale: string) => T): Readonly<Record<Lang, T>> => ({
  'pt-BR': make(LOCALES['pt-BR']),
  en: make(LOCALES.en),
});

const moneyFormats = perLang(
  (locale) => new Intl.NumberFormat(locale, { style: 'currency', currency: 'BRL' }),
);
const dateFormats = perLang(
  (locale) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: TIME_ZONE }),
);

/** `R$ 49,90` in Portuguese, `R$49.90` in English. @param cents of BRL */
export const money = (lang: Lang, cents: number): string => moneyFormats[lang].format(cents / 100);

/** @param iso instant; an invalid one gives an empty text */
export function dateTime(lang: Lang, iso: string): string {
  const at = Date.parse(iso);
  return Number.isNaN(at) ? '' : dateFormats[lang].format(at);
}
