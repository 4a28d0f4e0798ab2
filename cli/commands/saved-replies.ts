import { Command } from 'commander';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { act, examples, listOptions, path } from '../session.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['SHORT CUT', ({ short_cut: shortCut }) => `/${String(shortCut)}`],
  ['TITLE', 'title'],
  ['TEXT', 'text'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const COMPANY = '--company <uuid>';
const WHOSE = 'company (default: the demo company, or the only one)';
const TEXT = 'the answer; it may have {{contact.first_name|…}} and {{contact.name|…}}';

interface Content {
  readonly company?: string;
  readonly title?: string;
  readonly shortCut?: string;
  readonly text?: string;
}

/** Texts that the team answers customers with. */
export function savedReplies(io: Io): Command {
  const noun = new Command('saved-replies').description('texts that the team answers customers with');

  examples(
    listOptions(noun.command('list').description('list saved replies, by short cut')).option(COMPANY, WHOSE),
    'conversations saved-replies list',
  ).action(
    act<{ company?: string; limit: number }>(io, async ({ client, out, company }, options) => {
      const at = `/companies/${await company(options.company)}/saved-replies`;
      out.list(await client.list(at, {}, options.limit), COLUMNS);
    }),
  );

  examples(
    noun
      .command('add')
      .description('save a reply')
      .argument('<short_cut>', 'what people type behind a slash')
      .requiredOption('--title <title>', 'what it is about')
      .requiredOption('--text <text>', TEXT)
      .option(COMPANY, WHOSE),
    'conversations saved-replies add prazo --title "Prazo de entrega" --text "Oi {{contact.first_name|tudo bem}}! Entregamos em 2 dias."',
  ).action(
    act<Content>(io, async ({ client, out, company: pick }, { company, title, text }, shortCut) =>
      out.one(
        await client.send('POST', `/companies/${await pick(company)}/saved-replies`, {
          title,
          short_cut: shortCut,
          text,
        }),
      ),
    ),
  );

  examples(
    noun
      .command('change')
      .description('change a saved reply; omitted fields keep their values')
      .argument('<reply_uuid>')
      .option('--title <title>', 'what it is about')
      .option('--short-cut <short_cut>', 'what people type behind a slash')
      .option('--text <text>', TEXT)
      .option(COMPANY, WHOSE),
    `conversations saved-replies change ${EXAMPLE} --text "Entregamos em 3 dias."`,
  ).action(
    act<Content>(io, async ({ client, out, company: pick }, { company, title, shortCut, text }, uuid) =>
      out.one(
        await client.send('PATCH', `/companies/${await pick(company)}/saved-replies/${path(uuid)}`, {
          title,
          short_cut: shortCut,
          text,
        }),
      ),
    ),
  );

  examples(
    noun
      .command('remove')
      .description('remove a saved reply')
      .argument('<reply_uuid>')
      .option(COMPANY, WHOSE),
    `conversations saved-replies remove ${EXAMPLE}`,
  ).action(
    act<Content>(io, async ({ client, out, company: pick }, { company }, uuid) => {
      await client.send('DELETE', `/companies/${await pick(company)}/saved-replies/${path(uuid)}`);
      out.done('Removed.');
    }),
  );
  return noun;
}
