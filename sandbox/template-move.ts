/** One step in the life of a template, as input of a play. */
import type { SandboxTemplate } from './template.js';

export const TEMPLATE_MOVES = [
  'submit',
  'approve',
  'reject',
  'appeal',
  'pause',
  'unpause',
  'disable',
  'quality',
  'category',
  'hold',
  'release',
  'drop',
] as const;

export interface TemplateMove {
  readonly name: string;
  readonly language: string;
  readonly move: (typeof TEMPLATE_MOVES)[number];
  /** Left out: the first account with the template. */
  readonly wabaId?: string;
  /** Reason of the rejection; default `INVALID_FORMAT`. */
  readonly reason?: string;
  /** For `quality`: the new rating. */
  readonly quality?: NonNullable<SandboxTemplate['quality']>;
  /** For `category`: the new category. */
  readonly category?: SandboxTemplate['category'];
  /** For `category`: only announces the change, which takes effect that many hours later. */
  readonly inHours?: number;
}
