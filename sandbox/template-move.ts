/** A step in the life of a template, as the sandbox is asked for it. */
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
  /** Without it the first account that has the template. */
  readonly wabaId?: string;
  /** Why it was rejected; default `INVALID_FORMAT`. */
  readonly reason?: string;
  /** For `quality`. */
  readonly quality?: NonNullable<SandboxTemplate['quality']>;
  /** For `category`. */
  readonly category?: SandboxTemplate['category'];
  /** For `category`: only announced, in force that many hours from now. */
  readonly inHours?: number;
}
