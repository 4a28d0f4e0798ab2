/** Sign-in at the identity provider: away to it, and back (docs/identity-provider.md). */
import { send, type Schemas } from './api.js';
import { go } from './place.js';
import { t } from './words.js';

/** As people know it; null where none is set up. The server writes it into the document. */
export const providerName: string | null = document.documentElement.dataset['provider'] ?? null;

/** Where the provider sends browsers back to. */
const BACK = '/console/signed-in';
/** A tab that asks the provider again who the person is, for another tab. */
export const CONFIRM = '/console/confirm';
/** Where the person was, in this tab. */
const PLACE = 'recado.back';

type Begun = Schemas['OidcBegunResponse']['data'];
export type Done = Schemas['OidcDoneResponse']['data'];

/** The page is left. @throws ApiError */
export async function goToProvider(path: string, body?: object): Promise<void> {
  const { url } = await send<Begun>('POST', path, body);
  if (location.pathname !== CONFIRM) sessionStorage.setItem(PLACE, location.pathname + location.search);
  location.assign(url);
}

/** The provider's answer, once: it leaves the address at once, for the place where the person was. */
export function takeAnswer(): string | null {
  if (location.pathname !== BACK) return null;
  const answer = location.search.slice(1);
  const place = sessionStorage.getItem(PLACE) ?? '';
  sessionStorage.removeItem(PLACE);
  go(place.startsWith('/console/') ? place : '/console', 'replace');
  return answer;
}

/** @throws ApiError */
export const handOver = (answer: string): Promise<Done> => send('POST', '/session/oidc/answer', { answer });

/** How somebody signed in, such as `with password`; empty where it is not known. */
export const wayOf = (way: Schemas['ConsoleSession']['signed_in_by']): string =>
  way ? t(`way.${way}`, { name: providerName ?? 'OpenID' }) : '';
