import { streamNames } from '../kernel/stream.js';

export const companyStream = streamNames<'company'>('company');
