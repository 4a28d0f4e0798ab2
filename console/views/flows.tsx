import { useState } from 'preact/hooks';
import { list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import { t } from '../words.js';
import { FlowPage } from './flow.js';

type Flow = Schemas['AdminFlow'];

const PAGE = 50;

export function Flows({ company, place }: { readonly company: string; readonly place: Place }) {
  return place.id === null ? (
    <All company={company} />
  ) : (
    <FlowPage key={place.id} company={company} uuid={place.id} place={place} />
  );
}

export function Published({ flow }: { readonly flow: Flow }) {
  return (
    <>
      <Badge kind={flow.status === 'active' ? 'good' : 'plain'}>{t(`flows.${flow.status}`)}</Badge>
      {flow.status === 'active' && flow.draft_differs && <span class="quiet"> {t('flows.differs')}</span>}
    </>
  );
}

function All({ company }: { readonly company: string }) {
  const path = `/companies/${company}/flows`;
  const loaded = useLoad(() => list<Flow>(path, { limit: PAGE }), [company]);
  const [older, setOlder] = useState<{ rows: readonly Flow[]; next: string | null } | null>(null);
  const work = useWork();
  return (
    <>
      <h1>{t('nav.flows')}</h1>
      <section aria-labelledby="flows">
        <h2 id="flows" class="hidden">
          {t('nav.flows')}
        </h2>
        <Shown loaded={loaded}>
          {(first) => {
            const rows = [...first.data, ...(older?.rows ?? [])];
            const next = older === null ? first.meta.next_cursor : older.next;
            const more = async (): Promise<void> => {
              const page = await list<Flow>(path, { limit: PAGE, after: next ?? undefined });
              setOlder({ rows: [...(older?.rows ?? []), ...page.data], next: page.meta.next_cursor });
            };
            if (rows.length === 0) return <p class="quiet">{t('flows.none')}</p>;
            return (
              <>
                <div class="scroll" tabIndex={0} role="group" aria-labelledby="flows">
                  <table>
                    <thead>
                      <tr>
                        <th scope="col">{t('flows.name')}</th>
                        <th scope="col">{t('flows.status')}</th>
                        <th scope="col" class="number">
                          {t('flows.version')}
                        </th>
                        <th scope="col">{t('flows.changed')}</th>
                      </tr>
                    </thead>
                    <tbody>
                      {rows.map((flow) => (
                        <tr key={flow.uuid}>
                          <th scope="row">
                            <a href={addressOf(company, 'flows', flow.uuid)} onClick={follow}>
                              {flow.name}
                            </a>
                          </th>
                          <td>
                            <Published flow={flow} />
                          </td>
                          <td class="number">{flow.version ?? '–'}</td>
                          <td>
                            <Time at={flow.updated_at} />
                          </td>
                        </tr>
                      ))}
                    </tbody>
                  </table>
                </div>
                {work.error !== null && <ErrorBox error={work.error} />}
                {next !== null && (
                  <button type="button" disabled={work.busy} onClick={() => void work.run(more)}>
                    {t('load.more')}
                  </button>
                )}
              </>
            );
          }}
        </Shown>
      </section>
      <NewFlow company={company} />
    </>
  );
}

function NewFlow({ company }: { readonly company: string }) {
  const [name, setName] = useState('');
  const [json, setJson] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const work = useWork();
  const create = (): void => {
    let definition: unknown = {
      schema: 1,
      start: 'hello',
      blocks: { hello: { type: 'send_text', text: t('flows.hello'), next: null } },
    };
    try {
      if (json.trim() !== '') definition = JSON.parse(json);
    } catch (error) {
      setFault(t('flows.notJson', { why: String(error) }));
      return;
    }
    setFault(null);
    void work.run(async () => {
      const made = await send<Flow>('POST', `/companies/${company}/flows`, { name, definition });
      go(addressOf(company, 'flows', made.uuid));
    });
  };
  return (
    <section aria-labelledby="new-flow">
      <h2 id="new-flow">{t('flows.new')}</h2>
      <form
        class="new-flow"
        onSubmit={(event) => {
          event.preventDefault();
          create();
        }}
      >
        <label>
          {t('flows.name')}
          <input
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <label>
          {t('flows.import')}
          <textarea
            rows={3}
            spellcheck={false}
            value={json}
            onInput={({ currentTarget }) => setJson(currentTarget.value)}
          />
        </label>
        {fault !== null && (
          <p class="bad" role="alert">
            {fault}
          </p>
        )}
        {work.error !== null && <ErrorBox error={work.error} />}
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('flows.create')}
          </button>
        </div>
      </form>
    </section>
  );
}
