import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { Command } from 'commander';
import { serviceSignature, standardWebhooksSignature } from '../../domain/policies/webhook-signature.js';
import { EXIT, Failure, unreadable, usage } from '../failure.js';
import { readText, type Io } from '../io.js';
import { gather } from '../pairs.js';
import { actOffline, examples, wholeNumber } from '../session.js';
import { readHeaders } from '../signature/headers.js';
import { judge } from '../signature/judge.js';
import { readWebhookSecrets } from '../signature/secrets.js';

const SECRET = [
  '--secret-file <file>',
  'webhook secrets, one on each line (default: RECADO_WEBHOOK_SECRET)',
] as const;

interface SignOptions {
  readonly secretFile?: string;
  readonly id?: string;
  readonly timestamp?: number;
}

interface VerifyOptions {
  readonly secretFile?: string;
  readonly header?: readonly string[];
  readonly headersFile?: string;
  readonly anyAge?: boolean;
}

export function signature(io: Io): Command {
  const noun = new Command('signature').description(
    'sign and verify webhooks on this machine, without a server',
  );

  examples(
    noun
      .command('sign')
      .description('print the headers that sign a body')
      .argument('<file>', 'the raw body (- is stdin)')
      .option(...SECRET)
      .option('--id <id>', "the event's id (default: that in the body)")
      .option(
        '--timestamp <seconds>',
        'when it is signed, in Unix seconds (default: now)',
        wholeNumber(0, 1e12),
      ),
    'signature sign event.json',
    'signature sign event.json --secret-file secret.txt --json',
  ).action(
    actOffline<SignOptions>(io, async ({ out }, { secretFile, id: given, timestamp: at }, file) => {
      const [rawBody, secrets] = await readBoth(io, file, secretFile);
      const id = given ?? idIn(rawBody);
      const timestamp = String(at ?? Math.floor(io.clock.now() / 1000));
      const headers = {
        'Service-Event-Id': id,
        'Service-Timestamp': timestamp,
        'Service-Signature': serviceSignature({ timestamp, rawBody, secrets }),
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': standardWebhooksSignature({ id, timestamp, rawBody, secrets }),
      };
      if (out.json) return out.one(headers);
      for (const [name, value] of Object.entries(headers)) io.stdout.write(`${name}: ${value}\n`);
    }),
  );

  examples(
    noun
      .command('verify')
      .description('say whether a webhook is authentic (exit 0), or why it is not (exit 1)')
      .argument('<file>', 'the raw body (- is stdin)')
      .option(...SECRET)
      .option('-H, --header <line>', 'a received header, as in curl; repeatable', gather)
      .option('--headers-file <file>', 'received headers, one on each line')
      .option('--any-age', 'accept timestamps more than five minutes from now'),
    'signature verify body.json --headers-file headers.txt',
    'signature verify body.json -H "Service-Timestamp: 1772366400" -H "Service-Signature: v1=5f0c" --any-age',
  ).action(
    actOffline<VerifyOptions>(io, async ({ out }, options, file) => {
      const [body, secrets] = await readBoth(io, file, options.secretFile);
      const lines =
        options.headersFile === undefined ? [] : (await readText(io, options.headersFile)).split('\n');
      const headers = readHeaders([...lines, ...(options.header ?? [])]);
      const now = options.anyAge ? null : Math.floor(io.clock.now() / 1000);
      const verdicts = judge({ headers, body, secrets, now });
      const faults = verdicts.filter(({ result }) => result !== 'valid');
      if (out.json) out.one({ valid: faults.length === 0, checks: verdicts });
      else for (const { scheme, result } of verdicts) io.stdout.write(`${scheme}: ${result}\n`);
      const [fault] = faults;
      if (fault === undefined) return;
      throw new Failure(EXIT.failed, `${fault.scheme}: ${fault.result}. ${fault.why ?? ''}`, undefined, {
        code: `signature_${fault.result}`,
      });
    }),
  );
  return noun;
}

async function readBoth(
  io: Io,
  file: string,
  secretFile: string | undefined,
): Promise<readonly [Buffer, readonly string[]]> {
  if (file === '-' && secretFile === '-') throw usage('Only one of body and secret can come from stdin.');
  return [await readBytes(io, file), await readWebhookSecrets(io, secretFile)];
}

async function readBytes(io: Io, file: string): Promise<Buffer> {
  if (file === '-') return buffer(io.stdin);
  try {
    return readFileSync(file);
  } catch (error) {
    throw unreadable(file, error);
  }
}

function idIn(body: Buffer): string {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : undefined;
    if (typeof id === 'string' && id !== '') return id;
  } catch {
    // Reported below.
  }
  throw usage('The body has no id, which the webhook-signature covers.', 'Give one with --id.');
}
