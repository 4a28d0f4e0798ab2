import { streamNames } from '../kernel/stream.js';

export const erasureStream = streamNames('erasure');
