/** What runs on the real servers: each suite whole, and what the gate runs of it. */
import { existsSync } from 'node:fs';
import type { ServerName } from './servers/server.js';

export interface Suite {
  readonly needs: readonly ServerName[];
  readonly files: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** In the gate only. */
  readonly seconds?: {
    /** A run that takes longer, with its wait for quiet, says so. */
    readonly budget: number;
    /** A run that takes longer hangs, and is ended. */
    readonly limit: number;
  };
}

const ALL: readonly ServerName[] = ['eventstore', 'mongodb', 'kafka'];
const ON_REAL = { RECADO_E2E_STACK: 'real' };
const PATIENT = ['--timeout', '240000'];

export const SUITES: Readonly<Record<string, Suite>> = {
  conformance: {
    needs: [],
    files: [
      'test/conformance/*.int.ts',
      'test/adapters/eventstoredb/*.int.ts',
      'test/adapters/mongodb/*.int.ts',
      'test/adapters/kafka/*.int.ts',
      'test/adapters/blobs/*.int.ts',
    ],
  },
  e2e: { needs: ALL, files: ['test/e2e/*.e2e.ts'], env: ON_REAL, args: PATIENT },
  faults: { needs: ALL, files: ['test/real/*.real.ts'], args: ['--timeout', '600000'] },
  crash: { needs: ALL, files: ['test/real/crash/*.crash.ts'], args: ['--timeout', '3600000'] },
};

/** The end-to-end files that depend on what the stores do. */
const ON_STORES = [
  'walk',
  'webhooks',
  'restore',
  'interrupted',
  'rebuild',
  'flows',
  'companies',
  'cart',
  'gate-races',
  'restarts',
  'upgrade',
].map((name) => `test/e2e/${name}.e2e.ts`);

/**
 * Faults that the gate has no time for. The crash suite kills and puts to sleep processes of every kind; of the two ways
 * in which a server goes away, and of the processes whose clock is set, the gate sees one each.
 */
const LEFT_OUT = [
  'goes on without an API process',
  'goes on without a worker process',
  'goes on with another process for the projections',
  'clock of api2 is set',
  'clock of workers2 is set',
  'is set on and back by two days',
  'eventstore was killed',
  'mongodb stood still',
  'kafka stood still',
  'a replica set of MongoDB that changes its primary',
];

/** What the gate runs: the same suites, short enough for every change. */
export const GATE: Readonly<Record<string, Suite>> = {
  conformance: { ...SUITES['conformance']!, seconds: { budget: 120, limit: 600 } },
  e2e: { ...SUITES['e2e']!, files: ON_STORES, seconds: { budget: 480, limit: 960 } },
  crash: { ...SUITES['crash']!, seconds: { budget: 240, limit: 720 } },
  faults: {
    ...SUITES['faults']!,
    args: ['--timeout', '600000', '--grep', LEFT_OUT.join('|'), '--invert'],
    seconds: { budget: 540, limit: 1_080 },
  },
};

/** Mocha passes over a file that is not there as long as it finds others. */
export function absentFiles(suites: Readonly<Record<string, Suite>>): readonly string[] {
  return Object.values(suites)
    .flatMap(({ files }) => files)
    .filter((file) => !file.includes('*') && !existsSync(file));
}
