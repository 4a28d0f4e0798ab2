import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['KIND', 'kind'],
  ['UUID', 'uuid'],
  ['BY', 'matched_by'],
  ['TITLE', 'title'],
];

export const find = (io: Io): Command =>
  examples(
    new Command('find')
      .description('find a person, an order, a message or anything else of a company')
      .argument('<text>', "phone, name, UUID, order number, Idempotency-Key or WhatsApp's id of a message")
      .option('--company <uuid>', 'company (default: the demo company, or the only one)'),
    'find +5511987654321',
    'find "#1001"',
    'find wamid.HBgNNTUxMTk4NzY1NDMyMRUCABEYEjZCM0Y5',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company }, options, text) => {
      const path = `/companies/${await company(options.company)}/search`;
      const { data } = await client.page(path, { query: text });
      out.list(data, COLUMNS);
    }),
  );
