/**
 * Recipients that trigger a chosen behaviour; docs/sandbox.md has the table for users. After `+55`, any area code and
 * the ninth digit come two digits of mode and six of argument: `+55 DD 9 66 CCCCCC`.
 */

export type Step = {
  readonly status: 'sent' | 'delivered' | 'read' | 'failed';
  /** The status whose configured delay this step uses; another one than its own makes statuses arrive out of order. */
  readonly at: 'sent' | 'delivered' | 'read';
  /** Error of a `failed` step. */
  readonly code?: number;
};

export interface Behaviour {
  /** Refuses the call with this Graph code: always (null), or the first `times` times. */
  readonly refuse?: { readonly code: number; readonly times: number | null };
  /** How the HTTP response fails. With every kind but `html_error`, the message has been accepted. */
  readonly answer?: 'slow' | 'never' | 'reset' | 'html_error' | 'bad_gateway' | 'truncated';
  /** Templates are answered with `held_for_quality_assessment`. */
  readonly held?: boolean;
  readonly steps: readonly Step[];
  /** Each webhook is sent twice. */
  readonly twice?: boolean;
  /** The person's phone is hidden: webhooks contain the user id only. */
  readonly hidden?: boolean;
  /** The person's action once the message was delivered. */
  readonly reaction?: 'reply' | 'stop_word' | 'native_stop' | 'native_resume';
}

const sent: Step = { status: 'sent', at: 'sent' };
const delivered: Step = { status: 'delivered', at: 'delivered' };
const read: Step = { status: 'read', at: 'read' };
const failed = (code: number): Step => ({ status: 'failed', at: 'delivered', code });

export const ORDINARY: Behaviour = { steps: [sent, delivered, read] };

/** By the first three digits of a `69` number's argument; the last three are free, for many recipients. */
export const SCENARIOS: Readonly<Record<string, Behaviour>> = {
  '001': { ...ORDINARY, answer: 'slow' },
  '002': { ...ORDINARY, answer: 'never' },
  '003': { ...ORDINARY, answer: 'reset' },
  '004': { answer: 'reset', steps: [] },
  '005': { answer: 'html_error', steps: [] },
  '006': { ...ORDINARY, answer: 'bad_gateway' },
  '007': { ...ORDINARY, answer: 'truncated' },
  '010': { ...ORDINARY, twice: true },
  '011': {
    steps: [
      { status: 'read', at: 'sent' },
      { status: 'delivered', at: 'delivered' },
      { status: 'sent', at: 'read' },
    ],
  },
  '012': { steps: [sent, read] },
  '013': { steps: [] },
  '014': { steps: [sent] },
  '015': { steps: [sent, failed(131026)] },
  '016': { steps: [sent, delivered] },
  '020': { ...ORDINARY, held: true },
  '021': { held: true, steps: [failed(132015)] },
  '030': { ...ORDINARY, hidden: true },
  '040': { ...ORDINARY, reaction: 'reply' },
  '041': { ...ORDINARY, reaction: 'stop_word' },
  '042': { ...ORDINARY, reaction: 'native_stop' },
  '043': { ...ORDINARY, reaction: 'native_resume' },
};

const MAGIC = /^55\d\d9(66|67|68|69)(\d{6})$/;

/** Total: any other recipient behaves as an ordinary one. `key` as in `SandboxUser`. */
export function behaviourOf(key: string): Behaviour {
  const [, kind, argument = ''] = MAGIC.exec(key) ?? [];
  if (kind === undefined) return ORDINARY;
  if (kind === '69') return SCENARIOS[argument.slice(0, 3)] ?? ORDINARY;
  const code = Number(argument);
  if (!encodesCode(code)) return ORDINARY;
  switch (kind) {
    case '66':
      return { refuse: { code, times: null }, steps: [] };
    case '67':
      return { steps: [failed(code)] };
    default:
      return { ...ORDINARY, refuse: { code, times: 2 } };
  }
}

/** Ranges of Graph's and WhatsApp's codes. Other arguments are ordinary numbers, so that invented phones work too. */
const encodesCode = (code: number): boolean =>
  code <= 999 || code === 80007 || (code >= 130_000 && code <= 139_999);
