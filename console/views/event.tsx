import { list, type Schemas } from '../api.js';
import { CopyButton } from '../copy.js';
import { useLoad } from '../load.js';
import { Shown } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { exactTime, t } from '../words.js';
import { Tree } from './event-tree.js';
import { useNames } from '../team.js';
import { actorName, actorText, whenRecorded, type StoredEvent } from './event-parts.js';

export function EventPage({ company, position }: { readonly company: string; readonly position: string }) {
  const loaded = useLoad(
    () =>
      Promise.all([list<StoredEvent>('/events', at(position)), list<Schemas['EventType']>('/events/types')]),
    [position],
  );
  return (
    <>
      <a class="back-link" href={addressOf(company, 'history')} onClick={follow}>
        ‹ {t('history.back')}
      </a>
      <Shown loaded={loaded}>
        {([{ data }, types]) =>
          data[0]?.position === position ? (
            <Found company={company} event={data[0]} types={types.data} />
          ) : (
            <p>{t('history.gone')}</p>
          )
        }
      </Shown>
    </>
  );
}

const at = (position: string) => ({ to: position, order: 'desc', limit: 1 });

function Found({
  company,
  event,
  types,
}: {
  readonly company: string;
  readonly event: StoredEvent;
  readonly types: readonly Schemas['EventType'][];
}) {
  const names = useNames(company);
  const known = types.find(({ type }) => type === event.type);
  const linkTo = (query: Readonly<Record<string, string>>, text: string) => (
    <a href={addressOf(company, 'history', null, query)} onClick={follow}>
      {text}
    </a>
  );
  const correlation = event.correlation_id ?? null;
  return (
    <>
      <h1>{event.type}</h1>
      {known !== undefined && <p class="quiet">{whenRecorded(known)}</p>}
      <section aria-label={t('history.event')}>
        <dl class="facts">
          <Fact name={t('history.when')}>
            <time dateTime={event.occurred_at}>{exactTime(event.occurred_at)}</time>
          </Fact>
          <Fact name={t('history.stream')}>
            {linkTo({ stream: event.stream, order: 'asc' }, event.stream)}
          </Fact>
          <Fact name={t('history.revision')}>{event.revision}</Fact>
          <Fact name={t('history.at')}>{event.position}</Fact>
          <Fact name={t('history.id')}>{event.id}</Fact>
          <Fact name={t('history.version')}>{event.schema_version}</Fact>
          <Fact name={t('nav.company')}>{event.company_uuid ?? t('history.noCompany')}</Fact>
          <Fact name={t('history.actor')}>
            {linkTo({ actor: actorText(event) }, actorName(event, names))}
          </Fact>
          {event.person && <Fact name={t('history.person')}>{event.person}</Fact>}
          {correlation !== null && (
            <Fact name={t('history.correlation')}>{linkTo({ correlation, whose: 'all' }, correlation)}</Fact>
          )}
          {event.causation_id && <Fact name={t('history.cause')}>{event.causation_id}</Fact>}
        </dl>
        <div class="actions">
          <CopyButton text={JSON.stringify(event, null, 2)}>{t('history.copyJson')}</CopyButton>
          <CopyButton text={`recado events list --newest --to ${event.position} --limit 1 --json`}>
            {t('history.copyCli')}
          </CopyButton>
        </div>
      </section>
      <section aria-labelledby="data">
        <h2 id="data">{t('history.data')}</h2>
        {JSON.stringify(event.data).includes('"***"') && <p class="quiet">{t('history.sealed')}</p>}
        <Data company={company} value={event.data} known={new Set(types.map(({ aggregate }) => aggregate))} />
      </section>
      {correlation !== null && (
        <Tree key={event.position} company={company} event={event} correlation={correlation} />
      )}
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

const LINE = /^(\s*"(\w+?)(?:_uuid)?": ")([0-9a-f]{8}-[0-9a-f-]{27})(",?)$/;

/** JSON as it is, in which the uuids lead to their streams. */
function Data({
  company,
  value,
  known,
}: {
  readonly company: string;
  readonly value: unknown;
  readonly known: ReadonlySet<string>;
}) {
  const lines = JSON.stringify(value, null, 2).split('\n');
  return (
    <pre class="data" tabIndex={0}>
      {lines.map((line, index) => {
        const [, before = '', field = '', uuid = '', after = ''] = LINE.exec(line) ?? [];
        const end = index === lines.length - 1 ? '' : '\n';
        if (line.includes('"***"'))
          return (
            <span class="sealed">
              {line}
              {end}
            </span>
          );
        if (!known.has(field)) return line + end;
        return (
          <>
            {before}
            <a
              href={addressOf(company, 'history', null, { stream: `${field}-${uuid}`, order: 'asc' })}
              onClick={follow}
            >
              {uuid}
            </a>
            {after + end}
          </>
        );
      })}
    </pre>
  );
}
