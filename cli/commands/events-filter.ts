/** Which events `events list` and `events tail` show. */
import type { Command } from 'commander';
import type { Query } from '../client.js';

export interface EventFilter {
  readonly types?: string;
  readonly company?: string;
  readonly stream?: string;
}

export const filtered = (command: Command): Command =>
  command
    .option('--types <list>', 'only these event types, comma-separated')
    .option('--company <uuid>', 'only those of one company')
    .option('--stream <name>', 'only those of one stream, such as operation-<uuid>');

export const filterQuery = ({ types, company, stream }: EventFilter): Query => ({ types, company, stream });
