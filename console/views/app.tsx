import { useEffect, useState } from 'preact/hooks';
import { get, list, send, SIGNED_OUT, type ApiError, type Schemas } from '../api.js';
import { asApiError, useLoad } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import type { Place, Section } from '../place.js';
import { sessionFrom, SessionProvider, type Session } from '../session.js';
import type { Company } from '../shapes.js';
import { t } from '../words.js';
import { Flows } from './flows.js';
import { History } from './history.js';
import { Contacts } from './contacts.js';
import { Channels } from './channels.js';
import { Inbox } from './inbox.js';
import { Messages } from './messages.js';
import { Office } from './office.js';
import { Orders } from './orders.js';
import { Overview } from './overview.js';
import { Products } from './products.js';
import { Shop } from './shop.js';
import { Templates } from './templates.js';
import { Projections } from './projections.js';
import { Webhooks } from './webhooks.js';

/** `asking`: whether there is a session is not known yet. */
type Access = 'asking' | 'out' | Session;

/** The link's token, once: it leaves the address at once, so that it is in no history and no screenshot. */
function takeToken(): string | null {
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  return token;
}

export function App() {
  const [access, setAccess] = useState<Access>('asking');
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const token = takeToken();
    const enter = async (): Promise<Session> => {
      if (token !== null) await send('POST', '/session', { link_token: token });
      return sessionFrom(await get<Schemas['ConsoleSession']>('/session'));
    };
    enter().then(
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
    const over = (): void => setAccess((now) => (now === 'asking' ? now : 'out'));
    addEventListener(SIGNED_OUT, over);
    return () => removeEventListener(SIGNED_OUT, over);
  }, []);
  if (access === 'asking') return <main class="alone">{t('sign.working')}</main>;
  if (access === 'out') return <SignIn error={error} />;
  return (
    <SessionProvider value={access}>
      <Shell onOut={() => setAccess('out')} />
    </SessionProvider>
  );
}

function SignIn({ error }: { readonly error: ApiError | null }) {
  return (
    <main class="alone">
      <h1>{t('sign.title')}</h1>
      {error !== null && <ErrorBox error={error} />}
      <p>{t('sign.how')}</p>
      <pre>
        <code>recado console open</code>
      </pre>
    </main>
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

const VIEWS: Readonly<Record<Section, typeof Overview>> = {
  overview: Overview,
  inbox: Inbox,
  contacts: Contacts,
  messages: Messages,
  orders: Orders,
  products: Products,
  shop: Shop,
  channels: Channels,
  templates: Templates,
  webhooks: Webhooks,
  flows: Flows,
  history: History,
  projections: Projections,
};

function View(props: { readonly company: string; readonly place: Place }) {
  const Section = VIEWS[props.place.section];
  return <Section {...props} />;
}
