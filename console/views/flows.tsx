import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import { useWork } from '../load.js';
import { Badge, ErrorBox, Time } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Table } from '../table.js';
import { t } from '../words.js';
import { FlowPage } from './flow.js';

type Flow = Schemas['AdminFlow'];

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
  const pages = usePages<Flow>(path, {}, ({ uuid }) => uuid, ['flow']);
  return (
    <>
      <h1>{t('nav.flows')}</h1>
      <section aria-labelledby="flows">
        <h2 id="flows" class="hidden">
          {t('nav.flows')}
        </h2>
        <Listed pages={pages} empty={<p class="quiet">{t('flows.none')}</p>}>
          {(rows) => (
            <Table
              by="flows"
              heads={[t('flows.name'), t('flows.status'), { number: t('flows.version') }, t('flows.changed')]}
            >
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
            </Table>
          )}
        </Listed>
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
      work.go(addressOf(company, 'flows', made.uuid));
    });
  };
  return (
    <section aria-labelledby="new-flow">
      <h2 id="new-flow">{t('flows.new')}</h2>
      <form
        data-op="createFlow"
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
        <details>
          <summary>{t('flows.fromOther')}</summary>
          <label>
            {t('flows.import')}
            <textarea
              rows={3}
              spellcheck={false}
              value={json}
              onInput={({ currentTarget }) => setJson(currentTarget.value)}
            />
          </label>
        </details>
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
