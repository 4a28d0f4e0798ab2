/** The position of a person in a flow: the interpreter's state, as plain data folded from events. */

export type Ending = 'completed' | 'handed_off' | 'expired' | 'failed';

export interface Session {
  /** The block that is next or that waits; null once the session is over. */
  readonly at: string | null;
  /** Whether that block has begun to wait: for an answer, a call-back or a time. */
  readonly waiting: boolean;
  /** Number of steps taken so far; with the block, it identifies one action. */
  readonly step: number;
  /** At a question: how often it has been asked. */
  readonly asked: number;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly ended: {
    readonly status: Ending;
    readonly outcome: string | null;
    readonly reason: string | null;
  } | null;
}

/** Why a block failed, for people. It is stored unsealed: it must not contain personal data. */
export interface StepFailure {
  /** The value of `{{vars.error}}`. */
  readonly code: string;
  /** Null where the code says enough. */
  readonly message: string | null;
  /** `fields: [{path, code, message}]` where fields of the block were refused. */
  readonly details: Readonly<Record<string, unknown>>;
}

/** A failure that its code alone explains. */
export const failureWith = (
  code: string,
  message: string | null = null,
  details: StepFailure['details'] = {},
): StepFailure => ({ code, message, details });

/** One step: the result of a block, and where it led. */
export interface Step {
  readonly block: string;
  /**
   * The output that was taken: `next`, `branches[1].next`, `on_timeout`, …; `began` when a wait began, `retry` after an
   * invalid answer.
   */
  readonly way: string;
  /** Null where the flow ends. */
  readonly to: string | null;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly ended?: Session['ended'];
  /** Left out where the block succeeded. */
  readonly failure?: StepFailure;
}

export const beginSession = (start: string, variables: Readonly<Record<string, unknown>>): Session => ({
  at: start,
  waiting: false,
  step: 0,
  asked: 0,
  vars: { ...variables },
  answer: {},
  ended: null,
});

export function takeStep(session: Session, { way, to, vars, answer, ended }: Step): Session {
  return {
    at: ended ? null : to,
    waiting: way === 'began',
    step: session.step + 1,
    asked: way === 'began' ? session.asked + 1 : way === 'retry' ? session.asked : 0,
    vars: vars ? { ...session.vars, ...vars } : session.vars,
    answer: answer ? { ...session.answer, ...answer } : session.answer,
    ended: ended ?? (to === null ? { status: 'completed', outcome: null, reason: null } : null),
  };
}
