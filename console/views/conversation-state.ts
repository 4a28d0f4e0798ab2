import type { Conversation } from '../shapes.js';
import { t } from '../words.js';

/** In words. To the API a conversation is pending whether a flow is in charge or somebody has set it aside. */
export const stateOf = ({ status, with_flow: withFlow }: Conversation): string =>
  t(status === 'pending' && withFlow === true ? 'status.flow' : `status.${status}`);
