/** The tree of commands, and running it once. */
import { Command, CommanderError, Help, type Option } from 'commander';
import { backup } from './commands/backup.js';
import { channels } from './commands/channels.js';
import { audit } from './commands/audit.js';
import { companies } from './commands/companies.js';
import { completion } from './commands/completion.js';
import { consoleCommand } from './commands/console.js';
import { contacts } from './commands/contacts.js';
import { conversations } from './commands/conversations.js';
import { deliveries } from './commands/deliveries.js';
import { doctor } from './commands/doctor.js';
import { events } from './commands/events.js';
import { feed } from './commands/feed.js';
import { find } from './commands/find.js';
import { intake } from './commands/intake.js';
import { flows } from './commands/flows.js';
import { integrations } from './commands/integrations.js';
import { keys } from './commands/keys.js';
import { listen } from './commands/listen.js';
import { messages } from './commands/messages.js';
import { operations } from './commands/operations.js';
import { parked } from './commands/parked.js';
import { projections } from './commands/projections.js';
import { restore } from './commands/restore.js';
import { sandbox } from './commands/sandbox.js';
import { signature } from './commands/signature.js';
import { status } from './commands/status.js';
import { store } from './commands/store.js';
import { templates } from './commands/templates.js';
import { trigger } from './commands/trigger.js';
import { webhooks } from './commands/webhooks.js';
import { asksForJson, explain, wrongUsage } from './explain.js';
import { EXIT } from './failure.js';
import type { Io } from './io.js';
import { examples, wholeNumber } from './session.js';
import { asksForVersion, packageVersion, VERSION } from './version.js';

const EXIT_CODES = `
Exit codes:
  0    done
  1    failed
  2    wrong usage or bad input
  3    not found, or refused in the current state
  4    not authorised
  5    not reachable or timed out: worth trying again
  130  interrupted

The server is found by --admin-url, RECADO_ADMIN_URL, or credentials.json of the data folder (--data-dir,
RECADO_DATA_DIR, default ./data); its token by --token-file, RECADO_ADMIN_TOKEN, or the same file.
Commands of integrators (messages, feed, listen, trigger) need no admin token, but RECADO_API_KEY, and --api-url
or RECADO_URL.`;

/** Shown in the help only: the parser does not know it, see version.ts. */
const withVersion = (command: Command): Option[] => [VERSION, ...new Help().visibleOptions(command)];

const NOUNS = [
  companies,
  audit,
  integrations,
  keys,
  webhooks,
  channels,
  templates,
  flows,
  store,
  contacts,
  conversations,
  operations,
  deliveries,
  find,
  events,
  projections,
  intake,
  parked,
  messages,
  feed,
  listen,
  trigger,
  signature,
  consoleCommand,
  sandbox,
  status,
  backup,
  restore,
  doctor,
  completion,
];

/** @param json whether errors are for a program */
export function createProgram(io: Io, json = false): Command {
  const program = new Command('recado')
    .description('Operate a Recado server through its admin API, or use it by an API key.')
    .configureHelp({ visibleOptions: withVersion })
    .option('--json', 'JSON on stdout: an object, an array for lists, a line for each event of a stream')
    .option('--admin-url <url>', 'address of the admin API, such as http://127.0.0.1:8080/admin/v1')
    .option('--api-url <url>', "address of the integrators' API, such as http://127.0.0.1:8080/api/v1")
    .option('--token-file <file>', 'file that holds the admin token')
    .option('--data-dir <folder>', 'data folder whose credentials.json to use')
    .option('--timeout <seconds>', 'for each call', wholeNumber(1, 3_600), 30)
    .option('--utc', 'show times in UTC instead of the time zone of this machine')
    .option('--no-color', 'no colours (NO_COLOR works too)');
  for (const noun of NOUNS) program.addCommand(noun(io));
  examples(
    program,
    'status',
    'sandbox reply --from +5511987654321 --text "Oi!"',
    'operations list --status failed',
  );
  program.addHelpText('after', EXIT_CODES);
  adjust(program, io, json);
  return program;
}

/**
 * Runs the command that the arguments name, and reports why if it fails.
 * @param args without the program's own name
 * @returns the exit code
 */
export async function runProgram(io: Io, args: readonly string[]): Promise<number> {
  const json = asksForJson(args);
  let underWay: Command | undefined;
  try {
    const program = createProgram(io, json);
    if (asksForVersion(program, args)) {
      const version = packageVersion();
      io.stdout.write(`${json ? JSON.stringify({ version }, null, 2) : version}\n`);
      return EXIT.done;
    }
    program.hook('preAction', (_program, command) => void (underWay = command));
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // The user asked for help, and commander has printed it.
    if (error instanceof CommanderError) return EXIT.done;
    return explain(io, error, json, underWay);
  }
}

/** Settings that commander does not pass to commands created separately. */
function adjust(command: Command, io: Io, json: boolean): void {
  command
    .exitOverride((error) => {
      throw error.exitCode === 0 ? error : wrongUsage(command, error);
    })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // Under --json the error replaces the help that commander prints with it.
      writeErr: (text) => void (json || io.stderr.write(text)),
      outputError: () => undefined,
    });
  for (const each of command.commands) adjust(each, io, json);
}
