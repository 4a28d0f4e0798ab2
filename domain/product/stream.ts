import { streamNames } from '../kernel/stream.js';

export const productStream = streamNames('product');
