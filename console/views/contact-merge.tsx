/** Two entries that are one person: found by name or phone, compared, and merged after a question. */
import { useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { useAsk } from '../ask.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, fieldOf, personName, Shown, Time } from '../parts.js';
import { addressOf } from '../place.js';
import type { Contact } from '../shapes.js';
import { t } from '../words.js';

const MOST = 10;

export function Merge({ company, contact }: { readonly company: string; readonly contact: Contact }) {
  const [query, setQuery] = useState('');
  return (
    <section aria-labelledby="merge">
      <h2 id="merge">{t('contacts.merge')}</h2>
      <p class="quiet">{t('contacts.mergeWhat')}</p>
      <form
        class="actions find-form"
        onSubmit={(event) => {
          event.preventDefault();
          setQuery(fieldOf(event.currentTarget, 'other'));
        }}
      >
        <input
          type="search"
          name="other"
          required
          maxLength={120}
          aria-label={t('contacts.mergeFind')}
          placeholder={t('contacts.mergeFind')}
        />
        <button type="submit">{t('form.search')}</button>
      </form>
      {query !== '' && <Others key={query} company={company} contact={contact} query={query} />}
    </section>
  );
}

function Others({
  company,
  contact,
  query,
}: {
  readonly company: string;
  readonly contact: Contact;
  readonly query: string;
}) {
  const loaded = useLoad(
    () => list<Contact>(`/companies/${company}/contacts`, { query, limit: MOST }),
    [company, query],
  );
  const work = useWork();
  const [ask, question] = useAsk();
  const merge = async (other: Contact): Promise<void> => {
    const yes = await ask({
      title: t('contacts.mergeTitle', { one: personName(contact), other: personName(other) }),
      text: t('contacts.mergeText'),
      yes: t('contacts.mergeYes'),
    });
    if (yes === null) return;
    await work.run(async () => {
      const left = await send<Contact>('POST', `/contacts/${contact.uuid}/merge`, {
        contact_uuid: other.uuid,
      });
      work.go(addressOf(company, 'contacts', left.uuid), 'replace');
      // Where this one remains, its page must read what it took over.
      if (left.uuid === contact.uuid) loaded.reload();
    });
  };
  return (
    <>
      <Shown loaded={loaded}>
        {({ data }) => {
          const others = data.filter(({ uuid }) => uuid !== contact.uuid);
          return others.length === 0 ? (
            <p class="quiet">{t('contacts.noneFound')}</p>
          ) : (
            <ul class="lines">
              {others.map((other) => (
                <li key={other.uuid} class="line">
                  <span>
                    {personName(other)}{' '}
                    <span class="quiet">{[other.phone, other.email].filter(Boolean).join(' · ')}</span>
                  </span>
                  {other.last_interaction_at && <Time at={other.last_interaction_at} />}
                  <button
                    data-op="mergeContacts"
                    type="button"
                    class="end"
                    disabled={work.busy}
                    aria-label={t('contacts.mergeWith', { name: personName(other) })}
                    onClick={() => void merge(other)}
                  >
                    {t('contacts.mergeDo')}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
      {work.error !== null && <ErrorBox error={work.error} />}
      {question}
    </>
  );
}
