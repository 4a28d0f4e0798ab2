/** Who did what: for owners, and for operators also what concerns the server itself. */
import { get, list, type Schemas } from '../api.js';
import { Listed } from '../listed.js';
import { useLoad, useWork } from '../load.js';
import { usePages } from '../pages.js';
import { ErrorBox, fieldOf } from '../parts.js';
import { addressOf, follow, go, type Place, type Section } from '../place.js';
import { Table } from '../table.js';
import { exactTime, named, t } from '../words.js';

type Entry = Schemas['AuditEntry'];

const KINDS: readonly Schemas['AuditKind'][] = [
  ...(['access', 'sign_in', 'reveal', 'key', 'erasure', 'setting', 'webhook'] as const),
  ...(['contact', 'conversation', 'message', 'order', 'product', 'flow'] as const),
];
const NAMES = ['actor', 'kind', 'from', 'to'] as const;
/** Where the page has a page for what a stream is about. */
const SECTION_OF: Readonly<Record<string, Section>> = {
  contact: 'contacts',
  conversation: 'inbox',
  order: 'orders',
  product: 'products',
  flow: 'flows',
  channel: 'channels',
};
const EXPORTED = 10_000;

export function Audit({ company, place }: { readonly company: string; readonly place: Place }) {
  const filter = Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = place.query.get(name) ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
  const query = { ...filter, from: instant(filter['from']), to: instant(filter['to']), company };
  return (
    <>
      <h1>{t('nav.audit')}</h1>
      <p class="quiet">{t('audit.how')}</p>
      <Filters key={JSON.stringify(filter)} company={company} filter={filter} />
      <Entries key={JSON.stringify(query)} company={company} query={query} />
    </>
  );
}

/** Times of the address are those of this browser. */
function instant(local: string | undefined): string | undefined {
  const time = new Date(local ?? '');
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}

function Filters({
  company,
  filter,
}: {
  readonly company: string;
  readonly filter: Readonly<Record<string, string>>;
}) {
  const team = useLoad(
    () => get<readonly Schemas['TeamMember'][]>(`/companies/${company}/team`),
    [company],
    ['team'],
  );
  const people = (team.data ?? []).filter(({ kind }) => kind === 'agent');
  return (
    <form
      class="filters"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const given = NAMES.map((name) => [name, fieldOf(form, name)]).filter(([, value]) => value !== '');
        go(addressOf(company, 'audit', null, Object.fromEntries(given) as Record<string, string>));
      }}
    >
      <label class="field">
        {t('audit.person')}
        <select key={people.length} name="actor" defaultValue={filter['actor'] ?? ''}>
          <option value="">{t('audit.anybody')}</option>
          <option value="admin">{t('audit.operators')}</option>
          {people.map(({ uuid, name }) => (
            <option key={uuid} value={`user:${uuid}`}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="field">
        {t('audit.kind')}
        <select name="kind" defaultValue={filter['kind'] ?? ''}>
          <option value="">{t('form.all')}</option>
          {KINDS.map((kind) => (
            <option key={kind} value={kind}>
              {t(`auditKind.${kind}`)}
            </option>
          ))}
        </select>
      </label>
      {(['from', 'to'] as const).map((name) => (
        <label key={name} class="field">
          {t(`audit.${name}`)}
          <input name={name} type="datetime-local" defaultValue={filter[name] ?? ''} />
        </label>
      ))}
      <button type="submit">{t('audit.filter')}</button>
    </form>
  );
}

function Entries({
  company,
  query,
}: {
  readonly company: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}) {
  const pages = usePages<Entry>('/audit', query, ({ event_id: id }) => id);
  const work = useWork();
  return (
    <section aria-labelledby="audit">
      <div class="actions between">
        <h2 id="audit">{t('audit.list')}</h2>
        <button type="button" disabled={work.busy} onClick={() => void work.run(() => save(query))}>
          {t('audit.csv')}
        </button>
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
      <Listed pages={pages} empty={<p class="quiet">{t('audit.none')}</p>}>
        {(rows) => (
          <Table
            by="audit"
            heads={[t('audit.time'), t('audit.who'), t('audit.kind'), t('audit.what'), t('audit.event')]}
          >
            {rows.map((one) => (
              <tr key={one.event_id}>
                <th scope="row">
                  <time dateTime={one.occurred_at}>{exactTime(one.occurred_at)}</time>
                </th>
                <td>{whoOf(one)}</td>
                <td>{t(`auditKind.${one.kind}`)}</td>
                <td>
                  <What company={company} entry={one} />
                </td>
                <td>
                  <a href={addressOf(company, 'history', one.position)} onClick={follow}>
                    {one.type}
                  </a>
                </td>
              </tr>
            ))}
          </Table>
        )}
      </Listed>
    </section>
  );
}

function whoOf({ actor: { kind, id, name } }: Entry): string {
  if (name !== null) return name;
  if (kind === 'admin') return t('audit.operators');
  return kind === 'visitor' ? t('audit.somebody') : [kind, id].filter(Boolean).join(' ');
}

/** What was done, with what makes it clear, and a way to the thing. */
function What({ company, entry }: { readonly company: string; readonly entry: Entry }) {
  const did = named('did', entry.type);
  const { thing, thing_uuid: revealed, reason, reference, role } = entry.details;
  const [category, ...rest] = entry.stream.split('-');
  const [kind, uuid] = typeof thing === 'string' ? [thing, String(revealed)] : [category ?? '', rest.join('-')];
  const section = kind === 'message' && typeof thing === 'string' ? 'messages' : SECTION_OF[kind];
  const more = [
    typeof role === 'string' ? named('role', role) : null,
    typeof reason === 'string' ? named('reason', reason) : null,
    reference,
  ].filter((text) => text !== null && text !== undefined);
  return (
    <>
      {section === undefined ? (
        did
      ) : (
        <a href={addressOf(company, section, uuid)} onClick={follow}>
          {did}
        </a>
      )}
      {more.length > 0 && <span class="quiet"> · {more.join(' · ')}</span>}
    </>
  );
}

/** The whole list as filtered, page by page. */
async function save(query: Readonly<Record<string, string | undefined>>): Promise<void> {
  const rows: Entry[] = [];
  let after: string | undefined;
  do {
    const page = await list<Entry>('/audit', { ...query, limit: 100, after });
    rows.push(...page.data);
    after = page.meta.next_cursor ?? undefined;
  } while (after !== undefined && rows.length < EXPORTED);
  const lines = rows.map((one) =>
    [one.occurred_at, whoOf(one), one.kind, one.type, one.stream, one.event_id, JSON.stringify(one.details)].map(cell),
  );
  const text = [['time', 'who', 'kind', 'type', 'stream', 'event_id', 'details'], ...lines]
    .map((line) => line.join(','))
    .join('\r\n');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv' }));
  link.download = 'audit.csv';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** A spreadsheet must not take a name for a formula. */
const cell = (text: string): string =>
  `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
