/** The findings of `recado doctor` about this process's user in EventStoreDB. */
import { ok, warn, type Finding } from '../../api/admin/doctor.js';
import type { RealStack } from '../config.js';

/** The users that every EventStoreDB has after its installation. */
const ADMINISTRATORS = ['admin', 'ops'];

/** @param realStack null with the embedded store, which has no users */
export async function eventStoreFindings(
  realStack: Pick<RealStack, 'eventStoreUrl'> | null,
): Promise<readonly Finding[]> {
  if (realStack === null) return [];
  // It loads the client, which a start on the embedded store would wait for.
  const { parseConnectionString } = await import('../../adapters/eventstoredb/connection-string.js');
  const { user, tls } = parseConnectionString(realStack.eventStoreUrl);
  if (user === null) {
    return [
      ok('event_store', 'EVENTSTORE_URL names no user: right where EventStoreDB runs without security.'),
    ];
  }
  if (!tls) {
    return [
      warn(
        'event_store',
        `EVENTSTORE_URL names the user "${user}" and says tls=false: without TLS the client sends no credentials.`,
        'Give EventStoreDB TLS and leave tls=false out, or leave the user out.',
      ),
    ];
  }
  return [
    ADMINISTRATORS.includes(user)
      ? warn(
          'event_store',
          `EVENTSTORE_URL names "${user}", an administrator of EventStoreDB: far more than Recado needs.`,
          'Make a plain user whose one right is to read $all: docs/deploying.md, "The user in EventStoreDB".',
        )
      : ok(
          'event_store',
          `Recado is the user "${user}" in EventStoreDB, none of its built-in administrators.`,
        ),
  ];
}
