/** One shell in which the blocks of a page run one after the other, as in the terminal of a reader. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../e2e/eventually.js';
import { projectFile } from '../root.js';

export interface Shell {
  /** Runs the commands; returns what they printed. @throws with the output if one of them fails */
  run(commands: string): Promise<string>;
  /** Starts a command that does not end; its output so far is returned by the function. */
  leave(command: string): Promise<() => string>;
  close(): Promise<void>;
}

const DONE = '@@ the block ended @@';

export interface ShellOptions {
  readonly folder: string;
  /** The built command line. */
  readonly cli: string;
  /** Address of the product that a reader would have started. */
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `npm ci` and `npm start` were done before: the test runs on an installed checkout, and beside a product that is up. */
const preamble = ({ cli, url }: ShellOptions): string => `
set -o pipefail
cli() { node '${cli}' "$@"; }
recado() { cli "$@"; }
npm() {
  case "$*" in
    ci) true ;;
    start) curl -fsS '${url}/readyz' ;;
    'run --silent cli -- '*) shift 4; cli "$@" ;;
    'run cli -- '*) shift 3; cli "$@" ;;
    *) echo "npm $*: not known here" >&2; false ;;
  esac
}
npx() { (cd '${projectFile('./')}' && command npx --no "$@"); }
`;

export async function openShell(options: ShellOptions): Promise<Shell> {
  const { folder, env } = options;
  const settings = { cwd: folder, env: { ...process.env, ...env, NO_COLOR: '1' } };
  const bash = spawn('bash', ['--noprofile', '--norc'], settings);
  const left: ReturnType<typeof spawn>[] = [];
  let output = '';
  let ended = false;
  bash.on('close', () => (ended = true));
  for (const stream of [bash.stdout, bash.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));

  async function run(commands: string): Promise<string> {
    output = '';
    bash.stdin.write(`set -e\n${commands}\nset +e; echo; echo '${DONE}'\n`);
    await eventually(() => output.includes(DONE) || ended, { timeoutMs: 110_000 });
    if (ended) throw new Error(`a command failed:\n${commands}\n${output}`);
    return output.replace(DONE, '').trim();
  }

  await run(preamble(options));
  return {
    run,
    async leave(command) {
      const script = `${preamble(options)}\n${command}`;
      const child = spawn('bash', ['--noprofile', '--norc', '-c', script], { ...settings, detached: true });
      left.push(child);
      let printed = '';
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
      await eventually(() => printed !== '' || child.exitCode !== null, { timeoutMs: 60_000 });
      return () => printed;
    },
    async close() {
      for (const { pid } of left) if (pid !== undefined) process.kill(-pid, 'SIGTERM');
      if (ended) return;
      bash.stdin.end();
      await once(bash, 'close');
    },
  };
}
