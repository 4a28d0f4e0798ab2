import { streamNames } from '../kernel/stream.js';

export const productQuotaStream = streamNames('shelf');
