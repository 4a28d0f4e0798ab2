/** A flow: its head, and one of its parts. What is edited stays while the part changes. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import type { Definition } from '../flow/definition.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import { useMay } from '../session.js';
import { TypedConfirmation } from '../typed-confirmation.js';
import { t } from '../words.js';
import { Executions } from './executions.js';
import { FlowDiff } from './flow-diff.js';
import { FlowEditor } from './flow-editor.js';
import { useFlowEdits } from './flow-edits.js';
import { FlowHead } from './flow-head.js';
import { FlowJson } from './flow-json.js';
import { FlowTry } from './flow-try.js';

type Flow = Schemas['AdminFlow'];

const TABS = ['graph', 'try', 'versions', 'runs', 'json'] as const;

export function FlowPage({
  company,
  uuid,
  place,
}: {
  readonly company: string;
  readonly uuid: string;
  readonly place: Place;
}) {
  const loaded = useLoad(
    () =>
      Promise.all([
        get<Flow>(`/flows/${uuid}`),
        get<{ definition: Definition }>(`/flows/${uuid}/definition`),
      ]),
    [uuid],
  );
  return (
    <>
      <a class="back-link" href={addressOf(company, 'flows')} onClick={follow}>
        ‹ {t('flows.all')}
      </a>
      <Shown loaded={loaded}>
        {([flow, { definition }]) => (
          <Parts company={company} flow={flow} saved={definition} place={place} reload={loaded.reload} />
        )}
      </Shown>
    </>
  );
}

function Parts({
  company,
  flow,
  saved,
  place,
  reload,
}: {
  readonly company: string;
  readonly flow: Flow;
  readonly saved: Definition;
  readonly place: Place;
  readonly reload: () => void;
}) {
  const mayTry = useMay('rehearseFlow');
  const mayChange = useMay('deleteFlow');
  const tabs = TABS.filter((one) => one !== 'try' || mayTry);
  const tab = tabs.find((one) => one === place.query.get('tab')) ?? 'graph';
  const edits = useFlowEdits(flow.name, addressOf(company, 'flows', flow.uuid), saved);
  const { definition, change } = edits;
  return (
    <>
      {edits.question}
      <FlowHead flow={flow} edits={edits} reload={reload} />
      <nav class="tabs" aria-label={t('flows.tabs')}>
        {tabs.map((one) => (
          <a
            key={one}
            href={addressOf(company, 'flows', flow.uuid, { tab: one })}
            onClick={follow}
            {...(one === tab ? { 'aria-current': 'page' as const } : {})}
          >
            {t(`flows.tab.${one}`)}
          </a>
        ))}
      </nav>
      {tab === 'graph' && (
        <FlowEditor
          company={company}
          uuid={flow.uuid}
          definition={definition}
          known={edits.count === 0 ? (flow.problems ?? []) : null}
          chosen={place.query.get('block')}
          onChange={change}
        />
      )}
      {tab === 'try' && <FlowTry key={edits.count} definition={definition} />}
      {tab === 'versions' && <FlowDiff uuid={flow.uuid} version={flow.version} />}
      {tab === 'runs' && <Executions company={company} flow={flow} chosen={place.query.get('run')} />}
      {tab === 'json' && <FlowJson definition={definition} onChange={change} />}
      {mayChange && (
        <div class="pair">
          <Name flow={flow} onRenamed={reload} />
          <section aria-label={t('flows.delete')}>
            <TypedConfirmation
              data-op="deleteFlow"
              label={t('flows.delete')}
              word={flow.name}
              explained={t('flows.deleteHow')}
              run={() => send('DELETE', `/flows/${flow.uuid}`)}
              onDone={() => go(addressOf(company, 'flows'))}
            />
          </section>
        </div>
      )}
    </>
  );
}

function Name({ flow, onRenamed }: { readonly flow: Flow; readonly onRenamed: () => void }) {
  const [name, setName] = useState(flow.name);
  const work = useWork();
  return (
    <section aria-label={t('flows.rename')}>
      <form
        data-op="renameFlow"
        class="actions"
        onSubmit={(event) => {
          event.preventDefault();
          void work
            .run(() => send('PATCH', `/flows/${flow.uuid}`, { name }))
            .then((done) => done && onRenamed());
        }}
      >
        <label>
          {t('flows.name')}{' '}
          <input
            required
            maxLength={200}
            value={name}
            onInput={({ currentTarget }) => setName(currentTarget.value)}
          />
        </label>
        <button type="submit" disabled={work.busy || name.trim() === '' || name === flow.name}>
          {t('flows.rename')}
        </button>
      </form>
      {work.error !== null && <ErrorBox error={work.error} />}
    </section>
  );
}
