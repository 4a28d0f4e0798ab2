/** Where somebody is in a flow: what the interpreter knows, as plain data that events can be folded into. */

export type Ending = 'completed' | 'handed_off' | 'expired' | 'failed';

export interface Session {
  /** Block that is next, or that is waited in; null once it is over. */
  readonly at: string | null;
  /** Whether that block has begun to wait: for an answer, a call-back, a time. */
  readonly waiting: boolean;
  /** Steps taken so far; together with the block it names everything that is done at it. */
  readonly step: number;
  /** At a question: how often it has been put. */
  readonly asked: number;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>>;
  readonly ended: {
    readonly status: Ending;
    readonly outcome: string | null;
    readonly reason: string | null;
  } | null;
}

/** Why a block failed, for people. It is not sealed: nothing of it may be personal. */
export interface StepFailure {
  /** What `{{vars.error}}` holds. */
  readonly code: string;
  /** Null where the code says it all. */
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

/** One step: what came of a block, and where it led. */
export interface Step {
  readonly block: string;
  /** The way out that was taken: `next`, `branches[1].next`, `on_timeout`, …; `began` when a wait began, `retry` when an answer was none. */
  readonly way: string;
  /** Null where the flow ends. */
  readonly to: string | null;
  readonly vars?: Readonly<Record<string, unknown>>;
  readonly answer?: Readonly<Record<string, unknown>>;
  readonly ended?: Session['ended'];
  /** Left out where the block did what it is for. */
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
