/** Who did what: for owners, and for operators also what concerns the server itself. */
import { leastOf } from '../may.js';
import { Listed } from '../listed.js';
import { usePages } from '../pages.js';
import { Badge } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { useMay } from '../session.js';
import { exactTime, named, t } from '../words.js';
import { Export } from './audit-export.js';
import { auditFilterOf, auditQueryOf, Filters } from './audit-filters.js';
import { namesOf, useTeam, type Names } from '../team.js';
import { placeOf, wordsOf, whoOf, type Entry } from './audit-parts.js';

/** What people change; a message of a customer is none of it. */
const CHANGED = [
  ...(['team', 'integration', 'channel', 'store', 'flow', 'product', 'order'] as const),
  ...(['conversation', 'contact'] as const),
];

interface Props {
  readonly company: string;
  readonly place: Place;
}

export function Audit(props: Props) {
  const may = useMay('listAudit');
  return (
    <>
      <h1>{t('nav.audit')}</h1>
      {may ? (
        <Acts {...props} />
      ) : (
        <p class="quiet">{t('may.more', { role: named('role', leastOf('listAudit')) })}</p>
      )}
    </>
  );
}

function Acts({ company, place }: Props) {
  const filter = auditFilterOf(place.query);
  const team = useTeam(company);
  const people = (team.data ?? []).filter(({ kind }) => kind === 'agent');
  const names = namesOf(team.data);
  return (
    <>
      <p class="quiet">{t('audit.how')}</p>
      <Filters key={place.query.toString()} company={company} filter={filter} people={people} />
      <Entries
        key={place.query.toString()}
        company={company}
        query={auditQueryOf(company, filter)}
        names={names}
      />
    </>
  );
}

interface EntriesProps {
  readonly company: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly names: Names;
}

function Entries({ company, query, names }: EntriesProps) {
  const pages = usePages<Entry>('/audit', query, ({ event_id: id }) => id, CHANGED);
  return (
    <section aria-labelledby="audit">
      <div class="actions between">
        <h2 id="audit">{t('audit.list')}</h2>
        <button type="button" onClick={pages.reload}>
          {t('audit.again')}
        </button>
        <Export query={query} names={names} />
      </div>
      <Listed pages={pages} empty={<p class="quiet">{t('audit.none')}</p>}>
        {(rows) => (
          <ol class="acts">
            {rows.map((one) => (
              <Row key={one.event_id} company={company} entry={one} names={names} />
            ))}
          </ol>
        )}
      </Listed>
    </section>
  );
}

interface RowProps {
  readonly company: string;
  readonly entry: Entry;
  readonly names: Names;
}

/** Who, what, to what; and the event that is its evidence. */
function Row({ company, entry, names }: RowProps) {
  const { did, more } = wordsOf(entry, names);
  const address = placeOf(company, entry);
  return (
    <li>
      <time dateTime={entry.occurred_at}>{exactTime(entry.occurred_at)}</time>
      <span class="who">{whoOf(entry)}</span>
      <span class="what">
        {address === null ? (
          did
        ) : (
          <a href={address} onClick={follow}>
            {did}
          </a>
        )}
        {more.length > 0 && <span class="quiet"> · {more.join(' · ')}</span>}
      </span>
      <span class="of">
        <Badge kind="plain">{named('auditKind', entry.kind)}</Badge>
      </span>
      <a
        class="event quiet"
        href={addressOf(company, 'history', entry.position)}
        aria-label={t('audit.eventOf', { type: entry.type })}
        onClick={follow}
      >
        {entry.type}
      </a>
    </li>
  );
}
