import type { streams } from './protocol.js';
import type { StoredRecord } from './records.js';

export interface SubscriptionFilter {
  readonly matches: (record: StoredRecord) => boolean;
  /** Records examined per page of the history. */
  readonly window: number;
  /** Records examined between two checkpoints. */
  readonly checkpointEvery: number;
}

const DEFAULT_WINDOW = 32;

export const filterOf = (options: streams.ReadReq.Options.FilterOptions): SubscriptionFilter => {
  const window = options.hasMax() ? options.getMax() : DEFAULT_WINDOW;
  const onStream = options.getStreamIdentifier();
  const expression = onStream ?? options.getEventType();
  const prefixes = expression?.getPrefixList() ?? [];
  const regex =
    expression === undefined || prefixes.length > 0 ? undefined : new RegExp(expression.getRegex());
  const matchesText = (text: string): boolean =>
    regex === undefined ? prefixes.some((prefix) => text.startsWith(prefix)) : regex.test(text);
  return {
    matches: onStream === undefined ? ({ type }) => matchesText(type) : ({ stream }) => matchesText(stream),
    window,
    checkpointEvery: window * options.getCheckpointintervalmultiplier(),
  };
};
