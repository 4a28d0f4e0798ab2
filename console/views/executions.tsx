/** Executions of a flow, and one of them as a path over the graph of the version that it runs. */
import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import type { Definition } from '../flow/definition.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { fullTime, named, t, type Word } from '../words.js';
import { FlowGraph } from './flow-graph.js';

type Execution = Schemas['Execution'];
type Flow = Schemas['AdminFlow'];

const PAGE = 50;
const STEPS = 100;
const LOOK_EVERY_MS = 10_000;

const KINDS: Readonly<Record<string, 'good' | 'warn' | 'bad' | 'plain'>> = {
  completed: 'good',
  handed_off: 'good',
  waiting: 'plain',
  parked: 'warn',
  failed: 'bad',
};

const State = ({ status }: { readonly status: string }) => (
  <Badge kind={KINDS[status] ?? 'plain'}>{named('run', status)}</Badge>
);

export function Executions({
  company,
  flow,
  chosen,
}: {
  readonly company: string;
  readonly flow: Flow;
  readonly chosen: string | null;
}) {
  return chosen === null ? (
    <All company={company} flow={flow} />
  ) : (
    <One key={chosen} company={company} flow={flow} uuid={chosen} />
  );
}

function All({ company, flow }: { readonly company: string; readonly flow: Flow }) {
  const query = { company, flow: flow.uuid, limit: PAGE };
  const loaded = useLoad(() => list<Execution>('/executions', query), [flow.uuid], LOOK_EVERY_MS);
  const [older, setOlder] = useState<{ rows: readonly Execution[]; next: string | null } | null>(null);
  const work = useWork();
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">{t('flows.tab.runs')}</h2>
      <Shown loaded={loaded}>
        {(first) => {
          const known = new Set(first.data.map(({ uuid }) => uuid));
          const rows = [...first.data, ...(older?.rows ?? []).filter(({ uuid }) => !known.has(uuid))];
          const next = older === null ? first.meta.next_cursor : older.next;
          const more = async (): Promise<void> => {
            const page = await list<Execution>('/executions', { ...query, after: next ?? undefined });
            setOlder({ rows: [...(older?.rows ?? []), ...page.data], next: page.meta.next_cursor });
          };
          if (rows.length === 0) return <p class="quiet">{t('runs.none')}</p>;
          return (
            <>
              <div class="scroll" tabIndex={0} role="group" aria-labelledby="runs">
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t('runs.started')}</th>
                      <th scope="col">{t('flows.status')}</th>
                      <th scope="col">{t('runs.block')}</th>
                      <th scope="col">{t('runs.trigger')}</th>
                      <th scope="col" class="number">
                        {t('flows.version')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {rows.map((one) => (
                      <tr key={one.uuid}>
                        <th scope="row">
                          <a
                            href={addressOf(company, 'flows', flow.uuid, { tab: 'runs', run: one.uuid })}
                            onClick={follow}
                          >
                            <Time at={one.created_at} />
                          </a>
                        </th>
                        <td>
                          <State status={one.status} />
                        </td>
                        <td>{one.block ?? '–'}</td>
                        <td>{one.trigger}</td>
                        <td class="number">{one.flow_version}</td>
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
  );
}

type Detail = Schemas['ExecutionDetail'];
type Step = Schemas['ExecutionStep'];

function One({
  company,
  flow,
  uuid,
}: {
  readonly company: string;
  readonly flow: Flow;
  readonly uuid: string;
}) {
  const [personal, setPersonal] = useState(false);
  const extra = personal ? '?include_personal=true' : '';
  const loaded = useLoad(async () => {
    const run = await get<Detail>(`/executions/${uuid}${extra}`);
    const [steps, { definition }] = await Promise.all([
      list<Step>(`/executions/${uuid}/steps`, {
        limit: STEPS,
        include_personal: personal ? 'true' : undefined,
      }),
      get<{ definition: Definition }>(`/flows/${flow.uuid}/definition?version=${run.flow_version}`),
    ]);
    return { run, steps: steps.data, definition };
  }, [uuid, personal]);
  const work = useWork();
  const move = (verb: 'cancel' | 'resume'): void =>
    void work.run(() => send('POST', `/executions/${uuid}/${verb}`)).then(loaded.reload);
  return (
    <section aria-labelledby="run">
      <a class="up" href={addressOf(company, 'flows', flow.uuid, { tab: 'runs' })} onClick={follow}>
        ‹ {t('runs.all')}
      </a>
      <h2 id="run">{t('runs.title')}</h2>
      <Shown loaded={loaded}>
        {({ run, steps, definition }) => (
          <>
            <p>
              <State status={run.status} />{' '}
              {run.waiting !== null && (
                <span class="quiet">
                  {t('runs.waiting', {
                    what: t(`runs.what.${run.waiting.for}` as Word),
                    until: run.waiting.until === null ? '–' : fullTime(run.waiting.until),
                  })}
                </span>
              )}
              {run.error !== null && <span class="bad">{run.error.message}</span>}
            </p>
            {work.error !== null && <ErrorBox error={work.error} />}
            <div class="actions">
              {run.ended_at === null && (
                <button type="button" disabled={work.busy} onClick={() => move('cancel')}>
                  {t('runs.cancel')}
                </button>
              )}
              {run.status === 'parked' && (
                <button type="button" disabled={work.busy} onClick={() => move('resume')}>
                  {t('runs.resume')}
                </button>
              )}
              {!personal && (
                <button type="button" title={t('runs.personalHow')} onClick={() => setPersonal(true)}>
                  {t('runs.personal')}
                </button>
              )}
              {run.conversation_uuid !== null && (
                <a href={addressOf(company, 'inbox', run.conversation_uuid)} onClick={follow}>
                  {t('runs.conversation')}
                </a>
              )}
            </div>
            {personal && <p class="quiet">{t('runs.personalHow')}</p>}
            <h3>{t('runs.path')}</h3>
            <FlowGraph
              definition={definition}
              linkTo={(block) => addressOf(company, 'flows', flow.uuid, { tab: 'runs', run: uuid, block })}
              path={pathOf(steps, run.block)}
            />
            <h3>{t('runs.steps')}</h3>
            <ol class="findings">
              {steps.map((step, index) => (
                <li key={index}>
                  <Time at={step.at} /> <strong>{step.block ?? ''}</strong> {step.what}
                  {step.way !== null && ` · ${named('field', step.way)}`}
                  {step.to !== null && ` → ${step.to}`}
                  {[step.variables, step.answers].map((values, nth) =>
                    values === null ? null : (
                      <p key={nth} class="quiet">
                        {Object.entries(values)
                          .map(
                            ([name, value]) =>
                              `${name} = ${typeof value === 'string' ? value : JSON.stringify(value)}`,
                          )
                          .join(', ')}
                      </p>
                    ),
                  )}
                </li>
              ))}
            </ol>
          </>
        )}
      </Shown>
    </section>
  );
}

function pathOf(steps: readonly Step[], at: string | null) {
  const blocks = new Set(steps.flatMap(({ block, to }) => [block, to].filter((one) => one !== null)));
  if (at !== null) blocks.add(at);
  const ways = new Set(
    steps.flatMap(({ block, way }) => (block === null || way === null ? [] : [`${block} ${way}`])),
  );
  return { blocks, ways, at };
}
