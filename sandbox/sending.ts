import { randomBytes } from 'node:crypto';
import type { Faults } from './faults.js';
import { fault, type GraphFault, graphErrorResponse } from './graph-errors.js';
import { createLimiter, createPairLimiter } from './limits.js';
import { behaviourOf, type Behaviour, ORDINARY } from './magic.js';
import type { SandboxUser } from './numbers.js';
import { createQuotas } from './quotas.js';
import type { SendReply } from './server.js';
import { type AcceptedMessage, digitsOf } from './statuses.js';
import type { SandboxTemplate } from './template.js';
import type { SandboxCall, SandboxOptions, SandboxPhoneNumber } from './types.js';
import { checkMessage, type CheckedMessage } from './validate-message.js';

export interface SendingOptions {
  readonly options: Pick<SandboxOptions, 'accessTokens' | 'enforceLimits' | 'enforceServiceWindow'>;
  readonly now: () => number;
  /** Used for rates, which must not stop when a test sets the clock. */
  readonly monotonic: () => number;
  readonly number: (id: string) => SandboxPhoneNumber | undefined;
  readonly templates: () => readonly SandboxTemplate[];
  /** Whether the person wrote to this number in the last 24 hours. */
  readonly windowOpen: (numberId: string, userKey: string, now: number) => boolean;
  readonly faults: Faults;
  readonly record: (call: Omit<SandboxCall, 'sequence'>) => void;
  readonly deliver: (message: AcceptedMessage, behaviour: Behaviour) => void;
}

export interface Sending {
  tokenFault(authorization: string | undefined): GraphFault | null;
  send(number: SandboxPhoneNumber, body: Record<string, unknown>): SendReply;
}

const UNDELIVERED_MARKETING: Behaviour = {
  ...ORDINARY,
  steps: [{ status: 'failed', at: 'delivered', code: 131049 }],
};

type Valid = Extract<CheckedMessage, { ok: true }>;

/**
 * Decides each `POST /{phone_number_id}/messages`: validation, then the recipient's special meaning, then Meta's
 * limits.
 */
export function createSending(deps: SendingOptions): Sending {
  const { options } = deps;
  /** Number of refusals so far, per recipient of the "refuse twice" mode. */
  const refusals = new Map<string, number>();
  const pairs = createPairLimiter();
  const quotas = createQuotas();
  const ratePerSecond = (id: string): number => {
    const number = deps.number(id);
    if (number?.onBusinessApp === true) return 20;
    return number?.throughputLevel === 'HIGH' ? 1_000 : 80;
  };
  const throughput = createLimiter((id) => 1000 / ratePerSecond(id), ratePerSecond);

  function send(number: SandboxPhoneNumber, body: Record<string, unknown>): SendReply {
    if (body['status'] === 'read') {
      return typeof body['message_id'] === 'string'
        ? { status: 200, body: { success: true } }
        : graphErrorResponse(fault(131008, 'The required parameter message_id is missing.'));
    }
    const now = deps.now();
    const checked = checkMessage(
      body,
      deps.templates().filter((template) => template.wabaId === number.wabaId),
    );
    const call = { at: now, phoneNumberId: number.id, recipient: checked.user?.key ?? null, body };
    const refuse = (problem: GraphFault): SendReply => {
      deps.record({ ...call, accepted: false, messageId: null, code: problem.code });
      return graphErrorResponse(problem);
    };
    if (!checked.ok) return refuse(checked.fault);
    const chosen = deps.faults.take(number.id, checked.user.key) ?? behaviourOf(checked.user.key);
    const problem = magicFault(checked.user, chosen) ?? policyFault(number, checked, now);
    if (problem !== null) return refuse(problem);
    const behaviour = tooMuchMarketing(number, checked, now) ? UNDELIVERED_MARKETING : chosen;
    const held = behaviour.held === true || checked.template?.held === true;

    const byUserId = typeof body['to'] !== 'string' || body['to'] === '';
    const messageId = newMessageId();
    const accepted = behaviour.answer !== 'html_error';
    deps.record({ ...call, accepted, messageId: accepted ? messageId : null, code: null });
    if (accepted) {
      const opaque = body['biz_opaque_callback_data'];
      deps.deliver(
        {
          id: messageId,
          number,
          user: checked.user,
          byUserId,
          opaque: typeof opaque === 'string' ? opaque : null,
          template: checked.template,
          acceptedAt: now,
        },
        // A reaction only ever gets the status `sent`.
        checked.type === 'reaction' ? { ...behaviour, steps: behaviour.steps.slice(0, 1) } : behaviour,
      );
    }
    return {
      status: 200,
      body: {
        messaging_product: 'whatsapp',
        contacts: [
          byUserId
            ? { input: body['recipient'], user_id: body['recipient'] }
            : { input: body['to'], wa_id: checked.user.waId },
        ],
        messages: [
          {
            id: messageId,
            ...(checked.template === null
              ? {}
              : { message_status: held ? 'held_for_quality_assessment' : 'accepted' }),
          },
        ],
      },
      ...(behaviour.answer === undefined ? {} : { answer: behaviour.answer }),
    };
  }

  function magicFault(user: SandboxUser, behaviour: Behaviour): GraphFault | null {
    const { refuse } = behaviour;
    if (refuse === undefined) return null;
    if (refuse.times !== null) {
      const given = refusals.get(user.key) ?? 0;
      if (given >= refuse.times) {
        refusals.delete(user.key);
        return null;
      }
      refusals.set(user.key, given + 1);
    }
    return fault(refuse.code, 'Refused because the recipient number asks the sandbox to.');
  }

  function policyFault(
    number: SandboxPhoneNumber,
    { user, template }: Valid,
    now: number,
  ): GraphFault | null {
    if (number.status !== 'CONNECTED') return fault(133010, `The number is ${number.status}.`);
    if (user.key === digitsOf(number.displayPhoneNumber)) {
      return fault(131021, 'The recipient is the sender.');
    }
    const windowOpen = deps.windowOpen(number.id, user.key, now);
    const windowMatters = number.enforceServiceWindow ?? options.enforceServiceWindow ?? false;
    if (windowMatters && template === null && !windowOpen) {
      return fault(131047, 'More than 24 hours have passed since the recipient last replied.');
    }
    if ((number.enforceLimits ?? options.enforceLimits) === false) return null;
    if (!throughput.take(number.id, deps.monotonic())) {
      return fault(130429, 'Cloud API message throughput has been reached.');
    }
    if (!pairs.take(`${number.id} ${user.key}`, deps.monotonic())) {
      return fault(131056, 'Too many messages sent from this phone number to the same phone number.');
    }
    return template === null ||
      windowOpen ||
      quotas.takePerson(number.wabaId, user.key, number.messagingLimit, now)
      ? null
      : fault(131048, `The messaging limit ${number.messagingLimit} of the last 24 hours has been reached.`);
  }

  /** Meta accepts such a message and later reports that it was not delivered. */
  function tooMuchMarketing(number: SandboxPhoneNumber, { user, template }: Valid, now: number): boolean {
    return (
      number.marketingPerPerson !== undefined &&
      template?.category === 'MARKETING' &&
      !deps.windowOpen(number.id, user.key, now) &&
      !quotas.takeMarketing(number.id, user.key, number.marketingPerPerson, now)
    );
  }

  return { send, tokenFault: (authorization) => tokenFault(authorization, options.accessTokens) };
}

/** Meta answers 401 with code 190 to both an expired and a wrong token; only the expired one has subcode 463. */
function tokenFault(
  authorization: string | undefined,
  accessTokens: readonly string[] | undefined,
): GraphFault | null {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (token?.startsWith('EXPIRED') === true) {
    return {
      code: 190,
      subcode: 463,
      details: 'Session has expired.',
      message: 'Error validating access token: Session has expired.',
    };
  }
  if (token !== undefined && (accessTokens?.includes(token) ?? true)) return null;
  return fault(
    190,
    'The access token is missing or unknown.',
    'Invalid OAuth access token - Cannot parse access token',
  );
}

/** Opaque like Meta's, and in standard base64: its `/`, `+` and `=` reveal code that uses ids in URLs unescaped. */
export const newMessageId = (): string => `wamid.HBgN${randomBytes(25).toString('base64')}`;
