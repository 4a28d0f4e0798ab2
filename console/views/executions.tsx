/** Executions of a flow, and one of them as a path over the graph of the version that it runs. */
import { useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import type { Definition } from '../flow/definition.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, messageOf, Shown, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Table } from '../table.js';
import { fullTime, named, t, type Word } from '../words.js';
import { FlowGraph } from './flow-graph.js';
import { wayText } from './flow-problem.js';

type Execution = Schemas['Execution'];
type Flow = Schemas['AdminFlow'];

const STEPS = 100;

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
  const query = { company, flow: flow.uuid };
  const pages = usePages<Execution>('/executions', query, ({ uuid }) => uuid, ['execution']);
  return (
    <section aria-labelledby="runs">
      <h2 id="runs">{t('flows.tab.runs')}</h2>
      <Listed pages={pages} empty={<p class="quiet">{t('runs.none')}</p>}>
        {(rows) => (
          <Table
            by="runs"
            heads={[
              t('runs.started'),
              t('flows.status'),
              t('runs.block'),
              t('runs.trigger'),
              { number: t('flows.version') },
            ]}
          >
            {rows.map((one) => (
              <tr key={one.uuid}>
                <th scope="row">
                  <a
                    data-op="getExecution"
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
                <td>{named('trigger', one.trigger)}</td>
                <td class="number">{one.flow_version}</td>
              </tr>
            ))}
          </Table>
        )}
      </Listed>
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
  const loaded = useLoad(
    async () => {
      const run = await get<Detail>(`/executions/${uuid}${extra}`);
      const [steps, { definition }] = await Promise.all([
        list<Step>(`/executions/${uuid}/steps`, {
          limit: STEPS,
          include_personal: personal ? 'true' : undefined,
        }),
        get<{ definition: Definition }>(`/flows/${flow.uuid}/definition?version=${run.flow_version}`),
      ]);
      return { run, steps: steps.data, definition };
      // Each reading of values is logged.
    },
    [uuid, personal],
    personal ? 0 : { kinds: ['execution'], uuid },
  );
  const work = useWork();
  const move = (verb: 'cancel' | 'resume'): void =>
    void work.run(() => send('POST', `/executions/${uuid}/${verb}`)).then(loaded.reload);
  return (
    <section aria-labelledby="run">
      <a class="back-link" href={addressOf(company, 'flows', flow.uuid, { tab: 'runs' })} onClick={follow}>
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
                  {t(run.waiting.until === null ? 'runs.waitingOpen' : 'runs.waiting', {
                    what: t(`runs.what.${run.waiting.for}` as Word),
                    until: run.waiting.until === null ? '' : fullTime(run.waiting.until),
                  })}
                </span>
              )}
              {run.error !== null && <span class="bad">{messageOf(run.error)}</span>}
            </p>
            {work.error !== null && <ErrorBox error={work.error} />}
            <div class="actions">
              {run.ended_at === null && (
                <button
                  data-op="cancelExecution"
                  type="button"
                  disabled={work.busy}
                  onClick={() => move('cancel')}
                >
                  {t('runs.cancel')}
                </button>
              )}
              {run.status === 'parked' && (
                <button
                  data-op="resumeExecution"
                  type="button"
                  disabled={work.busy}
                  onClick={() => move('resume')}
                >
                  {t('runs.resume')}
                </button>
              )}
              {!personal && (
                <button type="button" onClick={() => setPersonal(true)}>
                  {t('runs.personal')}
                </button>
              )}
              {run.conversation_uuid !== null && (
                <a href={addressOf(company, 'inbox', run.conversation_uuid)} onClick={follow}>
                  {t('runs.conversation')}
                </a>
              )}
            </div>
            <p class="quiet">{t('runs.personalHow')}</p>
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
                  <Time at={step.at} /> <strong>{step.block ?? ''}</strong> {named('step', step.what)}
                  {step.way !== null && ` · ${wayText(step.way)}`}
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
