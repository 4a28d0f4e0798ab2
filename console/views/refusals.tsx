/** Sends that were refused when they were asked for, by what refused them. */
import { useState } from 'preact/hooks';
import { list, type Schemas } from '../api.js';
import { Listed } from '../listed.js';
import { useLoad } from '../load.js';
import { usePages } from '../pages.js';
import { messageOf, Shown, Time } from '../parts.js';
import type { Integration } from '../shapes.js';
import { sumBy } from '../sums.js';
import { count, t } from '../words.js';

const LOOK_EVERY_MS = 30_000;

type Refused = Schemas['RefusedSend'];

export function Refusals({ company, phone }: { readonly company: string; readonly phone: string }) {
  const loaded = useLoad(
    () => list<Integration>(`/companies/${company}/integrations`, { limit: 100 }),
    [company],
    ['integration'],
  );
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Shown loaded={loaded}>
      {({ data }) => {
        const whose = data.find(({ uuid }) => uuid === chosen) ?? data[0];
        if (whose === undefined) return <p class="quiet">{t('messages.noRefusals')}</p>;
        return (
          <>
            {data.length > 1 && (
              <label class="field">
                {t('messages.integration')}
                <select value={whose.uuid} onChange={({ currentTarget }) => setChosen(currentTarget.value)}>
                  {data.map(({ uuid, name }) => (
                    <option key={uuid} value={uuid}>
                      {name}
                    </option>
                  ))}
                </select>
              </label>
            )}
            <OfIntegration key={whose.uuid} company={company} integration={whose.uuid} phone={phone} />
          </>
        );
      }}
    </Shown>
  );
}

function OfIntegration({
  company,
  integration,
  phone,
}: {
  readonly company: string;
  readonly integration: string;
  readonly phone: string;
}) {
  const pages = usePages<Refused>(
    `/companies/${company}/messages/refusals`,
    { integration, ...(phone === '' ? {} : { phone }) },
    ({ at, request_id: request }) => `${at} ${request}`,
    // A refusal changes nothing that the stream tells of.
    LOOK_EVERY_MS,
  );
  return (
    <Listed pages={pages} empty={<p class="quiet">{t('messages.noRefusals')}</p>}>
      {(rows) => (
        <>
          <p class="actions" aria-label={t('messages.refusalsByCode')} role="group">
            {sumBy(rows, ({ code: refusal }) => refusal).map(([code, sum]) => (
              <span key={code}>
                {count(sum)} × <code>{code}</code>
              </span>
            ))}
          </p>
          <ul class="findings">
            {rows.map((row) => (
              <li key={`${row.at} ${row.request_id}`}>
                <p>
                  <Time at={row.at} /> · <strong>{row.phone ?? t('inbox.somebody')}</strong>
                  {row.template !== null && <> · {row.template}</>}
                </p>
                <p>{messageOf(row)}</p>
                <p class="quiet">
                  <code>{row.code}</code> · {t('error.request', { id: row.request_id })}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </Listed>
  );
}
