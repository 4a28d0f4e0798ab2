import { streamNames } from '../kernel/stream.js';

/** One stream per company, named by its uuid. */
export const teamStream = streamNames<'company'>('team');
