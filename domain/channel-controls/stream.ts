import { streamNames } from '../kernel/stream.js';

/** By the channel's uuid. */
export const channelControlsStream = streamNames<'channel'>('sending');
