/**
 * Thrown by a decider, or by a check beside it, that refuses a command. `code` is stable and is what callers branch on;
 * `message` is English and says what to do (spec §7).
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  constructor(
    readonly code: string,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
