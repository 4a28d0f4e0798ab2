import { Command, Option } from 'commander';
import { maybe, number, part, text } from '../answer.js';
import { pause } from '../../ports/waiting.js';
import { EXIT, Failure } from '../failure.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { progressBar } from '../progress-bar.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['NAME', 'name'],
  ['LANGUAGE', 'language'],
  ['STATUS', 'status'],
  ['CATEGORY', 'category'],
  ['QUALITY', 'quality'],
  ['UUID', 'uuid'],
];
const LOOK_EVERY_MS = 250;
const SILENT_MS = 90_000;
const STATUSES = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'IN_APPEAL', 'DRAFT'];

export function templates(io: Io): Command {
  const noun = new Command('templates').description('message templates of a WhatsApp account');

  examples(
    listOptions(noun.command('list').description('list templates'))
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .addOption(new Option('--status <status>', 'only these').choices(STATUSES)),
    'templates list --status APPROVED',
  ).action(
    act<{ limit: number; company?: string; status?: string }>(
      io,
      async ({ client, out, company }, { limit, status, ...options }) =>
        out.list(
          await client.list(`/companies/${await company(options.company)}/templates`, { status }, limit),
          COLUMNS,
        ),
    ),
  );

  examples(
    noun
      .command('sync')
      .description("bring over the templates of a channel's account")
      .argument('<channel_uuid>'),
    'templates sync 3b0c8f5e-0000-4000-8000-000000000000',
  ).action(
    act(io, async ({ client, out }, _options, uuid) => {
      const target = `/channels/${path(uuid)}/templates/sync`;
      const { clock } = io;
      const bar = out.json ? null : progressBar(io);
      let sync = await client.send('POST', `${target}?wait=false`);
      let moved = { at: sync['updated_at'], since: clock.monotonic() };
      while (sync['state'] === 'running') {
        bar?.show(Number(sync['listed']), maybe(sync['expected'], number));
        if (clock.monotonic() - moved.since > SILENT_MS) {
          throw new Failure(
            EXIT.failed,
            'The sync makes no progress: its process may have ended.',
            'Repeat the command; it resumes where that one stopped.',
          );
        }
        await pause(clock, LOOK_EVERY_MS);
        sync = await client.get(target);
        if (sync['updated_at'] !== moved.at) moved = { at: sync['updated_at'], since: clock.monotonic() };
      }
      bar?.clear();
      const problem = maybe(sync['problem'], part);
      if (problem !== null) {
        throw new Failure(
          EXIT.failed,
          text(problem['message']),
          'Repeat the command; it resumes where this one stopped.',
        );
      }
      const { imported, changed, unchanged, removed } = sync;
      out.one({ imported, changed, unchanged, removed });
    }),
  );
  return noun;
}
