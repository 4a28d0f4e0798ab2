/** The client: one object, with the API's resources as its parts. */
import { WebhookEndpoints } from './endpoints.js';
import { Events } from './events.js';
import { Operations } from './operations.js';
import { Pages } from './pages.js';
import { Products } from './products.js';
import { Requests } from './requests.js';
import type {
  CallOf,
  CallOptions,
  ContactUpsert,
  ContactWrite,
  FlowExecutionRequest,
  KeyedOptions,
  MessageRequest,
  PathOf,
  QueryOf,
  Schemas,
} from './types.js';

type Query<P extends PathOf<'GET'>> = QueryOf<CallOf<'GET', P>>;
type OrderStatus = Schemas['StoreOrderStatusWrite']['status'];

/** `const recado = new Recado({ apiKey, baseUrl })`. Safe to share; it holds no connection. */
export class Recado extends Requests {
  readonly channels = {
    /** All channels; this list is not paged. */
    list: (options: CallOptions = {}) => this.request('GET', '/channels', options),
  };

  readonly contacts = {
    list: (query: Query<'/contacts'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/contacts', { ...options, query: behind(query, after) }),
        query.after,
      ),
    get: (uuid: string, options: CallOptions = {}) =>
      this.request('GET', '/contacts/{contact_uuid}', { ...options, path: { contact_uuid: uuid } }),
    /** Fields that are left out keep their value. */
    update: (uuid: string, changes: ContactWrite, options: CallOptions = {}) =>
      this.request('PATCH', '/contacts/{contact_uuid}', {
        ...options,
        path: { contact_uuid: uuid },
        body: changes,
      }),
    /** Creates or updates the contact with your own identifier. Safe to call on every sync. */
    upsert: (externalId: string, contact: ContactUpsert, options: CallOptions = {}) =>
      this.request('PUT', '/contacts/external/{external_id}', {
        ...options,
        path: { external_id: externalId },
        body: contact,
      }),
  };

  readonly flows = {
    list: (query: Query<'/flows'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/flows', { ...options, query: behind(query, after) }),
        query.after,
      ),
    get: (uuid: string, options: CallOptions = {}) =>
      this.request('GET', '/flows/{flow_uuid}', { ...options, path: { flow_uuid: uuid } }),
    /** Starts it for one person. Follow the operation with `operations.wait`. */
    execute: (uuid: string, execution: FlowExecutionRequest, options: KeyedOptions = {}) =>
      this.request('POST', '/flows/{flow_uuid}/executions', {
        ...options,
        path: { flow_uuid: uuid },
        body: execution,
      }),
  };

  readonly templates = {
    list: (query: Query<'/templates'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/templates', { ...options, query: behind(query, after) }),
        query.after,
      ),
    get: (name: string, options: CallOptions = {}) =>
      this.request('GET', '/templates/{name}', { ...options, path: { name } }),
  };

  readonly messages = {
    /** Messages that this integration's company sent, newest first. One main filter, and status and time with it. */
    list: (query: Query<'/messages'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/messages', { ...options, query: behind(query, after) }),
        query.after,
      ),
    /** One message with what happened to it, in order. */
    get: (uuid: string, options: CallOptions = {}) =>
      this.request('GET', '/messages/{message_uuid}', { ...options, path: { message_uuid: uuid } }),
    /** Accepts a message to be sent. Follow the operation with `operations.wait`. */
    send: (message: MessageRequest, options: KeyedOptions = {}) =>
      this.request('POST', '/messages', { ...options, body: message }),
  };

  readonly conversations = {
    /** Most recently active first. */
    list: (query: Query<'/conversations'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/conversations', { ...options, query: behind(query, after) }),
        query.after,
      ),
    get: (uuid: string, query: Query<'/conversations/{conversation_uuid}'> = {}, options: CallOptions = {}) =>
      this.request('GET', '/conversations/{conversation_uuid}', {
        ...options,
        path: { conversation_uuid: uuid },
        query,
      }),
    messages: (
      uuid: string,
      query: Query<'/conversations/{conversation_uuid}/messages'> = {},
      options: CallOptions = {},
    ) =>
      new Pages(
        (after) =>
          this.request('GET', '/conversations/{conversation_uuid}/messages', {
            ...options,
            path: { conversation_uuid: uuid },
            query: behind(query, after),
          }),
        query.after,
      ),
  };

  readonly operations = new Operations(this);

  readonly store = {
    get: (options: CallOptions = {}) => this.request('GET', '/store', options),
    products: new Products(this),
    categories: {
      /** All categories; this list is not paged. */
      list: (options: CallOptions = {}) => this.request('GET', '/store/categories', options),
    },
    orders: {
      list: (query: Query<'/store/orders'> = {}, options: CallOptions = {}) =>
        new Pages(
          (after) => this.request('GET', '/store/orders', { ...options, query: behind(query, after) }),
          query.after,
        ),
      get: (uuid: string, options: CallOptions = {}) =>
        this.request('GET', '/store/orders/{order_uuid}', { ...options, path: { order_uuid: uuid } }),
      /** Its state machine refuses other moves: 422 `invalid_status_transition`. */
      move: (uuid: string, status: OrderStatus, options: CallOptions = {}) =>
        this.request('POST', '/store/orders/{order_uuid}/status', {
          ...options,
          path: { order_uuid: uuid },
          body: { status },
        }),
    },
  };

  readonly events = new Events(this);
  readonly webhooks = new WebhookEndpoints(this);

  readonly deliveries = {
    list: (query: Query<'/deliveries'> = {}, options: CallOptions = {}) =>
      new Pages(
        (after) => this.request('GET', '/deliveries', { ...options, query: behind(query, after) }),
        query.after,
      ),
    /** With its body, its headers, and each attempt. */
    get: (id: string, options: CallOptions = {}) =>
      this.request('GET', '/deliveries/{delivery_id}', { ...options, path: { delivery_id: id } }),
    /** Sends the same bytes again. */
    redeliver: (id: string, options: CallOptions = {}) =>
      this.request('POST', '/deliveries/{delivery_id}/redeliver', { ...options, path: { delivery_id: id } }),
  };
}

const behind = <Q extends object>(query: Q, after: string | undefined): Q & { after?: string } =>
  after === undefined ? query : { ...query, after };
