/** A flow: its head, and one of its parts. What is edited stays while the part changes. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useAsk } from '../ask.js';
import type { Definition } from '../flow/definition.js';
import { useLeaving } from '../leaving.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, go, type Place } from '../place.js';
import { useMay } from '../session.js';
import { TypedConfirmation } from '../typed-confirmation.js';
import { useUnsent } from '../unsent.js';
import { t } from '../words.js';
import { Executions } from './executions.js';
import { FlowDiff } from './flow-diff.js';
import { FlowEditor } from './flow-editor.js';
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
  /** The newest last; the first is what is saved. */
  const [edits, setEdits] = useState<readonly Definition[]>([]);
  const definition = edits.at(-1) ?? saved;
  const change = (next: Definition): void => setEdits([...edits, next]);
  const [said, setSaid] = useState<'saved' | 'published' | 'unpublished' | null>(null);
  const work = useWork();
  const path = `/flows/${flow.uuid}`;
  const act = (done: typeof said, run: () => Promise<unknown>): void => {
    setSaid(null);
    void work.run(run).then((worked) => {
      if (!worked) return;
      setSaid(done);
      reload();
    });
  };
  const [ask, question] = useAsk();
  const own = addressOf(company, 'flows', flow.uuid);
  useLeaving(
    edits.length > 0,
    (address) => address.split('?')[0] === own,
    (leave) =>
      void ask({
        title: t('flows.leaveTitle'),
        text: t('flows.leaveText'),
        yes: t('flows.leave'),
      }).then((yes) => {
        if (yes !== null) leave();
      }),
  );
  useUnsent(() =>
    edits.length === 0 ? null : { label: flow.name, text: JSON.stringify(definition, null, 2) },
  );
  const save = async (): Promise<void> => {
    await send('PUT', `${path}/draft`, { definition });
    setEdits([]);
  };
  return (
    <>
      {question}
      <div class="title">
        <h1>{flow.name}</h1>
        <Badge kind={flow.status === 'active' ? 'good' : 'plain'}>{t(`flows.${flow.status}`)}</Badge>
        {flow.version !== null && (
          <span class="quiet">
            {t('flows.version')} {flow.version}
          </span>
        )}
        {edits.length > 0 && <Badge kind="warn">{t('flows.unsaved')}</Badge>}
        {edits.length === 0 && flow.version !== null && flow.draft_differs && (
          <Badge kind="warn">{t('flows.differs')}</Badge>
        )}
        <div class="actions end">
          <button
            data-op="saveFlowDraft"
            type="button"
            class="main"
            disabled={work.busy || edits.length === 0}
            onClick={() => act('saved', save)}
          >
            {t('flows.save')}
          </button>
          <button
            data-op="saveFlowDraft"
            type="button"
            disabled={edits.length === 0}
            onClick={() => setEdits(edits.slice(0, -1))}
          >
            {t('flows.undo')}
          </button>
          <button
            data-op="publishFlow"
            type="button"
            disabled={work.busy || edits.length > 0 || (flow.status === 'active' && !flow.draft_differs)}
            onClick={() => act('published', () => send('POST', `${path}/publish`))}
          >
            {t('flows.publish')}
          </button>
          {flow.status === 'active' && (
            <button
              data-op="unpublishFlow"
              type="button"
              disabled={work.busy}
              onClick={() => act('unpublished', () => send('POST', `${path}/unpublish`))}
            >
              {t('flows.unpublish')}
            </button>
          )}
          <span role="status" class="quiet">
            {said !== null && t(`flows.${said}`)}
          </span>
        </div>
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
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
          known={edits.length === 0 ? (flow.problems ?? []) : null}
          chosen={place.query.get('block')}
          onChange={change}
        />
      )}
      {tab === 'try' && <FlowTry key={edits.length} definition={definition} />}
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
              run={() => send('DELETE', path)}
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
