import { streamNames } from '../kernel/stream.js';

export const templateStream = streamNames('template');
