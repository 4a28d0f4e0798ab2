/** POST /flows/{flow_uuid}/executions: validated synchronously, run by a worker (spec §4, Flows). */
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { parsePhone } from '../../domain/policies/phone.js';
import { acceptOnce, type Accepted, type KeyedRequest } from '../accept-once.js';
import type { App } from '../app.js';
import { resolveContact } from '../people/resolve-contact.js';
import { invalidField } from '../provisioning/common.js';
import { chooseChannel, restrictionOf } from '../send/choose-channel.js';
import { loadFlow } from './manage.js';

export interface ExecutionRequest {
  readonly recipient: { readonly phone: string; readonly external_id?: string };
  readonly channel_uuid?: ChannelUuid;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** Bounds of the injected variables: they stay in the history permanently. */
const MAX_VARIABLES = 100;
const MAX_VARIABLE_BYTES = 32_768;
const MAX_NAME = 128;

/**
 * @throws Refusal not_found, flow_not_active, validation_failed, channel_required, channel_not_found,
 * channel_not_connected, idempotency_key_reused
 */
export const acceptExecution = (
  app: Pick<
    App,
    | 'barrier'
    | 'clock'
    | 'executor'
    | 'indexSecret'
    | 'newId'
    | 'personOwners'
    | 'readModels'
    | 'replay'
    | 'store'
  >,
  flowUuid: string,
  request: KeyedRequest<ExecutionRequest>,
): Promise<Accepted> =>
  // The key is scoped to one flow: the same request to another flow is a different request.
  acceptOnce(
    app,
    { ...request, route: request.route.replace('{flow_uuid}', flowUuid) },
    async (fingerprint, context) => {
      const { companyUuid, integrationUuid, body } = request;
      const flow = await loadFlow(app, flowUuid);
      if (flow.companyUuid !== companyUuid) {
        throw new Refusal('not_found', 'There is no such flow.', { resource: 'flow' });
      }
      if (flow.published === null) {
        throw new Refusal('flow_not_active', 'This flow is a draft. Publish it before it is executed.', {
          flow_uuid: flowUuid,
        });
      }
      const phone = parsePhone(body.recipient.phone, 'recipient.phone');
      checkVariables(body.variables ?? {});
      const channel = await chooseChannel(app.readModels, companyUuid, body.channel_uuid?.toLowerCase());
      const restriction = restrictionOf(channel, 'start_flow', app.clock.now());
      if (restriction !== null) throw restriction.refusal;
      const { uuid, subject } = await resolveContact(
        app,
        companyUuid,
        { phone: phone.e164, phoneKey: phone.key, waUserId: null, name: null },
        'api',
        { ...context, assumeNew: false },
      );
      return {
        subject,
        command: {
          type: 'AcceptFlow',
          data: {
            company_uuid: companyUuid,
            integration_uuid: integrationUuid,
            flow_uuid: flowUuid,
            flow_version: flow.published.version,
            channel_uuid: channel.uuid,
            contact_uuid: uuid,
            subject,
            fingerprint,
            external_id: body.recipient.external_id ?? null,
            variables: { ...body.variables },
          },
        },
      };
    },
  );

function checkVariables(variables: Readonly<Record<string, unknown>>): void {
  const names = Object.keys(variables);
  if (names.length > MAX_VARIABLES) {
    throw invalidField('variables', 'too_many', `There are more than ${MAX_VARIABLES} variables.`);
  }
  const bad = names.find((name) => name === '' || name.length > MAX_NAME);
  if (bad !== undefined) {
    throw invalidField('variables', 'name_invalid', `A name of a variable has 1 to ${MAX_NAME} characters.`);
  }
  if (Buffer.byteLength(JSON.stringify(variables)) > MAX_VARIABLE_BYTES) {
    throw invalidField(
      'variables',
      'too_large',
      `The variables have more than ${MAX_VARIABLE_BYTES} bytes as JSON.`,
    );
  }
}
