import { streamNames } from '../kernel/stream.js';

export const flowStream = streamNames('flow');
