import { streamNames } from '../kernel/stream.js';

export const ledgerStream = streamNames('ledger');
