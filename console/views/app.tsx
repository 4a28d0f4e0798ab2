import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, get, list, send, sessionBegins, SIGNED_OUT, type Schemas } from '../api.js';
import { asApiError, useLoad } from '../load.js';
import { offerTo } from '../may.js';
import { CONFIRM, handOver, takeAnswer } from '../oidc.js';
import { ErrorBox, Shown, Working } from '../parts.js';
import type { Place, Section } from '../place.js';
import { sessionFrom, SessionProvider, type Session } from '../session.js';
import type { Company } from '../shapes.js';
import { onTold, tellTabs } from '../tabs.js';
import { keepUnsent } from '../unsent.js';
import { t } from '../words.js';
import { Confirmed, Confirming } from './confirm.js';
import { Office } from './office.js';
import { Invitation, SignIn } from './sign-in.js';
import { UnsentTexts } from './unsent.js';

/**
 * `asking`: whether there is a session is not known yet. `confirmed`: this tab was opened to show again who the person
 * is, and has done so.
 */
type Access = 'asking' | 'confirmed' | 'out' | Session;

/** The link's tokens, once: they leave the address at once, so that they are in no history and no screenshot. */
function takeTokens(): { readonly token: string | null; readonly invitation: string | null } {
  const given = new URLSearchParams(location.hash.slice(1));
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return { token: given.get('token'), invitation: given.get('invitation') };
}

/** @param answer of the identity provider, with which the browser came back */
async function enter(token: string | null, answer: string | null): Promise<'confirmed' | Session> {
  if (token !== null) await send('POST', '/session', { link_token: token });
  if (answer !== null && (await handOver(answer)).purpose === 'confirm') {
    tellTabs('confirmed');
    return 'confirmed';
  }
  const session = sessionFrom(await get<Schemas['ConsoleSession']>('/session'));
  sessionBegins();
  if (token !== null || answer !== null) tellTabs('signed-in');
  return session;
}

export function App() {
  return location.pathname === CONFIRM ? <Confirming /> : <Console />;
}

function Console() {
  const [access, setAccess] = useState<Access>('asking');
  const [error, setError] = useState<ApiError | null>(null);
  const [invitation, setInvitation] = useState<string | null>(null);
  useEffect(() => {
    const { token, invitation: invited } = takeTokens();
    if (invited !== null) {
      setInvitation(invited);
      setAccess('out');
      return;
    }
    enter(token, takeAnswer()).then(
      (session) => setAccess(session),
      (thrown: unknown) => {
        const failed = asApiError(thrown);
        setAccess('out');
        setError(failed.code === 'unauthenticated' ? null : failed);
      },
    );
  }, []);
  useEffect(() => {
    // What is on the screen must not outlive the session.
    if (typeof access !== 'object') return;
    const over = (): void => {
      keepUnsent(access.actor);
      setAccess('out');
    };
    addEventListener(SIGNED_OUT, over);
    return () => removeEventListener(SIGNED_OUT, over);
  }, [access]);
  useEffect(() => {
    if (access !== 'out' || invitation !== null) return;
    // All tabs have one session: an operator's link, say, opens another tab.
    return onTold('signed-in', () => void enter(null, null).then(setAccess, () => undefined));
  }, [access, invitation]);
  if (access === 'asking') return <main class="alone">{t('sign.working')}</main>;
  if (access === 'confirmed') return <Confirmed />;
  const entered = (session: Session): void => {
    setInvitation(null);
    setError(null);
    sessionBegins();
    setAccess(session);
    tellTabs('signed-in');
  };
  if (access === 'out')
    return invitation === null ? (
      <SignIn error={error} onIn={entered} />
    ) : (
      <Invitation token={invitation} onIn={entered} />
    );
  offerTo(access.role);
  return (
    <SessionProvider value={access}>
      <Shell onOut={() => setAccess('out')} />
      <UnsentTexts whose={access.actor} />
    </SessionProvider>
  );
}

function Shell({ onOut }: { readonly onOut: () => void }) {
  const companies = useLoad(() => list<Company>('/companies', { limit: 100 }), []);
  return (
    <Shown loaded={companies}>
      {({ data }) =>
        data[0] === undefined ? (
          <main class="alone">{t('none.companies')}</main>
        ) : (
          <Office companies={data} first={data[0]} onOut={onOut}>
            {(company, place) => <View key={`${company} ${place.section}`} company={company} place={place} />}
          </Office>
        )
      }
    </Shown>
  );
}

type SectionView = (props: { readonly company: string; readonly place: Place }) => ComponentChildren;

/** Each section is a file of its own, fetched when somebody first goes there: the first view must not wait for all. */
const VIEWS: Readonly<Record<Section, () => Promise<SectionView>>> = {
  overview: async () => (await import('./overview.js')).Overview,
  inbox: async () => (await import('./inbox.js')).Inbox,
  contacts: async () => (await import('./contacts.js')).Contacts,
  messages: async () => (await import('./messages.js')).Messages,
  orders: async () => (await import('./orders.js')).Orders,
  products: async () => (await import('./products.js')).Products,
  shop: async () => (await import('./shop.js')).Shop,
  channels: async () => (await import('./channels.js')).Channels,
  templates: async () => (await import('./templates.js')).Templates,
  webhooks: async () => (await import('./webhooks.js')).Webhooks,
  keys: async () => (await import('./keys.js')).Keys,
  flows: async () => (await import('./flows.js')).Flows,
  history: async () => (await import('./history.js')).History,
  projections: async () => (await import('./projections.js')).Projections,
  people: async () => (await import('./people.js')).People,
  audit: async () => (await import('./audit.js')).Audit,
  settings: async () => (await import('./settings.js')).Settings,
  account: async () => (await import('./account.js')).Account,
};

const fetched = new Map<Section, SectionView>();

async function fetchView(section: Section): Promise<SectionView> {
  try {
    const view = await VIEWS[section]();
    fetched.set(section, view);
    return view;
  } catch {
    // Files are named by their content, so those of a release before are gone.
    throw new ApiError(0, 'page_outdated', t('error.outdated'), null);
  }
}

/** Its key is the company and the section, so that nothing of another one stays on the screen. */
function View(props: { readonly company: string; readonly place: Place }) {
  const { section } = props.place;
  const [{ view, error }, setState] = useState<{ view?: SectionView; error?: ApiError }>(() => {
    const known = fetched.get(section);
    return known === undefined ? {} : { view: known };
  });
  useEffect(() => {
    if (view !== undefined) return;
    fetchView(section).then(
      (arrived) => setState({ view: arrived }),
      (thrown: unknown) => setState({ error: asApiError(thrown) }),
    );
  }, [section]);
  if (error !== undefined) return <ErrorBox error={error} retry={() => location.reload()} />;
  const Part = view;
  return Part === undefined ? <Working /> : <Part {...props} />;
}
