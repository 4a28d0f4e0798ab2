/** One box that finds a person, an order, a message or anything else by what is known of it. */
import { useEffect, useState } from 'preact/hooks';
import { get, type Schemas } from '../api.js';
import { Dialog } from '../dialog.js';
import { asApiError } from '../load.js';
import { ErrorBox } from '../parts.js';
import { addressOf, go, SECTIONS, type Section } from '../place.js';
import type { ApiError } from '../api.js';
import { named, t } from '../words.js';

type Found = Schemas['FoundThing'];

/** The section that shows things of a kind. A kind whose section is missing is shown without a link. */
const SHOWN_IN: Readonly<Record<string, string>> = {
  contact: 'contacts',
  conversation: 'inbox',
  message: 'messages',
  order: 'orders',
  product: 'products',
  flow: 'flows',
  execution: 'flows',
  channel: 'channels',
  template: 'templates',
  webhook_endpoint: 'webhooks',
};

function addressOfThing(company: string, { kind, uuid }: Found): string | null {
  const section: Section | undefined = SECTIONS.find((one) => one === SHOWN_IN[kind]);
  if (section === undefined) return null;
  return kind === 'execution'
    ? addressOf(company, section, null, { execution: uuid })
    : addressOf(company, section, uuid);
}

/** After the last key, so that a word is one question. */
const PAUSE_MS = 200;

export function Search({ company, onClose }: { readonly company: string; readonly onClose: () => void }) {
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly Found[] | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  const [at, setAt] = useState(0);
  const query = text.trim();

  useEffect(() => {
    setAt(0);
    if (query === '') {
      setFound(null);
      setError(null);
      return;
    }
    let current = true;
    const timer = setTimeout(() => {
      get<readonly Found[]>(`/companies/${company}/search?${new URLSearchParams({ query }).toString()}`).then(
        (data) => {
          if (!current) return;
          setFound(data);
          setError(null);
        },
        (thrown: unknown) => current && setError(asApiError(thrown)),
      );
    }, PAUSE_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [query, company]);

  const open = (thing: Found | undefined): void => {
    const address = thing && addressOfThing(company, thing);
    if (!address) return;
    onClose();
    go(address);
  };
  const step = (event: KeyboardEvent): void => {
    const last = (found?.length ?? 0) - 1;
    if (event.key === 'ArrowDown') setAt(Math.min(last, at + 1));
    else if (event.key === 'ArrowUp') setAt(Math.max(0, at - 1));
    else if (event.key === 'Enter') open(found?.[at]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={t('search.title')} onClose={onClose}>
      <input
        type="search"
        role="combobox"
        aria-expanded={found !== null && found.length > 0}
        aria-controls="search-found"
        aria-autocomplete="list"
        aria-label={t('search.title')}
        placeholder={t('search.placeholder')}
        {...(found?.[at] ? { 'aria-activedescendant': `found-${at}` } : {})}
        maxLength={255}
        value={text}
        autoFocus
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={step}
      />
      <p class="quiet" aria-live="polite">
        {found === null
          ? t('search.hint')
          : found.length === 0
            ? t('search.none', { query })
            : t('search.count', { count: found.length })}
      </p>
      {error !== null && <ErrorBox error={error} />}
      <ul class="found" role="listbox" id="search-found" aria-label={t('search.found')}>
        {(found ?? []).map((thing, index) => (
          <li
            key={`${thing.kind} ${thing.uuid}`}
            id={`found-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(thing)}
            onMouseMove={() => setAt(index)}
          >
            <span class="kind">{named('kind', thing.kind)}</span>
            <span class="title">{thing.title ?? thing.uuid}</span>
            <span class="quiet">
              {named('found', thing.matched_by)}
              {addressOfThing(company, thing) === null && <> · {t('search.nowhere')}</>}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
