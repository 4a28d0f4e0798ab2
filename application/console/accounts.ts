/** The records of how people prove who they are, changed by one process at a time. */
import { deriveSecretId } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { versionAfter } from '../../ports/versions.js';
import { consoleAccounts, type ConsoleAccountDoc } from '../../read-models/console-accounts.js';
import type { App } from '../app.js';
import { exclusively } from '../exclusively.js';

type Deps = Pick<App, 'readModels' | 'clock' | 'leases' | 'executor' | 'indexSecret'>;

/** What becomes of a record: null removes it, undefined leaves it as it is. */
export interface Changed<T> {
  readonly doc: ConsoleAccountDoc | null | undefined;
  readonly result: T;
}

export interface Accounts {
  idOf(email: string): string;
  get(id: string): Promise<ConsoleAccountDoc | null>;
  ofMember(memberUuid: string): Promise<ConsoleAccountDoc | null>;
  /** @throws Refusal concurrent_update while another process changes it */
  change<T>(
    id: string,
    decide: (doc: ConsoleAccountDoc | null) => Changed<T> | Promise<Changed<T>>,
  ): Promise<T>;
  /** Of a member: there may be one of an earlier e-mail too. @param but one that stays */
  removeAll(memberUuid: string, but?: string): Promise<void>;
}

const OF_A_MEMBER = 100;

export async function createAccounts(app: Deps): Promise<Accounts> {
  const { readModels, clock } = app;
  await readModels.define(consoleAccounts);

  const all = async (memberUuid: string): Promise<readonly ConsoleAccountDoc[]> => {
    const found = await readModels.find(consoleAccounts.name, {
      index: 'by_member',
      equals: [memberUuid],
      order: 'desc',
      limit: OF_A_MEMBER,
    });
    return found.documents.map(({ doc }) => doc);
  };

  const accounts: Accounts = {
    idOf: (email) => deriveSecretId(app.indexSecret, 'console-account', email),

    async get(id) {
      return (await readModels.get(consoleAccounts.name, id))?.doc ?? null;
    },

    async ofMember(memberUuid) {
      return (await all(memberUuid))[0] ?? null;
    },

    change(id, decide) {
      return exclusively(app, `console-account:${id}`, inUse, async () => {
        const stored = await readModels.get(consoleAccounts.name, id);
        const { doc, result } = await decide(stored?.doc ?? null);
        if (doc !== undefined) {
          const version = versionAfter(stored?.version, clock.now());
          await readModels.write(consoleAccounts.name, [{ id, doc, version }]);
        }
        return result;
      });
    },

    async removeAll(memberUuid, but) {
      for (const { account_id: id } of await all(memberUuid)) {
        if (id === but) continue;
        await accounts.change(id, (doc) => ({
          doc: doc?.member_uuid === memberUuid ? null : undefined,
          result: undefined,
        }));
      }
    },
  };
  return accounts;
}

const inUse = (): Refusal =>
  new Refusal('concurrent_update', 'Somebody else signs in with this account now. Try again.', {
    retry_after_seconds: 1,
  });
