import { Command } from 'commander';
import { createClient } from '../client.js';
import { findCredentials } from '../credentials.js';
import { EXIT, Failure } from '../failure.js';
import type { Io } from '../io.js';
import { runLocal } from '../local.js';
import { createOutput } from '../output.js';
import { counted } from '../readable.js';
import { examples, type GlobalOptions } from '../session.js';

interface Options extends GlobalOptions {
  readonly deep?: boolean;
  readonly local: boolean;
  readonly server: boolean;
}

interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly todo: string | null;
  /** The side that made the check: this machine or the server. */
  readonly from: 'machine' | 'server';
}

const CLOCKS_APART_MS = 2_000;

export function doctor(io: Io): Command {
  const command = new Command('doctor')
    .description('check an installation: each finding with what to do about it')
    .option('--deep', 'read all of the database, every event by its checksum: minutes for a large one')
    .option('--no-local', 'do not check the data folder of this machine')
    .option('--no-server', 'do not ask the server')
    .addHelpText('after', '\nExit codes: 0 all is well or there are warnings, 1 something has failed.');
  return examples(command, 'doctor', 'doctor --deep --no-server --data-dir ./data', 'doctor --json').action(
    async (_options: unknown, self: Command) => {
      const options = self.optsWithGlobals<Options>();
      const findings = [
        ...(options.local ? await onThisMachine(io, options) : []),
        ...(options.server ? await ofServer(io, options) : []),
      ];
      report(io, options, findings);
      const failed = findings.filter(({ status }) => status === 'fail').length;
      if (failed > 0)
        throw new Failure(EXIT.failed, `${failed} of ${counted(findings.length, 'check')} failed.`);
    },
  );
}

async function onThisMachine(io: Io, options: Options): Promise<readonly Finding[]> {
  const { findings } = await runLocal(io, 'doctor', [
    options.dataDir ?? io.env['RECADO_DATA_DIR'] ?? '',
    ...(options.deep === true ? ['--deep'] : []),
  ]);
  return (findings as readonly Finding[]).map((finding) => ({ ...finding, from: 'machine' }));
}

async function ofServer(io: Io, options: Options): Promise<readonly Finding[]> {
  const finding = (
    status: Finding['status'],
    check: string,
    message: string,
    todo: string | null,
  ): Finding => ({
    check,
    status,
    message,
    todo,
    from: 'server',
  });
  try {
    const credentials = findCredentials(io, options);
    const client = createClient(credentials, options.timeout * 1000, io.clock);
    const asked = io.clock.now();
    const { findings, version, now } = await client.get('/doctor');
    const apart = Math.round((asked + io.clock.now()) / 2 - Date.parse(String(now)));
    return [
      finding('ok', 'server', `Recado ${String(version)} answers at ${credentials.url}.`, null),
      Math.abs(apart) > CLOCKS_APART_MS
        ? finding(
            'warn',
            'clock',
            `The clocks of this machine and the server are ${Math.abs(apart)} ms apart.`,
            'Run a time service (chrony) on both: webhook signatures carry the time.',
          )
        : finding('ok', 'clock', 'This machine and the server agree about the time.', null),
      ...(findings as readonly Finding[]).map((each) => ({ ...each, from: 'server' as const })),
    ];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [finding('fail', 'server', error.message, error.next ?? 'Check the log of the server.')];
  }
}

const MARK = { ok: 'ok  ', warn: 'WARN', fail: 'FAIL' } as const;

function report(io: Io, options: Options, findings: readonly Finding[]): void {
  const out = createOutput(io, options);
  if (out.json) return out.one({ findings });
  for (const { status, check, message, todo } of findings) {
    io.stdout.write(`${out.state(MARK[status])}  ${check}: ${message}\n`);
    if (todo !== null) io.stdout.write(`      -> ${todo}\n`);
  }
  const count = (status: Finding['status']): number =>
    findings.filter((each) => each.status === status).length;
  out.done(`${count('ok')} ok, ${counted(count('warn'), 'warning')}, ${counted(count('fail'), 'failure')}`);
}
