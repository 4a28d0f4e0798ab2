import { streamNames } from '../kernel/stream.js';

export const shelfStream = streamNames('shelf');
