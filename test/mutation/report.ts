/** The result as text: per folder, and each mutant that no test detected. */
import { dirname } from 'node:path';
import type { Mutant } from './mutants.js';
import type { Verdict } from './run.js';

type Count = Record<Verdict['status'] | 'all', number>;

export interface Report {
  readonly table: string;
  readonly survivors: string;
  /** The percentage of mutants for which a test failed. */
  readonly score: number;
}

export function report(verdicts: ReadonlyMap<Mutant, Verdict>): Report {
  const total = emptyCount();
  const folders = new Map<string, Count>();
  const survivors: string[] = [];
  for (const [mutant, { status }] of verdicts) {
    const folder = folders.get(dirname(mutant.file)) ?? emptyCount();
    folders.set(dirname(mutant.file), folder);
    for (const count of [folder, total]) {
      count.all += 1;
      count[status] += 1;
    }
    if (status !== 'killed') survivors.push(describe(mutant, status));
  }
  const rows = [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    table: [HEADER, ...rows.map(([name, count]) => row(name, count)), row('all', total)].join('\n'),
    survivors: survivors.sort(new Intl.Collator('en', { numeric: true }).compare).join('\n'),
    score: scoreOf(total),
  };
}

const emptyCount = (): Count => ({ all: 0, killed: 0, 'timed out': 0, survived: 0, 'not covered': 0 });

const scoreOf = ({ killed, all }: Count): number => (all === 0 ? 100 : (100 * killed) / all);
const withTimeouts = (count: Count): number =>
  scoreOf({ ...count, killed: count.killed + count['timed out'] });

const HEADER = columns('folder', [
  'score',
  'with time-outs',
  'mutants',
  'killed',
  'timed out',
  'survived',
  'not covered',
]);

function row(name: string, count: Count): string {
  const { all, killed, survived } = count;
  const numbers = [all, killed, count['timed out'], survived, count['not covered']].map(String);
  return columns(name, [`${scoreOf(count).toFixed(1)} %`, `${withTimeouts(count).toFixed(1)} %`, ...numbers]);
}

function columns(name: string, cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(Math.max(cell.length, 9) + 2)).join('');
}

const describe = (mutant: Mutant, status: string): string => {
  const { file, line, column, mutator, original, replacement } = mutant;
  return `${file}:${line}:${column}  ${status}  ${mutator}\n  - ${cut(original)}\n  + ${cut(replacement) || '(removed)'}`;
};

const cut = (text: string): string => (text.length > 160 ? `${text.slice(0, 157)}…` : text);
