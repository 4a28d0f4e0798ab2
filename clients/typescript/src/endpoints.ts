/** Your endpoints of webhooks, and the check of what arrives at them. */
import type { Requests } from './requests.js';
import type { CallOptions, Given, KeyedOptions, Schemas } from './types.js';
import { Webhooks } from './webhooks.js';

type EndpointWrite = Given<Schemas['WebhookEndpointWrite']>;
type EndpointPatch = Given<Schemas['WebhookEndpointPatch']>;

export class WebhookEndpoints extends Webhooks {
  readonly #api: Requests;

  constructor(api: Requests) {
    super();
    this.#api = api;
  }

  /** All endpoints; this list is not paged. */
  list(options: CallOptions = {}) {
    return this.#api.request('GET', '/webhooks', options);
  }

  create(endpoint: EndpointWrite, options: KeyedOptions = {}) {
    return this.#api.request('POST', '/webhooks', { ...options, body: endpoint });
  }

  get(uuid: string, options: CallOptions = {}) {
    return this.#api.request('GET', '/webhooks/{endpoint_uuid}', {
      ...options,
      path: { endpoint_uuid: uuid },
    });
  }

  /** Fields that are left out keep their value. `enabled: false` pauses it. */
  update(uuid: string, changes: EndpointPatch, options: CallOptions = {}) {
    const path = { endpoint_uuid: uuid };
    return this.#api.request('PATCH', '/webhooks/{endpoint_uuid}', { ...options, path, body: changes });
  }

  delete(uuid: string, options: CallOptions = {}) {
    return this.#api.request('DELETE', '/webhooks/{endpoint_uuid}', {
      ...options,
      path: { endpoint_uuid: uuid },
    });
  }

  /** Sends it a `webhook.test`. */
  test(uuid: string, options: CallOptions = {}) {
    const path = { endpoint_uuid: uuid };
    return this.#api.request('POST', '/webhooks/{endpoint_uuid}/test', { ...options, path });
  }

  /** A new secret, shown only here. The previous one signs too for a day; a second rotation ends that. */
  rotateSecret(rotation: Given<Schemas['SecretRotationWrite']> = {}, options: CallOptions = {}) {
    return this.#api.request('POST', '/webhooks/secret/rotate', { ...options, body: rotation });
  }
}
