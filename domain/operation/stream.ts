import { streamNames } from '../kernel/stream.js';

export const operationStream = streamNames<'operation'>('operation');
