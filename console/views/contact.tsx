/** One person: details, marketing with its history, conversations, messages, and erasing. */
import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { Listed } from '../listed.js';
import { useLoad, useWork } from '../load.js';
import { usePages } from '../pages.js';
import { Badge, ErrorBox, fieldOf, personName, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { useMay } from '../session.js';
import type { Contact, Conversation } from '../shapes.js';
import { named, t } from '../words.js';
import { lineOf } from './bubble.js';
import { stateOf } from './conversation-state.js';
import { CustomFields } from './contact-fields.js';
import { Merge } from './contact-merge.js';
import { Reveal } from './reveal.js';
import { Sends } from './sends.js';

export function ContactPage({ company, uuid }: { readonly company: string; readonly uuid: string }) {
  const loaded = useLoad(() => get<Contact>(`/contacts/${uuid}`), [uuid], { kinds: ['contact'], uuid });
  const mayMerge = useMay('mergeContacts');
  return (
    <>
      <a class="back-link" href={addressOf(company, 'contacts')} onClick={follow}>
        ‹ {t('contacts.back')}
      </a>
      <Shown loaded={loaded}>
        {(contact) => (
          <>
            <h1>{personName(contact)}</h1>
            <Reveal company={company} thing="contact" uuid={contact.uuid} onChange={loaded.reload} />
            <div class="pair">
              <div>
                <Details contact={contact} onChange={loaded.reload} />
                <CustomFields contact={contact} onChange={loaded.reload} />
                <Marketing company={company} contact={contact} onChange={loaded.reload} />
              </div>
              <div>
                <Conversations company={company} contact={contact.uuid} />
                <section aria-labelledby="sent">
                  <h2 id="sent">{t('contacts.sent')}</h2>
                  <Sends company={company} query={{ contact_uuid: contact.uuid }} />
                </section>
              </div>
            </div>
            {mayMerge && <Merge company={company} contact={contact} />}
            <Erase contact={contact} onChange={loaded.reload} />
          </>
        )}
      </Shown>
    </>
  );
}

function Details({ contact, onChange }: { readonly contact: Contact; readonly onChange: () => void }) {
  const [saved, setSaved] = useState(false);
  const work = useWork();
  const save = async (form: HTMLFormElement): Promise<void> => {
    const text = (name: string): string => fieldOf(form, name);
    const body = {
      name: text('name') || null,
      email: text('email') || null,
      tags: text('tags')
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
    };
    setSaved(false);
    if (!(await work.run(() => send('PATCH', `/contacts/${contact.uuid}`, body)))) return;
    setSaved(true);
    onChange();
  };
  return (
    <section aria-labelledby="details">
      <h2 id="details">{t('contacts.details')}</h2>
      <form
        data-op="changeContact"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <label>
          {t('contacts.name')}
          <input name="name" maxLength={120} defaultValue={contact.name ?? ''} />
        </label>
        <label>
          {t('contacts.phone')}
          <input value={contact.phone ?? ''} readOnly />
        </label>
        <label>
          {t('contacts.email')}
          <input name="email" type="email" maxLength={254} defaultValue={contact.email ?? ''} />
        </label>
        <label>
          {t('contacts.tags')}
          <input name="tags" defaultValue={(contact.tags ?? []).join(', ')} />
        </label>
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('contacts.save')}
          </button>
          <span role="status">{saved && t('contacts.saved')}</span>
        </div>
      </form>
      {work.error !== null && <ErrorBox error={work.error} />}
    </section>
  );
}

/** Shown at first. */
const CHOICES = 10;

function Marketing({
  company,
  contact,
  onChange,
}: {
  readonly company: string;
  readonly contact: Contact;
  readonly onChange: () => void;
}) {
  const work = useWork();
  const choices = usePages<Schemas['MarketingChoice']>(
    `/contacts/${contact.uuid}/marketing-choices`,
    {},
    ({ event_id: id }) => id,
    { kinds: ['contact'], uuid: contact.uuid },
    CHOICES,
  );
  const wish = contact.marketing_opted_out ? 'opt-in' : 'opt-out';
  return (
    <section aria-labelledby="marketing">
      <h2 id="marketing">{t('contacts.marketing')}</h2>
      <p>
        {contact.marketing_opted_out ? (
          <Badge kind="warn">{t('contacts.out')}</Badge>
        ) : (
          <Badge kind="good">{t('contacts.in')}</Badge>
        )}{' '}
        <button
          data-op="optOutContact"
          type="button"
          disabled={work.busy}
          onClick={() =>
            void work.run(() => send('POST', `/contacts/${contact.uuid}/${wish}`)).then(onChange)
          }
        >
          {t(`contacts.${wish}`)}
        </button>
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Listed pages={choices} empty={<p class="quiet">{t('contacts.noWish')}</p>}>
        {(rows) => (
          <ul class="findings">
            {rows.map(({ event_id: id, at, choice, source, actor, message_uuid: message }) => (
              <li key={id}>
                <Time at={at} /> {named('wish', choice)} · {named('wish.source', source)}
                {actor.name !== null && ` · ${actor.name}`}
                {message !== null && (
                  <>
                    {' · '}
                    <a href={addressOf(company, 'messages', message)} onClick={follow}>
                      {t('contacts.evidence')}
                    </a>
                  </>
                )}
              </li>
            ))}
          </ul>
        )}
      </Listed>
    </section>
  );
}

function Conversations({ company, contact }: { readonly company: string; readonly contact: string }) {
  const loaded = useLoad(
    () => list<Conversation>(`/companies/${company}/conversations`, { contact }),
    [company, contact],
    ['conversation', 'message'],
  );
  return (
    <section aria-labelledby="talks">
      <h2 id="talks">{t('contacts.conversations')}</h2>
      <Shown loaded={loaded}>
        {({ data }) =>
          data.length === 0 ? (
            <p class="quiet">{t('thread.none')}</p>
          ) : (
            <ul class="rows">
              {data.map((row) => (
                <li key={row.uuid}>
                  <a href={addressOf(company, 'inbox', row.uuid, { status: 'all' })} onClick={follow}>
                    <span class="preview">{row.last_message ? lineOf(row.last_message) : '–'}</span>
                    {row.last_message_at && <Time at={row.last_message_at} />}
                    <span class="quiet">{stateOf(row)}</span>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

/** Typing what can't be undone, so that no slip of the finger does it. */
function Erase({ contact, onChange }: { readonly contact: Contact; readonly onChange: () => void }) {
  const [typed, setTyped] = useState('');
  const [erasure, setErasure] = useState<string | null>(null);
  const work = useWork();
  const word = contact.phone ?? contact.uuid;
  const erase = async (): Promise<void> => {
    const answer = await send<{ readonly erasure_uuid: string }>('POST', `/contacts/${contact.uuid}/erase`);
    setErasure(answer.erasure_uuid);
    setTyped('');
    onChange();
  };
  return (
    <section aria-labelledby="erase">
      <h2 id="erase">{t('contacts.erase')}</h2>
      {erasure !== null ? (
        <Progress uuid={erasure} />
      ) : (
        <form
          data-op="eraseContact"
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void work.run(erase);
          }}
        >
          <p>{t('contacts.eraseWhat')}</p>
          <label>
            {t('contacts.eraseType', { word })}
            <input
              value={typed}
              autocomplete="off"
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          </label>
          <button type="submit" class="danger" disabled={work.busy || typed !== word}>
            {t('contacts.erase')}
          </button>
          {work.error !== null && <ErrorBox error={work.error} />}
        </form>
      )}
    </section>
  );
}

function Progress({ uuid }: { readonly uuid: string }) {
  const loaded = useLoad(() => get<Schemas['Erasure']>(`/erasures/${uuid}`), [uuid], 2_000);
  return (
    <Shown loaded={loaded}>
      {({ status, removed, waiting_for }) => (
        <div role="status">
          <Badge kind={status === 'done' ? 'good' : 'warn'}>{t(`erasure.${status}`)}</Badge>{' '}
          {t('erasure.removed', { count: removed })}
          {waiting_for.map((reason) => (
            <p key={reason} class="quiet">
              {reason}
            </p>
          ))}
        </div>
      )}
    </Shown>
  );
}
