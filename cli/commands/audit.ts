import { Command } from 'commander';
import { part, whoOf } from '../answer.js';
import type { Resource } from '../client.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['TIME', 'occurred_at'],
  ['WHO', ({ actor }) => whoOf(part(actor))],
  ['KIND', 'kind'],
  ['WHAT', whatOf],
  ['STREAM', 'stream'],
];

/** Of an act that was asked for, the operation says what. */
function whatOf({ type, details }: Resource): string {
  const operation = part(details)['operation'];
  return [type, operation].filter((text) => typeof text === 'string').join(' ');
}

interface Options {
  readonly limit: number;
  readonly company?: string;
  readonly server?: boolean;
  readonly actor?: string;
  readonly kind?: string;
  readonly from?: string;
  readonly to?: string;
}

export function audit(io: Io): Command {
  return examples(
    listOptions(
      new Command('audit').description('who did what: sign-ins, access, keys, settings, erasures, reveals'),
    )
      .argument('[company_uuid]', 'company (default: the demo company, or the only one)')
      .option(
        '--server',
        'what concerns the server itself, such as backups, exports and rebuilds that were asked for',
      )
      .option('--actor <actor>', 'user:<uuid>, admin or key:<id>')
      .option('--kind <kind>', 'such as access, sign_in, reveal, key, erasure or setting')
      .option('--from <when>', 'after this time or position')
      .option('--to <when>', 'up to this time or position'),
    'audit',
    'audit --kind reveal --from 2026-11-01T00:00:00Z',
    'audit --actor user:0198a6f0-0000-7000-8000-000000000000 --json',
  ).action(
    act<Options>(io, async ({ client, out, company }, { limit, server, actor, kind, from, to }, uuid) => {
      const whose = server === true ? undefined : await company(uuid);
      out.list(await client.list('/audit', { company: whose, actor, kind, from, to }, limit), COLUMNS);
    }),
  );
}
