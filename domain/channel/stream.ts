import { streamNames } from '../kernel/stream.js';

export const channelStream = streamNames<'channel'>('channel');
