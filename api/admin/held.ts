import { SYSTEM_COMPANY } from '../../application/app.js';
import type { Caller } from '../../application/provisioning/common.js';
import { readPage, type QueryDeps } from '../../application/queries/page.js';
import { countHeld, type HeldVerdict } from '../../application/restore/held-work.js';
import { pathParam, type Call, type Reply } from '../middleware/call.js';
import { list, one } from '../routes/replies.js';
import { heldWork, type HeldWork } from '../../read-models/held-work.js';
import { accepted, commander, countedPageOf, uuidParameter, type AdminHandlers } from './support.js';

/** Applies an operator's decision to held work. */
export interface HeldControl {
  /** @throws Refusal not_found, unavailable */
  one(verdict: HeldVerdict, id: string, caller: Caller): Promise<HeldWork>;
  /** Decides the oldest pieces, at most `limit`; returns their number. @throws Refusal unavailable */
  oldest(verdict: HeldVerdict, limit: number, caller: Caller): Promise<number>;
}

/** Limits the duration of a request; to decide all, the caller repeats until none is left. */
const AT_ONCE = 100;

const present = ({ id, kind, company_uuid, about, due_at, restored_at }: HeldWork) => ({
  uuid: id,
  kind,
  company_uuid: company_uuid === SYSTEM_COMPANY ? null : company_uuid,
  about,
  due_at,
  restored_at,
});

export function heldRoutes(queries: QueryDeps, held: HeldControl): AdminHandlers {
  const decideOne = async (verdict: HeldVerdict, call: Call): Promise<Reply> =>
    accepted(present(await held.one(verdict, pathParam(call.params, 'held_uuid'), commander(call))));
  const decideOldest = async (verdict: HeldVerdict, call: Call): Promise<Reply> => {
    const done = await held.oldest(verdict, AT_ONCE, commander(call));
    return one({ done, left: await countHeld(queries.readModels) });
  };
  return {
    listHeldWork: async (call) => {
      const company = uuidParameter(call, 'company');
      const find =
        company === undefined
          ? ({ index: 'all', equals: [], order: 'asc' } as const)
          : ({ index: 'by_company', equals: [company], order: 'asc' } as const);
      const scope = { list: 'held-work', companyUuid: company ?? '', filters: [] };
      return list(await readPage(queries, heldWork.name, find, scope, countedPageOf(call)), present);
    },
    releaseHeldWork: (call) => decideOne('release', call),
    endHeldWork: (call) => decideOne('end', call),
    releaseOldestHeldWork: (call) => decideOldest('release', call),
    endOldestHeldWork: (call) => decideOldest('end', call),
  };
}
