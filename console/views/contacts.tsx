import { useState } from 'preact/hooks';
import { list } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, fieldOf, Shown, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Contact } from '../shapes.js';
import { t } from '../words.js';
import { ContactPage } from './contact.js';

const PAGE = 50;

export function Contacts({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id !== null) return <ContactPage key={place.id} company={company} uuid={place.id} />;
  const query = place.query.get('query') ?? '';
  const search = (text: string): void =>
    go(addressOf(company, 'contacts', null, text.trim() === '' ? {} : { query: text.trim() }), 'replace');
  return (
    <>
      <h1>{t('nav.contacts')}</h1>
      <form
        class="actions find-form"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          search(fieldOf(event.currentTarget, 'query'));
        }}
      >
        <input
          key={query}
          type="search"
          name="query"
          maxLength={120}
          aria-label={t('contacts.search')}
          placeholder={t('contacts.search')}
          defaultValue={query}
        />
        <button type="submit">{t('search.title')}</button>
      </form>
      <People key={query} company={company} query={query} />
    </>
  );
}

function People({ company, query }: { readonly company: string; readonly query: string }) {
  const path = `/companies/${company}/contacts`;
  const asked = { limit: PAGE, query: query === '' ? undefined : query };
  const loaded = useLoad(() => list<Contact>(path, asked), [company, query]);
  const [more, setMore] = useState<{ rows: readonly Contact[]; next: string | null } | null>(null);
  const work = useWork();
  return (
    <section aria-label={t('nav.contacts')}>
      <Shown loaded={loaded}>
        {(first) => {
          const rows = [...first.data, ...(more?.rows ?? [])];
          const next = more === null ? first.meta.next_cursor : more.next;
          const load = async (): Promise<void> => {
            const page = await list<Contact>(path, { ...asked, after: next ?? undefined });
            setMore({ rows: [...(more?.rows ?? []), ...page.data], next: page.meta.next_cursor });
          };
          if (rows.length === 0)
            return <p class="quiet">{t(query === '' ? 'contacts.none' : 'contacts.noneFound')}</p>;
          return (
            <>
              <ul class="rows people">
                {rows.map((one) => (
                  <li key={one.uuid}>
                    <a href={addressOf(company, 'contacts', one.uuid)} onClick={follow}>
                      <span class="who">{one.name ?? one.phone ?? t('inbox.somebody')}</span>
                      {one.last_interaction_at ? <Time at={one.last_interaction_at} /> : <span />}
                      <span class="quiet preview">
                        {[one.phone, one.email, ...(one.tags ?? [])].filter(Boolean).join(' · ')}
                      </span>
                      {one.marketing_opted_out ? <Badge kind="warn">{t('contacts.out')}</Badge> : <span />}
                    </a>
                  </li>
                ))}
              </ul>
              {work.error !== null && <ErrorBox error={work.error} />}
              {next !== null && (
                <button type="button" disabled={work.busy} onClick={() => void work.run(load)}>
                  {t('load.more')}
                </button>
              )}
            </>
          );
        }}
      </Shown>
    </section>
  );
}
