import { SYSTEM_COMPANY, type App } from '../../application/app.js';
import type { Places } from '../../application/history/place.js';
import { readAudit, type AuditEntry } from '../../application/queries/audit.js';
import type { QueryDeps } from '../../application/queries/page.js';
import { queryText } from '../middleware/call.js';
import { list, pageOf } from '../routes/replies.js';
import { boundsOf } from './events.js';
import { actorOf } from './masking.js';
import { uuidParameter, type AdminHandlers } from './support.js';

const present = ({ actor, actor_name, company_uuid, ...entry }: AuditEntry) => ({
  ...entry,
  company_uuid: company_uuid === SYSTEM_COMPANY ? null : company_uuid,
  actor: { ...actorOf(actor), name: actor_name },
});

export const auditRoutes = (app: App, queries: QueryDeps, places: Places): AdminHandlers => ({
  listAudit: async (call) => {
    const filter = {
      company: uuidParameter(call, 'company') ?? SYSTEM_COMPANY,
      actor: queryText(call.query, 'actor'),
      kind: queryText(call.query, 'kind'),
      ...(await boundsOf(app, places, call)),
    };
    return list(await readAudit(queries, filter, pageOf(call)), present);
  },
});
