/** Who is signed in. The server decides what that person may do; the page only leaves out what it would refuse. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Schemas } from './api.js';
import { isAtLeast, leastOf, type Role } from './may.js';
import type { Operation } from './roles.js';

export type { Role };

export interface Session {
  /** As recorded with the events of its calls: `admin`, `user:<uuid>`. */
  readonly actor: string;
  readonly role: Role;
  /** Null for operators, who see every company. */
  readonly company: string | null;
  /** Who it is in the company's team; null for operators. */
  readonly member: string | null;
  /** Where integrations call the public API: the page may have come from another address. */
  readonly apiUrl: string;
  /** Position before which everything is shown that is read from now on. */
  readonly liveAfter: string | null;
}

const Context = createContext<Session | null>(null);
export const SessionProvider = Context.Provider;

export const sessionFrom = ({
  actor,
  role,
  company_uuid,
  member_uuid,
  api_url,
  live_after,
}: Schemas['ConsoleSession']): Session => ({
  actor,
  role,
  company: company_uuid,
  member: member_uuid ?? null,
  apiUrl: api_url ?? `${location.origin}/api/v1`,
  liveAfter: live_after ?? null,
});

/** Below `SessionProvider` only: in every section. */
export function useSession(): Session {
  const session = useContext(Context);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

/** Whether the caller may call this operation, or has at least this role. */
export const useMay = (need: Role | Operation): boolean => isAtLeast(useSession().role, leastOf(need));
