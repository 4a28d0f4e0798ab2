import { streamNames } from '../kernel/stream.js';

export const quotaStream = streamNames('ledger');
