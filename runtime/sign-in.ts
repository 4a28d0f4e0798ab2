/** Who may sign in to the console of this process: operators by a link, people of a team, and those of a provider. */
import { createOidcProvider } from '../adapters/oidc/provider.js';
import { createOidcSignIn, type OidcSignIn } from '../application/console/oidc.js';
import { createPeople, type People } from '../application/console/people.js';
import { createSessions, type Sessions } from '../application/console/sessions.js';
import type { Core } from './compose.js';
import type { Config } from './config.js';

/** All null where there is no console. */
export interface SignIn {
  readonly sessions: Sessions | null;
  readonly people: People | null;
  /** Null without an identity provider too. */
  readonly oidc: OidcSignIn | null;
}

/** @param consoleUrl a function, because the port may be known late */
export async function openSignIn(
  core: Pick<Core, 'app' | 'patientApp'>,
  config: Config,
  consoleUrl: () => string,
): Promise<SignIn> {
  if (!config.console || !config.roles.has('api')) return { sessions: null, people: null, oidc: null };
  const sessions = await createSessions(core.patientApp);
  const people = await createPeople(core.patientApp, sessions);
  const oidc = config.oidc
    ? await createOidcSignIn(core.patientApp, {
        provider: createOidcProvider(config.oidc, core.app.clock),
        sessions,
        people,
        consoleUrl,
      })
    : null;
  return { sessions, people, oidc };
}
