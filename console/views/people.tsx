/** The company's team: who conversations are assigned to, and who may sign in. */
import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import { useAsk } from '../ask.js';
import { CopyButton } from '../copy.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import { useTeam, type Member } from '../team.js';
import { Badge, ErrorBox, fieldOf, Shown } from '../parts.js';
import type { Place } from '../place.js';
import { useMay } from '../session.js';
import { fullTime, named, t } from '../words.js';

type Role = Schemas['CompanyRole'];
interface Link {
  readonly member: string;
  readonly name: string;
  readonly url: string;
  readonly until: string;
}

/** Gives access and makes the link; of somebody who has access, a new link. */
const giveAccess = (
  path: string,
  body: { readonly role: Role; readonly email: string },
): Promise<{ readonly token: string; readonly expires_at: string }> => send('POST', `${path}/access`, body);

const ROLES: readonly Role[] = ['viewer', 'agent', 'owner'];
const roleOf = (text: string): Role => ROLES.find((one) => one === text) ?? 'viewer';

export function People({ company }: { readonly company: string; readonly place: Place }) {
  const at = `/companies/${company}/team`;
  const loaded = useTeam(company);
  const mayChange = useMay('grantTeamAccess');
  const [link, setLink] = useState<Link | null>(null);
  const invited = (member: Member, token: string, until: string): void => {
    setLink({
      member: member.uuid,
      name: member.name ?? '',
      url: `${location.origin}/console#invitation=${token}`,
      until,
    });
    loaded.reload();
  };
  return (
    <>
      <h1>{t('nav.people')}</h1>
      <p class="quiet">{t('people.what')}</p>
      {link !== null && <InvitationLink link={link} />}
      <Shown loaded={loaded}>
        {(members) =>
          members.length === 0 ? (
            <p>{t('people.none')}</p>
          ) : (
            <section aria-label={t('nav.people')}>
              <ul class="people">
                {members.map((member) => (
                  <Row
                    key={member.uuid}
                    at={`${at}/${member.uuid}`}
                    member={member}
                    mayChange={mayChange}
                    onInvited={invited}
                    onChanged={() => {
                      if (link?.member === member.uuid) setLink(null);
                      loaded.reload();
                    }}
                  />
                ))}
              </ul>
            </section>
          )
        }
      </Shown>
      {mayChange && <Add at={at} onInvited={invited} onAdded={loaded.reload} />}
    </>
  );
}

/** Shown once: nobody can read it again. */
const InvitationLink = ({ link }: { readonly link: Link }) => (
  <section class="told" role="status" aria-label={t('people.link')}>
    <p>
      <strong>{t('people.linkFor', { name: link.name })}</strong> {t('people.linkHow')}
    </p>
    <pre class="wrap">
      <code>{link.url}</code>
    </pre>
    <p class="line">
      <CopyButton text={link.url}>{t('form.copy')}</CopyButton>
      <span class="quiet">{t('people.linkUntil', { time: fullTime(link.until) })}</span>
    </p>
  </section>
);

interface RowProps {
  /** The path of the member. */
  readonly at: string;
  readonly member: Member;
  readonly mayChange: boolean;
  readonly onInvited: (member: Member, token: string, until: string) => void;
  readonly onChanged: () => void;
}

function Row({ at, member, mayChange, onInvited, onChanged }: RowProps) {
  const work = useWork();
  const [ask, question] = useAsk();
  const [inviting, setInviting] = useState(false);
  const { role, email, kind } = member;
  const name = member.name ?? t('people.noName');
  const change = (method: 'PATCH' | 'DELETE', path: string, body?: object): void =>
    void work.run(() => send(method, path, body)).then((done) => done && onChanged());
  const remove = async (path: string, title: string, text: string, yes: string): Promise<void> => {
    if ((await ask({ title, text, yes })) !== null) change('DELETE', path);
  };
  const invite = (body: { readonly role: Role; readonly email: string }): void => {
    void work.run(async () => {
      const made = await giveAccess(at, body);
      setInviting(false);
      onInvited(member, made.token, made.expires_at);
    });
  };
  return (
    <li>
      <div class="line">
        <strong>{name}</strong>
        {kind === 'group' ? (
          <Badge kind="plain">{t('people.group')}</Badge>
        ) : role === null ? (
          <Badge kind="plain">{t('people.noAccess')}</Badge>
        ) : (
          <Badge kind="good">{named('role', role)}</Badge>
        )}
        {email !== null && <span class="quiet">{email}</span>}
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
      {mayChange && (
        <div class="actions">
          {kind === 'agent' && role === null && !inviting && (
            <button
              type="button"
              onClick={() => setInviting(true)}
              aria-label={t('people.inviteName', { name })}
            >
              {t('people.invite')}
            </button>
          )}
          {role !== null && email !== null && (
            <>
              <select
                aria-label={t('people.roleOf', { name })}
                value={role}
                disabled={work.busy}
                onChange={({ currentTarget }) =>
                  change('PATCH', `${at}/access`, { role: roleOf(currentTarget.value) })
                }
              >
                <Roles />
              </select>
              <button type="button" disabled={work.busy} onClick={() => invite({ role, email })}>
                {t('people.reset')}
              </button>
              <button
                type="button"
                class="danger"
                disabled={work.busy}
                onClick={() =>
                  void remove(
                    `${at}/access`,
                    t('people.revokeTitle', { name }),
                    t('people.revokeText'),
                    t('people.revoke'),
                  )
                }
              >
                {t('people.revoke')}
              </button>
            </>
          )}
          <button
            type="button"
            class="danger"
            disabled={work.busy}
            aria-label={t('people.removeName', { name })}
            onClick={() =>
              void remove(at, t('people.removeTitle', { name }), t('people.removeText'), t('form.remove'))
            }
          >
            {t('form.remove')}
          </button>
        </div>
      )}
      {inviting && <Invite busy={work.busy} onInvite={invite} onCancel={() => setInviting(false)} />}
      {question}
    </li>
  );
}

const Roles = () => (
  <>
    {ROLES.map((one) => (
      <option key={one} value={one}>
        {named('role', one)}
      </option>
    ))}
  </>
);

/** What each role may, beside the choice. */
const RoleField = () => (
  <label class="field">
    {t('people.role')}
    <select name="role">
      <Roles />
    </select>
    <span class="quiet">{t('people.roleHint')}</span>
  </label>
);

function Invite({
  busy,
  onInvite,
  onCancel,
}: {
  readonly busy: boolean;
  readonly onInvite: (body: { readonly role: Role; readonly email: string }) => void;
  readonly onCancel: () => void;
}) {
  return (
    <form
      class="form"
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        onInvite({ role: roleOf(fieldOf(form, 'role')), email: fieldOf(form, 'email') });
      }}
    >
      <Field
        label={t('sign.email')}
        hint={t('people.emailHint')}
        name="email"
        type="email"
        required
        focused
      />
      <RoleField />
      <div class="actions">
        <button type="submit" class="main" disabled={busy}>
          {t('people.makeLink')}
        </button>
        <button type="button" onClick={onCancel}>
          {t('form.cancel')}
        </button>
      </div>
    </form>
  );
}

/** A person or a group; a person with an e-mail is invited at once. */
function Add({
  at,
  onInvited,
  onAdded,
}: {
  readonly at: string;
  readonly onInvited: RowProps['onInvited'];
  readonly onAdded: () => void;
}) {
  const work = useWork();
  const [kind, setKind] = useState<'agent' | 'group'>('agent');
  const submit = (form: HTMLFormElement): void => {
    const email = kind === 'agent' ? fieldOf(form, 'email') : '';
    const role = roleOf(fieldOf(form, 'role'));
    void work.run(async () => {
      const member = await send<Member>('POST', at, { kind, name: fieldOf(form, 'name') });
      form.reset();
      onAdded();
      if (email === '') return;
      const made = await giveAccess(`${at}/${member.uuid}`, { role, email });
      onInvited(member, made.token, made.expires_at);
    });
  };
  return (
    <section aria-labelledby="add-person">
      <h2 id="add-person">{t('people.add')}</h2>
      {work.error !== null && <ErrorBox error={work.error} />}
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          submit(event.currentTarget);
        }}
      >
        <label class="field">
          {t('people.kind')}
          <select
            value={kind}
            onChange={({ currentTarget }) => setKind(currentTarget.value === 'group' ? 'group' : 'agent')}
          >
            <option value="agent">{t('people.person')}</option>
            <option value="group">{t('people.group')}</option>
          </select>
        </label>
        <Field label={t('people.name')} name="name" maxLength={200} required />
        {kind === 'agent' && (
          <>
            <Field label={t('sign.email')} hint={t('people.emailOptional')} name="email" type="email" />
            <RoleField />
          </>
        )}
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('form.add')}
          </button>
        </div>
      </form>
    </section>
  );
}
