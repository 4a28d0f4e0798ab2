import { Argument, Command, Option } from 'commander';
import { maybe, part } from '../answer.js';
import type { Io } from '../io.js';
import type { Column } from '../output.js';
import { teamAccess } from './team-access.js';
import { act, examples, listOptions, path } from '../session.js';
import { savedReplies } from './saved-replies.js';
import { messagesOfConversation, sendInConversation } from './conversations-send.js';

const COLUMNS: readonly Column[] = [
  ['UUID', 'uuid'],
  ['STATUS', 'status'],
  ['UNREAD', 'unread_count'],
  ['CONTACT', ({ contact }) => maybe(contact, part)?.['name'] ?? maybe(contact, part)?.['phone']],
  ['LAST MESSAGE', 'last_message_at'],
];
const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface ListOptions {
  readonly limit: number;
  readonly company?: string;
  readonly status?: string;
  readonly agent?: string;
  readonly channel?: string;
  readonly contact?: string;
  readonly unread?: true;
  readonly withFlow?: boolean;
}

const VERBS = {
  show: 'a conversation with its assignment and counters',
  resolve: 'mark a conversation as done',
  pending: 'mark a conversation as waiting for the customer',
  reopen: 'open a resolved conversation again',
  read: 'mark everything that came in as read',
  'take-over': 'end the flow that runs in a conversation; people go on',
} as const;

export function conversations(io: Io): Command {
  const noun = new Command('conversations').description('threads between a contact and a channel');

  examples(
    listOptions(noun.command('list').description('list conversations, most recently active first'))
      .option('--company <uuid>', 'company (default: the demo company, or the only one)')
      .addOption(new Option('--status <status>', 'only these').choices(['open', 'pending', 'resolved']))
      .option('--agent <uuid>', 'only of this agent; "none": of nobody')
      .option('--channel <uuid>', 'only of this channel')
      .option('--contact <uuid>', 'only of this contact')
      .option('--unread', 'only with messages that nobody has read')
      .option('--with-flow', 'only those that a flow is in charge of')
      .option('--no-with-flow', 'only those that no flow is in charge of'),
    'conversations list --status open',
    'conversations list --agent none --unread',
  ).action(
    act<ListOptions>(io, async ({ client, out, company }, { limit, unread, withFlow, ...options }) => {
      const { status, agent, channel, contact } = options;
      const query = {
        status,
        agent,
        channel,
        contact,
        unread: unread === true ? 'true' : undefined,
        with_flow: withFlow === undefined ? undefined : String(withFlow),
      };
      const path = `/companies/${await company(options.company)}/conversations`;
      out.list(await client.list(path, query, limit), COLUMNS);
    }),
  );

  for (const [verb, description] of Object.entries(VERBS)) {
    examples(
      noun.command(verb).description(description).argument('<conversation_uuid>'),
      `conversations ${verb} ${EXAMPLE}`,
    ).action(
      act(io, async ({ client, out }, _options, uuid) =>
        out.one(
          verb === 'show'
            ? await client.get(`/conversations/${path(uuid)}`)
            : await client.send('POST', `/conversations/${path(uuid)}/${verb}`),
        ),
      ),
    );
  }

  examples(
    noun
      .command('assign')
      .description('assign an agent or a group')
      .argument('<conversation_uuid>')
      .option('--agent <uuid>', 'agent; "none" removes it')
      .option('--group <uuid>', 'group; "none" removes it'),
    `conversations assign ${EXAMPLE} --agent ${EXAMPLE} --group none`,
  ).action(
    act<{ agent?: string; group?: string }>(io, async ({ client, out }, { agent, group }, uuid) =>
      out.one(
        await client.send('PUT', `/conversations/${path(uuid)}/assignment`, {
          agent_uuid: orNone(agent),
          group_uuid: orNone(group),
        }),
      ),
    ),
  );

  examples(
    noun
      .command('note')
      .description('leave a note for the team; the customer never sees it')
      .argument('<conversation_uuid>')
      .requiredOption('--text <text>', 'what')
      .option('--agent <uuid>', 'author of the note'),
    `conversations note ${EXAMPLE} --text "Prefere entrega pela manhã"`,
  ).action(
    act<{ text: string; agent?: string }>(io, async ({ client, out }, { text, agent }, uuid) =>
      out.one(await client.send('POST', `/conversations/${path(uuid)}/notes`, { text, agent_uuid: agent })),
    ),
  );

  noun.addCommand(sendInConversation(io));
  noun.addCommand(messagesOfConversation(io));
  noun.addCommand(fetchMedia(io));
  noun.addCommand(stepsOfConversation(io));
  noun.addCommand(savedReplies(io));
  noun.addCommand(team(io));
  return noun;
}

const orNone = (uuid: string | undefined): string | null | undefined => (uuid === 'none' ? null : uuid);

const STEPS: readonly Column[] = [
  ['AT', 'at'],
  ['WHAT', 'what'],
  ['FLOW', 'flow_name'],
  ['STATUS', 'status'],
  ['REASON', 'reason'],
  ['BY', 'actor'],
];

/** What flows and people did with it. */
function stepsOfConversation(io: Io): Command {
  return examples(
    listOptions(
      new Command('steps')
        .description('what flows and people did in a conversation, newest first')
        .argument('<conversation_uuid>'),
    ),
    `conversations steps ${EXAMPLE}`,
  ).action(
    act<{ limit: number }>(io, async ({ client, out }, { limit }, uuid) =>
      out.list(await client.list(`/conversations/${path(uuid)}/steps`, {}, limit), STEPS),
    ),
  );
}

/** For a file that could not be fetched from WhatsApp the first time. */
function fetchMedia(io: Io): Command {
  return examples(
    new Command('fetch-media')
      .description('ask WhatsApp for the file of a message again; it keeps files for seven days')
      .argument('<message_uuid>'),
    `conversations fetch-media ${EXAMPLE}`,
  ).action(
    act(io, async ({ client, out }, _options, uuid) =>
      out.one(await client.send('POST', `/messages/${path(uuid)}/media`)),
    ),
  );
}

const TEAM: readonly Column[] = [
  ['UUID', 'uuid'],
  ['KIND', 'kind'],
  ['NAME', 'name'],
  ['ROLE', 'role'],
  ['E-MAIL', 'email'],
];

/** Agents and groups that conversations are assigned to. */
function team(io: Io): Command {
  const noun = new Command('team').description('agents and groups that conversations are assigned to');
  const company = '--company <uuid>';
  const whose = 'company (default: the demo company, or the only one)';

  examples(
    noun.command('list').description('agents and groups').option(company, whose),
    'conversations team list',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options) => {
      const { data } = await client.page(`/companies/${await pick(options.company)}/team`, {});
      out.list(data, TEAM);
    }),
  );

  examples(
    noun
      .command('add')
      .description('add an agent or a group')
      .addArgument(new Argument('<kind>').choices(['agent', 'group']))
      .argument('<name>')
      .option(company, whose),
    'conversations team add agent "Ana Lima"',
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, kind, name) =>
      out.one(await client.send('POST', `/companies/${await pick(options.company)}/team`, { kind, name })),
    ),
  );

  examples(
    noun
      .command('rename')
      .description('give an agent or a group another name')
      .argument('<member_uuid>')
      .argument('<name>')
      .option(company, whose),
    `conversations team rename ${EXAMPLE} "Ana Souza"`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, uuid, name) =>
      out.one(
        await client.send('PATCH', `/companies/${await pick(options.company)}/team/${path(uuid)}`, { name }),
      ),
    ),
  );

  examples(
    noun
      .command('remove')
      .description('remove an agent or a group')
      .argument('<member_uuid>')
      .option(company, whose),
    `conversations team remove ${EXAMPLE}`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, uuid) => {
      await client.send('DELETE', `/companies/${await pick(options.company)}/team/${path(uuid)}`);
      out.done('Removed.');
    }),
  );
  teamAccess(io, noun);
  return noun;
}
