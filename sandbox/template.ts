/** A template of the sandbox, and the steps in its life. */
export interface SandboxTemplate {
  readonly id: string;
  readonly wabaId: string;
  readonly name: string;
  readonly language: string;
  readonly category: 'MARKETING' | 'UTILITY' | 'AUTHENTICATION';
  readonly status: string;
  readonly parameterFormat: 'POSITIONAL' | 'NAMED';
  readonly components: readonly Readonly<Record<string, unknown>>[];
  readonly rejectedReason?: string;
  readonly quality?: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN';
  /** Number of pauses for low quality so far; the third one disables. */
  readonly pauses?: number;
  /** Sends are answered with `held_for_quality_assessment` and wait for `release` or `drop`. */
  readonly held?: boolean;
}

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

/** One step in the life of a template, as input of a play. */
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
