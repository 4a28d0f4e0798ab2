import { streamNames } from '../kernel/stream.js';

export const executionStream = streamNames<'execution'>('execution');
