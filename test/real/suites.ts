/** The suites on real servers: each complete suite, and the part that the gate runs. */
import { existsSync } from 'node:fs';
import type { ServerName } from './servers/server.js';

export interface Suite {
  readonly needs: readonly ServerName[];
  readonly files: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** In the gate only. */
  readonly seconds?: {
    /** A longer run, including its wait for quiet, is reported. */
    readonly budget: number;
    /** A longer run counts as hung and is ended. */
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
  releases: { needs: ALL, files: ['test/real/releases/*.real.ts'], args: ['--timeout', '1800000'] },
};

/** End-to-end files that depend on the behaviour of the stores. */
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
 * Faults for which the gate has no time. The crash suite kills and pauses processes of every kind. Of the moves of a
 * partition in the middle of a decision, of the two kinds of server outage, and of the processes with a changed clock,
 * the gate tests one each.
 */
const LEFT_OUT = [
  'works without an API process',
  'works without a worker process',
  'moves in the middle of a decision',
  'works with another process for the projections',
  'clock of api2 is set',
  'clock of workers2 is set',
  'is set on and back by two days',
  'eventstore was killed',
  'mongodb stood still',
  'kafka stood still',
  'a replica set of MongoDB that changes its primary',
];

/** Suites of the gate: the same suites, short enough for every change. */
export const GATE: Readonly<Record<string, Suite>> = {
  conformance: { ...SUITES['conformance']!, seconds: { budget: 120, limit: 600 } },
  e2e: { ...SUITES['e2e']!, files: ON_STORES, seconds: { budget: 480, limit: 1_200 } },
  crash: { ...SUITES['crash']!, seconds: { budget: 240, limit: 900 } },
  faults: {
    ...SUITES['faults']!,
    args: ['--timeout', '600000', '--grep', LEFT_OUT.join('|'), '--invert'],
    seconds: { budget: 600, limit: 1_800 },
  },
};

/** Mocha ignores a missing file as long as it finds others. */
export function absentFiles(suites: Readonly<Record<string, Suite>>): readonly string[] {
  return Object.values(suites)
    .flatMap(({ files }) => files)
    .filter((file) => !file.includes('*') && !existsSync(file));
}
