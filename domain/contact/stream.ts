import { streamNames } from '../kernel/stream.js';

export const contactStream = streamNames<'contact'>('contact');
