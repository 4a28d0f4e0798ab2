import { streamNames } from '../kernel/stream.js';

export const messageStream = streamNames<'message'>('message');
