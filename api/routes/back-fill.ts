import type { App } from '../../application/app.js';
import type { NewEndpoint } from '../../application/provisioning/webhooks.js';
import { beginJob, checkRange, newJob, prepareJob } from '../../application/webhooks/jobs.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';

export interface BackFillBody {
  /** ISO 8601. */
  readonly from?: string;
  readonly from_sequence?: number;
}

export interface BackFill {
  readonly hook: Required<Pick<NewEndpoint, 'prepare'>>;
  /** Once the endpoint is added. */
  begin(): Promise<unknown>;
}

/**
 * Of a new endpoint; undefined when the body asks for none. Written before the endpoint is added, so that a crash in
 * between leaves no endpoint without its back-fill. It ends by itself if the endpoint is not added.
 * @throws Refusal validation_failed
 */
export function backFillOf(
  app: App,
  integrationUuid: string,
  requestedBy: string,
  { from, from_sequence }: BackFillBody,
): BackFill | undefined {
  if (from === undefined && from_sequence === undefined) return undefined;
  const range = { from, from_sequence };
  checkRange(app, 'back_fill', range);
  const uuid = app.newId();
  const prepare = (endpoint_uuid: string, company_uuid: CompanyUuid): Promise<void> => {
    const endpoint = { endpoint_uuid, integration_uuid: integrationUuid, company_uuid };
    return prepareJob(app, { ...newJob(app, 'back_fill', endpoint, range, { requestedBy }), uuid });
  };
  return { hook: { prepare }, begin: () => beginJob(app, uuid) };
}
