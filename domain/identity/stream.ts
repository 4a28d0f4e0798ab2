import { streamNames } from '../kernel/stream.js';

export const identityStream = streamNames('identity');
