/** Who of a team may sign in to the console. */
import { Argument, type Command } from 'commander';
import { text } from '../answer.js';
import type { Io } from '../io.js';
import { act, examples, path } from '../session.js';

const EXAMPLE = '3b0c8f5e-0000-4000-8000-000000000000';
const ROLES = ['viewer', 'agent', 'owner'];

export function teamAccess(io: Io, noun: Command): void {
  const company = '--company <uuid>';
  const whose = 'company (default: the demo company, or the only one)';

  examples(
    noun
      .command('invite')
      .description('let a person sign in to the console, or reset a password: prints a link for one sign-in')
      .argument('<member_uuid>')
      .addArgument(new Argument('<role>').choices(ROLES))
      .argument('<email>')
      .option(company, whose),
    `conversations team invite ${EXAMPLE} agent ana@loja.example`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, uuid, role, email) => {
      const at = `/companies/${await pick(options.company)}/team/${path(uuid)}/access`;
      const { token, expires_at } = await client.send('POST', at, { role, email });
      const url = `${client.address.replace(/\/admin\/v1$/, '')}/console#invitation=${text(token)}`;
      if (out.json) return out.one({ url, expires_at });
      io.stdout.write(`${url}\n`);
    }),
  );

  examples(
    noun
      .command('role')
      .description('change what a person may do')
      .argument('<member_uuid>')
      .addArgument(new Argument('<role>').choices(ROLES))
      .option(company, whose),
    `conversations team role ${EXAMPLE} owner`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, uuid, role) =>
      out.one(
        await client.send('PATCH', `/companies/${await pick(options.company)}/team/${path(uuid)}/access`, {
          role,
        }),
      ),
    ),
  );

  examples(
    noun
      .command('revoke')
      .description('let a person no longer sign in: sessions end at once')
      .argument('<member_uuid>')
      .option(company, whose),
    `conversations team revoke ${EXAMPLE}`,
  ).action(
    act<{ company?: string }>(io, async ({ client, out, company: pick }, options, uuid) => {
      await client.send('DELETE', `/companies/${await pick(options.company)}/team/${path(uuid)}/access`);
      out.done('Revoked.');
    }),
  );
}
