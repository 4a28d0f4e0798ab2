/** Mutants that no test can tell from the original. Each needs a reason; an entry that fits none fails the run. */
import type { Mutant } from './mutants.js';

export interface NoEffect {
  readonly file: string;
  readonly original: string;
  readonly replacement: string;
  readonly reason: string;
}

export const noEffect: readonly NoEffect[] = [];

export const isNoEffect = (mutant: Mutant, entries: readonly NoEffect[] = noEffect): boolean =>
  entries.some((entry) => fits(entry, mutant));

export const noEffectWithoutMutant = (
  mutants: readonly Mutant[],
  files: readonly string[],
): readonly NoEffect[] =>
  noEffect.filter((entry) => files.includes(entry.file) && !mutants.some((mutant) => fits(entry, mutant)));

const fits = (entry: NoEffect, { file, original, replacement }: Mutant): boolean =>
  entry.file === file && entry.original === original && entry.replacement === replacement;
