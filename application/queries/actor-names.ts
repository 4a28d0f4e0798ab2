/** What people and keys are called now. Names are looked up when somebody reads: the history holds none. */
import { isUuid } from '../../domain/kernel/ids.js';
import { apiKeys } from '../../read-models/api-keys.js';
import { team } from '../../read-models/team.js';
import type { QueryDeps } from './page.js';

/** Each actor is looked up once. */
export function actorNames({
  readModels,
}: Pick<QueryDeps, 'readModels'>): (actor: string) => Promise<string | null> {
  const known = new Map<string, Promise<string | null>>();
  const look = async (actor: string): Promise<string | null> => {
    const [kind, id = ''] = actor.split(':');
    if (kind === 'user' && isUuid(id)) return (await readModels.get(team.name, id))?.doc.name ?? null;
    if (kind === 'key') return (await readModels.get(apiKeys.name, id))?.doc.label ?? null;
    return null;
  };
  return (actor) => {
    const before = known.get(actor) ?? look(actor);
    known.set(actor, before);
    return before;
  };
}
