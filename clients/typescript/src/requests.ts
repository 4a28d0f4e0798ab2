/** A call by its method and path, typed by the contract. The resources are made of it. */
import { Transport, type TransportOptions } from './transport.js';
import type { Answer, CallOf, InputOf, KeyedOptions, Method, OutputOf, PathOf } from './types.js';

/** What a call needs is required, what it may have is not. */
type CallGiven<M extends Method, P extends PathOf<M>> = InputOf<CallOf<M, P>> & RequestOptions;

export interface RequestOptions extends KeyedOptions {
  /** This POST may be made twice without harm, so it is repeated after a lost answer too. */
  readonly repeatable?: boolean | undefined;
}

export class Requests {
  readonly #transport: Transport;

  constructor(options: TransportOptions) {
    this.#transport = new Transport(options);
  }

  get timers(): Transport['timers'] {
    return this.#transport.timers;
  }

  /**
   * Any call of the contract: `request('GET', '/contacts/{contact_uuid}', { path: { contact_uuid } })`.
   * @throws ApiError, ConnectionError, or the reason of `signal`
   */
  async request<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    given: CallGiven<M, P>,
  ): Promise<Answer<OutputOf<CallOf<M, P>>>> {
    const { path: values, ...rest } = given;
    const answer = await this.#transport.call({ ...rest, method, path, values });
    // The server's own tests hold each answer to the contract.
    return answer as Answer<OutputOf<CallOf<M, P>>>;
  }
}
