import { streamNames } from '../kernel/stream.js';

export const orderStream = streamNames<'order'>('order');
