import { Command } from 'commander';
import { usage } from '../failure.js';
import type { Io } from '../io.js';
import { gather, jsonObject, pairs } from '../pairs.js';
import { act, examples, path, words } from '../session.js';

const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';

interface Change {
  readonly name?: string;
  readonly email?: string;
  readonly tags?: readonly string[];
  readonly field?: readonly string[];
  readonly fields?: string;
}

export function contactsChange(io: Io): Command {
  return examples(
    new Command('change')
      .description('change what a contact is called, its tags and its custom fields; the rest stays')
      .argument('<contact_uuid>')
      .option('--name <name>', 'display name; "none" removes it')
      .option('--email <address>', 'e-mail address; "none" removes it')
      .option('--tags <tags>', 'all its tags, separated by commas; "" removes them', words)
      .option('--field <name=text>', 'a custom field, added or overwritten; repeatable', gather)
      .option('--fields <json>', 'custom fields as a JSON object, for numbers and other values'),
    `contacts change ${EXAMPLE} --name "Maria Souza" --tags vip,newsletter`,
    `contacts change ${EXAMPLE} --field city=Recife --email none`,
  ).action(
    act<Change>(io, async ({ client, out }, options, uuid) =>
      out.one(await client.send('PATCH', `/contacts/${path(uuid)}`, changeOf(options))),
    ),
  );
}

/** @throws Failure when nothing is to be changed */
function changeOf({ name, email, tags, field, fields }: Change): object {
  if (field !== undefined && fields !== undefined) throw usage('Give either --field or --fields.');
  const custom =
    fields === undefined
      ? field && pairs(field, '--field')
      : jsonObject(fields, '--fields takes a JSON object, such as \'{"age": 42}\'.');
  const change = { name: orNone(name), email: orNone(email), tags, custom_fields: custom };
  if (Object.values(change).every((value) => value === undefined)) {
    throw usage('Say what to change: --name, --email, --tags, --field or --fields.');
  }
  return change;
}

const orNone = (value: string | undefined): string | null | undefined => (value === 'none' ? null : value);
