import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Badge, fieldOf, personName, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import type { Contact } from '../shapes.js';
import { t } from '../words.js';
import { ContactPage } from './contact.js';

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
  const pages = usePages<Contact>(path, query === '' ? {} : { query }, ({ uuid }) => uuid, ['contact']);
  const none = <p class="quiet">{t(query === '' ? 'contacts.none' : 'contacts.noneFound')}</p>;
  return (
    <section aria-label={t('nav.contacts')}>
      <Listed pages={pages} empty={none}>
        {(rows) => (
          <ul class="rows">
            {rows.map((one) => (
              <li key={one.uuid}>
                <a href={addressOf(company, 'contacts', one.uuid)} onClick={follow}>
                  <span class="who">{personName(one)}</span>
                  {one.last_interaction_at ? <Time at={one.last_interaction_at} /> : <span />}
                  <span class="quiet preview">
                    {[one.phone, one.email, ...(one.tags ?? [])].filter(Boolean).join(' · ')}
                  </span>
                  {one.marketing_opted_out ? <Badge kind="warn">{t('contacts.out')}</Badge> : <span />}
                </a>
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}
