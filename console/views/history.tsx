import { useEffect, useState } from 'preact/hooks';
import type { Schemas } from '../api.js';
import { list } from '../api.js';
import { asApiError } from '../load.js';
import { ErrorBox, Working } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { count, exactTime, t } from '../words.js';
import { EventPage } from './event.js';
import { useNames, type Names } from '../team.js';
import { actorName, type StoredEvent } from './event-parts.js';
import { Filters, filterOf, queryOf, type Filter } from './history-filters.js';

const PAGE = 50;
/** One call examines thousands of events; more calls are made only if somebody asks. */
const CALLS = 4;
const LIVE_WAIT_SECONDS = 20;

export function History({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id !== null) return <EventPage key={place.id} company={company} position={place.id} />;
  const filter = filterOf(place.query);
  return (
    <>
      <h1>{t('nav.history')}</h1>
      <Filters key={place.query.toString()} company={company} filter={filter} />
      <Events key={`events ${place.query.toString()}`} company={company} filter={filter} />
    </>
  );
}

interface Read {
  readonly rows: readonly StoredEvent[];
  readonly next: string | null;
  /** Where the history was read to: live continues from there. */
  readonly position: string | null;
}

type EventPageMeta = Schemas['EventPageMeta'];

async function read(company: string, filter: Filter, after?: string): Promise<Read> {
  let from = after;
  let position: string | null = null;
  for (let calls = 1; ; calls += 1) {
    const page = await list<StoredEvent>('/events', {
      ...queryOf(company, filter),
      limit: PAGE,
      after: from,
    });
    position ??= (page.meta as EventPageMeta).position;
    const next = page.meta.next_cursor;
    if (page.data.length > 0 || next === null || calls === CALLS) return { rows: page.data, next, position };
    from = next;
  }
}

function Events({ company, filter }: { readonly company: string; readonly filter: Filter }) {
  const [state, setState] = useState<Read | null>(null);
  const [error, setError] = useState<ReturnType<typeof asApiError> | null>(null);
  const [busy, setBusy] = useState(true);
  const names = useNames(company);
  const more = (after?: string): void => {
    setBusy(true);
    setError(null);
    read(company, filter, after)
      .then(
        (page) =>
          setState((had) =>
            had === null || after === undefined
              ? page
              : { ...page, rows: [...had.rows, ...page.rows], position: had.position },
          ),
        (thrown: unknown) => setError(asApiError(thrown)),
      )
      .finally(() => setBusy(false));
  };
  useEffect(() => more(), []);
  const prepend = (rows: readonly StoredEvent[]): void =>
    setState((had) => had && { ...had, rows: [...rows, ...had.rows] });
  return (
    <section aria-labelledby="events">
      <div class="actions between">
        <h2 id="events">{t('history.list')}</h2>
        {state !== null && (
          <span class="quiet">{t('history.shown', { count: count(state.rows.length) })}</span>
        )}
        {state !== null && <Live company={company} filter={filter} from={state.position} prepend={prepend} />}
      </div>
      {error !== null && <ErrorBox error={error} retry={() => more(state?.next ?? undefined)} />}
      {state === null && busy && <Working />}
      {state !== null && state.rows.length === 0 && (
        <p class="quiet">{t(state.next === null ? 'history.none' : 'history.noneYet')}</p>
      )}
      {state !== null && state.rows.length > 0 && (
        <ol class="events">
          {state.rows.map((event) => (
            <Row key={event.id} company={company} event={event} names={names} />
          ))}
        </ol>
      )}
      {state !== null && state.next !== null && (
        <button type="button" disabled={busy} onClick={() => more(state.next ?? undefined)}>
          {state.rows.length === 0 ? t('history.further') : t('history.next', { count: PAGE })}
        </button>
      )}
    </section>
  );
}

interface RowProps {
  readonly company: string;
  readonly event: StoredEvent;
  readonly names: Names;
}

function Row({ company, event, names }: RowProps) {
  return (
    <li>
      <time dateTime={event.occurred_at}>{exactTime(event.occurred_at)}</time>
      <a class="type" href={addressOf(company, 'history', event.position)} onClick={follow}>
        {event.type}
      </a>
      <a
        class="stream quiet"
        href={addressOf(company, 'history', null, { stream: event.stream, order: 'asc' })}
        onClick={follow}
      >
        {event.stream}
      </a>
      <span class="quiet">{actorName(event, names)}</span>
    </li>
  );
}

/** Asks again and again for what comes after; what was read stays. */
function Live({
  company,
  filter,
  from,
  prepend,
}: {
  readonly company: string;
  readonly filter: Filter;
  readonly from: string | null;
  readonly prepend: (rows: readonly StoredEvent[]) => void;
}) {
  const [on, setOn] = useState(false);
  const [failed, setFailed] = useState(false);
  const [reached, setReached] = useState(from);
  const possible = filter.order !== 'asc' && filter.to === undefined && filter.position === undefined;
  useEffect(() => {
    if (!on) return;
    let wanted = true;
    const query = { ...queryOf(company, { ...filter, order: 'asc' }), from: undefined };
    const ask = async (): Promise<void> => {
      let after = reached ?? undefined;
      while (wanted) {
        const page = await list<StoredEvent>('/events', { ...query, after, wait: LIVE_WAIT_SECONDS });
        if (!wanted) return;
        after = (page.meta as EventPageMeta).position ?? after;
        setReached(after ?? null);
        if (page.data.length > 0) prepend([...page.data].reverse());
      }
    };
    ask().catch(() => {
      if (!wanted) return;
      setOn(false);
      setFailed(true);
    });
    return () => void (wanted = false);
  }, [on]);
  return (
    <span class="live">
      <button
        type="button"
        aria-pressed={on}
        disabled={!possible}
        title={possible ? undefined : t('history.liveHow')}
        onClick={() => {
          setFailed(false);
          setOn(!on);
        }}
      >
        {t('history.live')}
      </button>
      <span class="quiet" role="status">
        {on ? t('history.liveOn') : failed ? t('history.liveFailed') : ''}
      </span>
    </span>
  );
}
