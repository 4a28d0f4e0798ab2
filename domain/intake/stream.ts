import { streamNames } from '../kernel/stream.js';

export const intakeStream = streamNames('intake');
