/** The flow that runs with the person, and the way to take over from it. */
import { list, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Conversation } from '../shapes.js';
import { fullTime, t } from '../words.js';

type Execution = Schemas['Execution'];

const RUNNING: ReadonlySet<string> = new Set(['queued', 'processing', 'waiting', 'parked']);

export interface Running {
  readonly flows: readonly Execution[];
  /** Ends them; null while none runs. */
  readonly takeOver: (() => Promise<void>) | null;
}

export function useRunning(company: string, uuid: string, conversation: Conversation | undefined): Running {
  const contact = conversation?.contact?.uuid;
  const loaded = useLoad(
    (): Promise<readonly Execution[]> =>
      contact === undefined
        ? Promise.resolve([])
        : list<Execution>('/executions', { company, contact, limit: 10 }).then(({ data }) => data),
    [company, contact],
    ['execution'],
  );
  // Those of the person's other conversations go on.
  const flows = (loaded.data ?? []).filter(
    ({ status, conversation_uuid: where }) => RUNNING.has(status) && (where === null || where === uuid),
  );
  const takeOver = async (): Promise<void> => {
    await send('POST', `/conversations/${uuid}/take-over`);
    loaded.reload();
  };
  return { flows, takeOver: flows.some(({ conversation_uuid: where }) => where === uuid) ? takeOver : null };
}

export function FlowBanner({
  company,
  running: { flows, takeOver },
  onChange,
}: {
  readonly company: string;
  readonly running: Running;
  readonly onChange: () => void;
}) {
  const work = useWork();
  return (
    <>
      {flows.map(({ uuid, flow_uuid: flow, flow_name: name, waiting, status }) => (
        <p key={uuid} class="flow">
          {t('thread.flow.running')}{' '}
          <a href={addressOf(company, 'flows', flow, { tab: 'runs', run: uuid })} onClick={follow}>
            “{name}”
          </a>
          {status === 'waiting' && waiting !== null && <> · {waitOf(waiting)}</>}
          {status === 'parked' && <> · {t('thread.flow.parked')}</>}
          {takeOver !== null && (
            <button
              data-op="takeOverConversation"
              type="button"
              disabled={work.busy}
              onClick={() => void work.run(takeOver).then((done) => done && onChange())}
            >
              {t('thread.takeOver')}
            </button>
          )}
        </p>
      ))}
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}

function waitOf({ for: what, until }: NonNullable<Execution['waiting']>): string {
  if (what === 'time' && until !== null) return t('thread.flow.time', { time: fullTime(until) });
  return t(
    what === 'answer' ? 'thread.flow.answer' : what === 'flow' ? 'thread.flow.flow' : 'thread.flow.callback',
  );
}
