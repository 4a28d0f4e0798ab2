/** Operations: what became of a send or of a flow. */
import { OperationFailedError, OperationPendingError } from './errors.js';
import type { Requests } from './requests.js';
import type { Answer, CallOptions, Operation, Succeeded } from './types.js';

export interface WaitOptions extends CallOptions {
  /** Greatest time to wait, in milliseconds. Default: 60,000. A paced message can take longer. */
  readonly withinMs?: number | undefined;
}

const FIRST_POLL_MS = 250;
const LONGEST_POLL_MS = 5_000;

export class Operations {
  readonly #api: Requests;

  constructor(api: Requests) {
    this.#api = api;
  }

  get(uuid: string, options: CallOptions = {}): Promise<Answer<{ data: Operation }>> {
    return this.#api.request('GET', '/operations/{operation_uuid}', {
      ...options,
      path: { operation_uuid: uuid },
    });
  }

  /**
   * Polls until the operation has succeeded, ever more slowly.
   * @param operation its uuid, or itself as `messages.send` returned it
   * @throws OperationFailedError with the code of the failure
   * @throws OperationPendingError if it is not final in time; it continues
   */
  async wait(operation: string | { readonly uuid: string }, options: WaitOptions = {}): Promise<Succeeded> {
    const { withinMs = 60_000, ...call } = options;
    const uuid = typeof operation === 'string' ? operation : operation.uuid;
    const { timers } = this.#api;
    const end = timers.now() + withinMs;
    for (let wait = FIRST_POLL_MS; ; wait = Math.min(LONGEST_POLL_MS, wait * 1.5)) {
      const { data } = await this.get(uuid, call);
      if (data.status === 'succeeded') return data;
      if (data.status === 'failed') throw new OperationFailedError(data);
      const left = end - timers.now();
      if (left <= 0) throw new OperationPendingError(data);
      await timers.sleep(Math.min(wait, left), options.signal);
    }
  }
}
