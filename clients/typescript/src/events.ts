/** The events feed: what your webhooks say, for those that were down. */
import type { Requests } from './requests.js';
import type { CallOf, CallOptions, QueryOf, Schemas } from './types.js';

type FeedQuery = QueryOf<CallOf<'GET', '/events'>>;

/** An event, or what is left of it after its person was erased: id, type and sequence. */
export type FeedEvent = Schemas['EventList']['data'][number];

export class Events {
  readonly #api: Requests;

  constructor(api: Requests) {
    this.#api = api;
  }

  /** One page. Keep `meta.next_after`, and pass it as `after` to continue. */
  page(query: FeedQuery = {}, options: CallOptions = {}) {
    return this.#api.request('GET', '/events', { ...options, query });
  }

  /** All events up to now, in order; from the oldest kept if `after` is left out. Keep the `sequence` of each. */
  async *list(query: FeedQuery = {}, options: CallOptions = {}): AsyncGenerator<FeedEvent, void, undefined> {
    for (let next = query; ;) {
      const { data, meta } = await this.page(next, options);
      yield* data;
      if (!meta.more) return;
      next = { ...query, after: meta.next_after };
    }
  }
}
