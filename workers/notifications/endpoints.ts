/** The webhook endpoints of a company. */
import { yieldToEventLoop } from '../../ports/waiting.js';
import type { ReadModels } from '../../ports/read-models.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../read-models/webhook-endpoints.js';
import { PassingMap } from '../../ports/passing.js';

export type EndpointRow = Pick<
  WebhookEndpointDoc,
  'endpoint_uuid' | 'integration_uuid' | 'company_uuid' | 'event_types'
>;

export type EndpointsOf = (companyUuid: string) => Promise<readonly EndpointRow[]>;

/**
 * Events of a batch become visible together, and most belong to one company. Calls made before the query starts share
 * its result. A call never gets the result of an earlier query, because an endpoint added in between would miss the
 * call's event.
 */
export function createEndpointLookup(readModels: Pick<ReadModels, 'find'>): EndpointsOf {
  const waiting = new PassingMap<string, Promise<readonly EndpointRow[]>>();

  async function ask(companyUuid: string): Promise<readonly EndpointRow[]> {
    await yieldToEventLoop();
    waiting.delete(companyUuid);
    const { documents } = await readModels.find(webhookEndpoints.name, {
      index: 'by_company',
      equals: [companyUuid],
      order: 'asc',
      limit: 1000,
    });
    return documents.map((document) => document.doc);
  }

  return (companyUuid) => {
    let asked = waiting.get(companyUuid);
    if (!asked) {
      asked = ask(companyUuid);
      waiting.set(companyUuid, asked);
    }
    return asked;
  };
}
