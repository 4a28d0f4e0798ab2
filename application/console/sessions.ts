/** The sessions of the console, of operators and of people. What is stored of them signs nobody in. */
import { EventEmitter } from 'node:events';
import type { Role } from '../../domain/policies/roles.js';
import { versionAfter } from '../../ports/versions.js';
import { consoleSessions, type ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import { team } from '../../read-models/team.js';
import type { App } from '../app.js';
import { notFound } from '../provisioning/common.js';
import { GONE, LISTED } from './remove-old.js';
import { isDigestOf, newToken, parseToken } from './secret-token.js';
import { createSignInLinks } from './sign-in-links.js';

export const IDLE_MS = 12 * 3_600_000;
export const SESSION_MS = 7 * 24 * 3_600_000;
/** A session's last call is stored to this accuracy: reading a page must not write. */
const SEEN_EVERY_MS = 300_000;

const FIRST = '1';
type Deps = Pick<App, 'readModels' | 'clock' | 'newId' | 'leases' | 'executor' | 'logger'>;

/** Whom a session is for. */
export interface Person {
  /** As recorded with the events of its calls. */
  readonly actor: string;
  readonly role: Role;
  /** Null for operators. */
  readonly company: string | null;
  /** Of the company's team; null for operators. */
  readonly member: string | null;
}

export type SignInWay = NonNullable<ConsoleSessionDoc['signed_in_by']>;

export interface SignedIn {
  /** For the cookie. */
  readonly token: string;
  readonly session: ConsoleSessionDoc;
}

export interface Sessions {
  makeLink(): Promise<{ readonly token: string; readonly expiresAt: string }>;
  /** @throws Refusal sign_in_link_invalid: used, too old, or never made */
  signIn(link: string): Promise<SignedIn>;
  /** A new session of somebody who has proved who he is. @param shownAt when he last did; left out: now */
  begin(person: Person, way: SignInWay, shownAt?: number): Promise<SignedIn>;
  /** With the present role of the person. Null when there is no such session, or when it has ended. */
  find(token: string): Promise<ConsoleSessionDoc | null>;
  /** Newest first. */
  list(): Promise<readonly ConsoleSessionDoc[]>;
  /** Of one person, newest first. */
  listOf(memberUuid: string): Promise<readonly ConsoleSessionDoc[]>;
  /** The person has shown the password again. */
  proved(uuid: string): Promise<void>;
  /** @throws Refusal not_found */
  end(uuid: string): Promise<void>;
  /** Ends all sessions of a person. @param but one that stays */
  endOf(memberUuid: string, but?: string): Promise<void>;
  /** The session as `find` returns it, for who does not hold its token; asking is not using it. */
  open(uuid: string): Promise<ConsoleSessionDoc | null>;
  /** Whether the session has not ended; asking is not using it. */
  isOpen(uuid: string): Promise<boolean>;
  /** Calls back when the session is ended in this process. Returns what stops that. */
  onEnd(uuid: string, ended: () => void): () => void;
}

export async function createSessions(app: Deps): Promise<Sessions> {
  const { readModels, clock, newId, logger } = app;
  const links = await createSignInLinks(app);
  await readModels.define(consoleSessions);
  const endings = new EventEmitter().setMaxListeners(0);
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  /** As the history has the person now; null when access was revoked. */
  async function present(doc: ConsoleSessionDoc): Promise<ConsoleSessionDoc | null> {
    if (hasEnded(doc, clock.now())) return null;
    if (doc.member_uuid === null) return doc;
    const person = (await readModels.get(team.name, doc.member_uuid))?.doc;
    if (person === undefined || person.status !== 'active' || person.role === null) return null;
    return person.company_uuid === doc.company_uuid ? { ...doc, role: person.role } : null;
  }

  async function change(uuid: string, changed: (doc: ConsoleSessionDoc) => ConsoleSessionDoc): Promise<void> {
    const stored = await readModels.get(consoleSessions.name, uuid);
    if (stored === undefined) return;
    const version = `${FIRST}-${versionAfter(stored.version.slice(2), clock.now())}`;
    await readModels.write(consoleSessions.name, [{ id: uuid, doc: changed(stored.doc), version }]);
  }

  async function remove(uuids: readonly string[]): Promise<void> {
    await readModels.write(
      consoleSessions.name,
      uuids.map((id) => ({ id, doc: null, version: GONE })),
    );
    for (const uuid of uuids) endings.emit(uuid);
  }

  async function listOf(memberUuid: string): Promise<readonly ConsoleSessionDoc[]> {
    const query = { index: 'by_member', equals: [memberUuid], order: 'desc', limit: LISTED } as const;
    const { documents } = await readModels.find(consoleSessions.name, query);
    return documents.map(({ doc }) => doc).filter((doc) => !hasEnded(doc, clock.now()));
  }

  async function open(uuid: string): Promise<ConsoleSessionDoc | null> {
    const stored = await readModels.get(consoleSessions.name, uuid);
    return stored === undefined ? null : present(stored.doc);
  }

  async function begin(
    { actor, role, company, member }: Person,
    way: SignInWay,
    shownAt = clock.now(),
  ): Promise<SignedIn> {
    const uuid = newId();
    const { token, digest } = newToken(uuid);
    const session: ConsoleSessionDoc = {
      session_uuid: uuid,
      secret_sha256: digest,
      actor,
      role,
      company_uuid: company,
      member_uuid: member,
      created_at: time(),
      seen_at: time(),
      proved_at: time(shownAt),
      expires_at: time(clock.now() + SESSION_MS),
      signed_in_by: way,
    };
    await readModels.write(consoleSessions.name, [{ id: uuid, doc: session, version: FIRST }]);
    return { token, session };
  }

  return {
    makeLink: () => links.make(),

    async signIn(link) {
      await links.useUp(link);
      const signedIn = await begin({ actor: 'admin', role: 'operator', company: null, member: null }, 'link');
      logger.info({ session: signedIn.session.session_uuid }, 'somebody signed in to the console by a link');
      return signedIn;
    },

    begin,
    listOf,
    proved: (uuid) => change(uuid, (doc) => ({ ...doc, proved_at: time() })),

    async find(token) {
      const given = parseToken(token);
      const stored = given === null ? undefined : await readModels.get(consoleSessions.name, given.uuid);
      if (given === null || stored === undefined) return null;
      const { doc } = stored;
      const seen = Date.parse(doc.seen_at);
      if (!isDigestOf(doc.secret_sha256, given.secret)) return null;
      const session = await present(doc);
      if (session !== null && clock.now() - seen >= SEEN_EVERY_MS) {
        await change(given.uuid, (now) => ({ ...now, seen_at: time() }));
      }
      return session;
    },

    async list() {
      const found = await readModels.find(consoleSessions.name, {
        index: 'newest',
        equals: [],
        order: 'desc',
        limit: LISTED,
      });
      return found.documents.map(({ doc }) => doc).filter((doc) => !hasEnded(doc, clock.now()));
    },

    async end(uuid) {
      if ((await readModels.get(consoleSessions.name, uuid)) === undefined)
        throw notFound('session', 'session');
      await remove([uuid]);
    },

    async endOf(memberUuid, but) {
      const open = await listOf(memberUuid);
      await remove(open.map(({ session_uuid: uuid }) => uuid).filter((uuid) => uuid !== but));
    },

    open,
    isOpen: async (uuid) => (await open(uuid)) !== null,

    onEnd(uuid, ended) {
      endings.once(uuid, ended);
      return () => void endings.off(uuid, ended);
    },
  };
}

const hasEnded = ({ seen_at, expires_at }: ConsoleSessionDoc, now: number): boolean =>
  Date.parse(expires_at) <= now || Date.parse(seen_at) + IDLE_MS <= now;
