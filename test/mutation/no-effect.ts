/**
 * Mutants that no test can distinguish from the original. Each has a reason; an entry without a mutant fails the run.
 */
import type { Mutant } from './mutants.js';

export interface NoEffect {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export const noEffect: readonly NoEffect[] = [
  {
    file: 'domain/flow/graph.ts',
    original: "block.type === 'ask'",
    replacement: 'true',
    reason: 'Only a question has choices; for any other block the list before its named ways out is empty.',
  },
  {
    file: 'domain/flow/interpreter.ts',
    original: "'on_error' in block",
    replacement: 'true',
    reason: 'A field that is absent reads as undefined, which is what the other branch gives.',
  },
  {
    file: 'domain/flow/interpreter.ts',
    original: 'judged.choice === null',
    replacement: 'false',
    reason:
      'The choice is null only for a question without choices: what is looked up there is undefined too.',
  },
  {
    file: 'domain/flow/mermaid.ts',
    original: "block.type === 'ask'",
    replacement: 'true',
    reason: 'Only a question has ways out that begin with choices[.',
  },
  {
    file: 'domain/flow/problems.ts',
    original: "block.type === 'ask'",
    replacement: 'true',
    reason: 'Only a question has save_as.',
  },
  {
    file: 'workers/notifications/envelope.ts',
    original: 'tracking === undefined',
    replacement: 'false',
    reason: 'The body is JSON, which leaves out a field that is undefined.',
  },
];

export const isNoEffect = (mutant: Mutant, entries: readonly NoEffect[] = noEffect): boolean =>
  entries.some((entry) => fits(entry, mutant));

export const noEffectWithoutMutant = (
  mutants: readonly Mutant[],
  files: readonly string[],
): readonly NoEffect[] =>
  noEffect.filter((entry) => files.includes(entry.file) && !mutants.some((mutant) => fits(entry, mutant)));

const fits = (entry: NoEffect, { file, original, replacement }: Mutant): boolean =>
  entry.file === file && entry.original === original && entry.replacement === replacement;
