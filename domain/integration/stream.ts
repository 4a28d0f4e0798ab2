import { streamNames } from '../kernel/stream.js';

export const integrationStream = streamNames<'integration'>('integration');
