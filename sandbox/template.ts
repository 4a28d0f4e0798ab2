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
