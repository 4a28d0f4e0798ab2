import { streamNames } from '../kernel/stream.js';

/** One stream per company, named by its uuid. */
export const savedRepliesStream = streamNames<'company'>('replies');
