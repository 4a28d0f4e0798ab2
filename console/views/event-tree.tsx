/** The events of one correlation, over all streams, each below the one that caused it. */
import { list } from '../api.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { exactTime, t } from '../words.js';
import type { StoredEvent } from './event-parts.js';

const MOST = 100;

/** Bounded: one call examines a part of the history on each side of the event. */
async function relatedTo(event: StoredEvent, correlation: string): Promise<readonly StoredEvent[]> {
  const query = { correlation, limit: MOST, after: event.position };
  const [before, behind] = await Promise.all([
    list<StoredEvent>('/events', { ...query, order: 'desc' }),
    list<StoredEvent>('/events', query),
  ]);
  return [...[...before.data].reverse(), event, ...behind.data];
}

export interface Node {
  readonly event: StoredEvent;
  readonly below: readonly Node[];
}

/** An event whose cause is not among these is a root. */
export function treeOf(events: readonly StoredEvent[]): readonly Node[] {
  const ids = new Set(events.map(({ id }) => id));
  const childrenOf = (id: string): readonly Node[] =>
    events.filter((one) => one.causation_id === id && one.id !== id).map(nodeOf);
  const nodeOf = (event: StoredEvent): Node => ({ event, below: childrenOf(event.id) });
  return events.filter(({ causation_id: cause, id }) => cause === id || !ids.has(cause ?? '')).map(nodeOf);
}

export function Tree({
  company,
  event,
  correlation,
}: {
  readonly company: string;
  readonly event: StoredEvent;
  readonly correlation: string;
}) {
  const loaded = useLoad(() => relatedTo(event, correlation), [event.position]);
  return (
    <section aria-labelledby="tree">
      <h2 id="tree">{t('history.tree')}</h2>
      <Shown loaded={loaded}>
        {(events) =>
          events.length === 1 ? (
            <p class="quiet">{t('history.treeAlone')}</p>
          ) : (
            <>
              <p class="quiet">{t('history.treeHow')}</p>
              <Nodes company={company} nodes={treeOf(events)} here={event.id} />
            </>
          )
        }
      </Shown>
    </section>
  );
}

function Nodes({
  company,
  nodes,
  here,
}: {
  readonly company: string;
  readonly nodes: readonly Node[];
  readonly here: string;
}) {
  return (
    <ul class="tree">
      {nodes.map(({ event, below }) => (
        <li key={event.id}>
          <div {...(event.id === here ? { 'aria-current': 'true' as const } : {})}>
            <a href={addressOf(company, 'history', event.position)} onClick={follow}>
              {event.type}
            </a>{' '}
            <span class="quiet">
              {event.stream} · {exactTime(event.occurred_at)}
              {event.id === here && <> · {t('history.here')}</>}
            </span>
          </div>
          {below.length > 0 && <Nodes company={company} nodes={below} here={here} />}
        </li>
      ))}
    </ul>
  );
}
