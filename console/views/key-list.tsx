/** The API keys of an integration, for owners: list, make one, revoke one. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useAsk } from '../ask.js';
import { CopyButton } from '../copy.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Ago, Badge, ErrorBox, fieldOf, Shown, Time } from '../parts.js';
import { useSession } from '../session.js';
import type { Integration } from '../shapes.js';
import { Table } from '../table.js';
import { named, t } from '../words.js';
import { ShownOnce } from './shown-once.js';

type Key = Schemas['ApiKey'];
type Created = Schemas['ApiKeyCreated'];
type Scope = Schemas['ApiKeyWrite']['scopes'][number];

const SCOPES: readonly Scope[] = [
  'messages:send',
  'operations:read',
  'conversations:read',
  'templates:read',
  'channels:read',
  'contacts:read',
  'contacts:write',
  'flows:read',
  'flows:execute',
  'store:read',
  'store:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
];
const READING = SCOPES.filter((scope) => scope.endsWith(':read'));

/** What a key can be tried by: the first that its scopes allow, and that needs nothing else. */
const TRIES: Readonly<Partial<Record<Scope, string>>> = {
  'channels:read': '/channels',
  'contacts:read': '/contacts',
  'conversations:read': '/conversations',
  'templates:read': '/templates',
  'flows:read': '/flows',
  'store:read': '/store',
  'events:read': '/events',
  'webhooks:read': '/webhooks',
};

export function ApiKeys({ integration: { uuid } }: { readonly integration: Integration }) {
  const path = `/integrations/${uuid}/keys`;
  const loaded = useLoad(() => get<readonly Key[]>(path), [path], ['integration']);
  const [made, setMade] = useState<Created | null>(null);
  const [ask, question] = useAsk();
  const work = useWork();
  const revoke = async ({ key_id: id, label }: Key): Promise<void> => {
    const sure = await ask({
      title: t('apiKeys.revokeTitle', { name: label }),
      text: t('apiKeys.revokeText'),
      yes: t('apiKeys.revoke'),
    });
    if (sure === null || !(await work.run(() => send('DELETE', `${path}/${id}`)))) return;
    if (made?.key_id === id) setMade(null);
    loaded.reload();
  };
  return (
    <section aria-labelledby="api-keys">
      <h2 id="api-keys">{t('apiKeys.keys')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      {made !== null && (
        <ShownOnce
          title={t('apiKeys.shown')}
          how={t('apiKeys.shownHow')}
          text={made.api_key}
          copy={t('apiKeys.copy')}
        >
          <Try scopes={made.scopes} />
        </ShownOnce>
      )}
      <Shown loaded={loaded}>
        {(keys) =>
          keys.length === 0 ? (
            <p>{t('apiKeys.noKeys')}</p>
          ) : (
            <Table
              by="api-keys"
              heads={[
                t('apiKeys.label'),
                t('apiKeys.begins'),
                t('apiKeys.scopes'),
                t('apiKeys.made'),
                t('apiKeys.used'),
                t('apiKeys.state'),
                null,
              ]}
            >
              {keys.map((key) => (
                <Row key={key.key_id} item={key} busy={work.busy} onRevoke={() => void revoke(key)} />
              ))}
            </Table>
          )
        }
      </Shown>
      <NewKey
        path={path}
        onMade={(key) => {
          setMade(key);
          loaded.reload();
        }}
      />
      {question}
    </section>
  );
}

function Row({
  item,
  busy,
  onRevoke,
}: {
  readonly item: Key;
  readonly busy: boolean;
  readonly onRevoke: () => void;
}) {
  const { label, prefix, scopes, created_at: made, last_used_at: used, revoked_at: revoked } = item;
  return (
    <tr>
      <th scope="row">{label}</th>
      <td>
        <code>{prefix}</code>
      </td>
      <td class="quiet">{scopes.map((scope) => named('scope', scope)).join(', ')}</td>
      <td>
        <Time at={made} />
      </td>
      <td>{used === null ? t('apiKeys.never') : <Ago at={used} />}</td>
      <td>
        {revoked === null ? (
          <Badge kind="good">{t('apiKeys.works')}</Badge>
        ) : (
          <Badge kind="plain">{t('apiKeys.revoked')}</Badge>
        )}
      </td>
      <td>
        {revoked === null && (
          <button
            type="button"
            class="danger"
            aria-label={t('apiKeys.revokeName', { name: label })}
            disabled={busy}
            onClick={onRevoke}
          >
            {t('apiKeys.revoke')}
          </button>
        )}
      </td>
    </tr>
  );
}

/** As a shell takes it. The key itself is never part of it: shells keep what was typed. */
function Try({ scopes }: { readonly scopes: readonly Scope[] }) {
  const { apiUrl } = useSession();
  const path = scopes.map((scope) => TRIES[scope]).find((one) => one !== undefined);
  if (path === undefined) return null;
  const text = `curl -H "Authorization: Bearer $TOKEN" ${apiUrl}${path}`;
  return (
    <>
      <p>{t('apiKeys.try')}</p>
      <pre class="wrap">
        <code>{text}</code>
      </pre>
      <p class="line">
        <CopyButton text={text}>{t('apiKeys.copyCurl')}</CopyButton>
      </p>
    </>
  );
}

function NewKey({ path, onMade }: { readonly path: string; readonly onMade: (key: Created) => void }) {
  const work = useWork();
  const [chosen, setChosen] = useState<readonly Scope[]>([]);
  const [none, setNone] = useState(false);
  const [open, setOpen] = useState(false);
  const toggle = (scope: Scope): void =>
    setChosen((now) => (now.includes(scope) ? now.filter((one) => one !== scope) : [...now, scope]));
  const make = (form: HTMLFormElement): void => {
    setNone(chosen.length === 0);
    if (chosen.length === 0) return;
    void work.run(async () => {
      const scopes = SCOPES.filter((scope) => chosen.includes(scope));
      onMade(await send<Created>('POST', path, { label: fieldOf(form, 'label'), scopes }));
      setChosen([]);
      setOpen(false);
    });
  };
  if (!open)
    return (
      <div class="actions">
        <button type="button" class="main" onClick={() => setOpen(true)}>
          {t('apiKeys.new')}
        </button>
      </div>
    );
  return (
    <section aria-labelledby="new-key">
      <h3 id="new-key">{t('apiKeys.new')}</h3>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          make(event.currentTarget);
        }}
      >
        <Field
          label={t('apiKeys.label')}
          hint={t('apiKeys.labelHint')}
          name="label"
          maxLength={200}
          required
          focused
        />
        <fieldset class="scopes" aria-describedby="scopes-told">
          <legend>{t('apiKeys.scopes')}</legend>
          {SCOPES.map((scope) => (
            <label key={scope} class="check">
              <input type="checkbox" checked={chosen.includes(scope)} onChange={() => toggle(scope)} />
              <span>
                {named('scope', scope)} <code class="quiet">{scope}</code>
              </span>
            </label>
          ))}
          <div class="actions">
            <button type="button" onClick={() => setChosen(READING)}>
              {t('apiKeys.reading')}
            </button>
            <button type="button" onClick={() => setChosen(SCOPES)}>
              {t('apiKeys.all')}
            </button>
          </div>
          <p id="scopes-told" class="bad" role="status">
            {none && chosen.length === 0 && t('apiKeys.choose')}
          </p>
        </fieldset>
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('apiKeys.newDo')}
          </button>
          <button type="button" onClick={() => setOpen(false)}>
            {t('form.cancel')}
          </button>
        </div>
      </form>
    </section>
  );
}
