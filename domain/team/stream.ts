import { streamNames } from '../kernel/stream.js';

/** One per company, named by its uuid. */
export const teamStream = streamNames('team');
