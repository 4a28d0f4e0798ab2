/** What a company may choose for itself, each with what it does and what holds at first. */
import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow, type Place, type Section } from '../place.js';
import { useMay, useSession } from '../session.js';
import type { Company } from '../shapes.js';
import { t } from '../words.js';
import { Marketing, OwnWords } from './settings-marketing.js';
import { Saving } from './settings-parts.js';

export function Settings({ company }: { readonly company: string; readonly place: Place }) {
  const loaded = useLoad(() => get<Company>(`/companies/${company}`), [company]);
  return (
    <>
      <h1>{t('nav.settings')}</h1>
      <Shown loaded={loaded}>
        {(read) => (
          <>
            <p class="quiet">{t('settings.what', { name: read.name })}</p>
            <Privacy company={read} onSaved={loaded.reload} />
            <Marketing company={read} onSaved={loaded.reload} />
            <OwnWords company={read} onSaved={loaded.reload} />
            <Fixed company={read} />
            <Elsewhere company={company} />
          </>
        )}
      </Shown>
    </>
  );
}

function Privacy({ company, onSaved }: { readonly company: Company; readonly onSaved: () => void }) {
  const [allowed, setAllowed] = useState(company.privacy.viewers_may_reveal);
  const work = useWork();
  const save = async (): Promise<void> => {
    await send('PATCH', `/companies/${company.uuid}/privacy`, { viewers_may_reveal: allowed });
    onSaved();
  };
  return (
    <section aria-labelledby="privacy">
      <h2 id="privacy">{t('settings.privacy')}</h2>
      <p class="quiet">{t('settings.privacyHow')}</p>
      <form
        data-op="changePrivacy"
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(save);
        }}
      >
        <label class="check wide">
          <input
            type="checkbox"
            checked={allowed}
            onChange={({ currentTarget }) => setAllowed(currentTarget.checked)}
          />
          {t('settings.reveal')} <span class="quiet">{t('settings.off')}</span>
        </label>
        <Saving work={work} label={t('settings.savePrivacy')} />
      </form>
      {useMay('listAudit') && (
        <p>
          <a href={addressOf(company.uuid, 'audit', null, { kind: 'reveal' })} onClick={follow}>
            {t('settings.revealed')}
          </a>
        </p>
      )}
    </section>
  );
}

/** What was chosen when the company was made, and has no operation that changes it. */
const Fixed = ({ company: { name, timezone } }: { readonly company: Company }) => (
  <section aria-labelledby="company-facts">
    <h2 id="company-facts">{t('settings.company')}</h2>
    <dl class="facts">
      <div>
        <dt>{t('settings.name')}</dt>
        <dd>{name}</dd>
      </div>
      <div>
        <dt>{t('settings.timezone')}</dt>
        <dd>{timezone}</dd>
        <dd class="quiet">{t('settings.timezoneHow')}</dd>
      </div>
    </dl>
  </section>
);

const PLACES = [
  ['shop', 'settings.ofShop'],
  ['channels', 'settings.ofChannels'],
  ['webhooks', 'settings.ofWebhooks'],
  ['keys', 'settings.ofKeys'],
  ['people', 'settings.ofPeople'],
  ['account', 'settings.ofAccount'],
] as const satisfies readonly (readonly [Section, string])[];

/** Settings that are beside what they are about. */
function Elsewhere({ company }: { readonly company: string }) {
  const isOperator = useSession().role === 'operator';
  return (
    <section aria-labelledby="elsewhere">
      <h2 id="elsewhere">{t('settings.elsewhere')}</h2>
      <ul class="findings">
        {PLACES.map(([section, word]) => (
          <li key={section}>
            <a href={addressOf(company, section)} onClick={follow}>
              {t(`nav.${section}`)}
            </a>
            : {t(word)}
          </li>
        ))}
        {isOperator && (
          <li>
            <a href={addressOf(company, 'overview')} onClick={follow}>
              {t('nav.overview')}
            </a>
            : {t('settings.ofOverview')}
          </li>
        )}
      </ul>
    </section>
  );
}
