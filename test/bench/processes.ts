/** Processes of the build, with the kernel's and their own counts of their work. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LiveHeap } from './live-heap.js';

/** The build's own folder: benches run compiled, in the same build as the product. */
export const build = fileURLToPath(new URL('../../', import.meta.url));

/** Flags of node in `npm start`: what is compared with the product gets them too. */
const START_FLAGS = (
  JSON.parse(readFileSync(join(build, '../package.json'), 'utf8')) as { scripts: { start: string } }
).scripts.start
  .split(' ')
  .filter((word) => word.startsWith('--'));

/** Linux: USER_HZ. */
const TICKS_PER_SECOND = 100;

export type RoundTrips = Readonly<Record<string, number>>;

/** Resident set of a process, in MiB, as the kernel counts it. */
export function rssOf(pid: number): number {
  const line = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? 0) / 1024;
}

/** User and system time of all threads, in seconds, as the kernel counts it. */
export function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Time that the first thread of a process, which runs its JavaScript, had a core, in seconds, as the kernel counts it. */
export function mainThreadSecondsOf(pid: number): number {
  const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return Number(nanoseconds) / 1e9;
}

/** Busy time of all cores of this machine, in seconds, as the kernel counts it. */
export function machineCpuSeconds(): number {
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]!
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user! + nice! + system! + irq! + softirq!) / TICKS_PER_SECOND;
}

/**
 * What a process wrote, from the text that the kernel shows as `/proc/<pid>/io`: bytes that go to a disk, and calls
 * that write, to sockets too.
 */
export function ioOf(path: string): { readonly bytes: number; readonly calls: number } {
  const text = readFileSync(path, 'utf8');
  const value = (name: string): number => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(text)?.[1] ?? NaN);
  return { bytes: value('write_bytes'), calls: value('syscw') };
}

/** Processes started here by process id, to be queried over the IPC channel. */
const started = new Map<number, ChildProcess>();

/** Starts a node script of the build; resolves with the first line that `ready` accepts. */
export function spawnNode(
  script: string,
  env: Readonly<Record<string, string>>,
  ready: (line: string) => string | null,
  imports: readonly string[] = [],
): Promise<{ readonly child: ChildProcess; readonly answer: string }> {
  const args = [
    ...START_FLAGS,
    ...(process.env['BENCH_NODE_ARGS'] ?? '').split(' ').filter((arg) => arg !== ''),
  ];
  const preloads = ['test/bench/ends-with-parent.js', 'test/bench/live-heap.js', ...imports].flatMap(
    (path) => ['--import', join(build, path)],
  );
  const child = spawn(process.execPath, [...args, ...preloads, join(build, script)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  started.set(child.pid!, child);
  child.once('close', () => started.delete(child.pid!));
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      for (const line of seen.split('\n')) {
        const answer = ready(line);
        if (answer !== null) return resolve({ child, answer });
      }
    });
    child.once('exit', (code) => reject(new Error(`${script} ended with ${code}`)));
  });
}

export function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.removeAllListeners('exit');
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
    setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
  });
}

/** Counts since the start of a process that was started with `round-trips.js`. */
export async function roundTripsOf(child: ChildProcess): Promise<RoundTrips> {
  child.send('round-trips');
  const [counts] = (await once(child, 'message')) as [RoundTrips];
  return counts;
}

/** Memory in use in a process that was started here, in MiB, after a full collection. */
export async function liveHeapOf(pid: number): Promise<number> {
  const child = started.get(pid)!;
  child.send('live-heap');
  const [{ heapUsed, external }] = (await once(child, 'message')) as [LiveHeap];
  return (heapUsed + external) / 1024 ** 2;
}
