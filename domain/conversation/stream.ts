import { streamNames } from '../kernel/stream.js';

export const conversationStream = streamNames<'conversation'>('conversation');
