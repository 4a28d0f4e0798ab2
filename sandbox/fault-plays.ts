/** Plays of what goes wrong: sends that fail, webhooks that misbehave. */
import type { Fault } from './faults.js';
import type { Behaviour } from './magic.js';
import { person } from './play-input.js';
import type { Sandbox } from './types.js';

/** @param waiting number of faults that are not used up */
export const faultPlays = (sandbox: Sandbox, waiting: () => number) => ({
  fault(body: FaultPlay) {
    if (body.to !== undefined) person('to', body.to);
    sandbox.injectFault(faultOf(body));
    return { waiting: waiting() };
  },

  'clear-faults': () => {
    sandbox.clearFaults();
    return {};
  },

  webhooks(body: {
    delay_ms?: number;
    gather_ms?: number;
    copies?: number;
    reversed?: boolean;
    wrong_signatures?: number;
  }) {
    sandbox.setWebhookConduct({
      ...(body.delay_ms === undefined ? {} : { delayMs: body.delay_ms }),
      ...(body.gather_ms === undefined ? {} : { gatherMs: body.gather_ms }),
      ...(body.copies === undefined ? {} : { copies: body.copies }),
      ...(body.reversed === undefined ? {} : { reversed: body.reversed }),
      ...(body.wrong_signatures === undefined ? {} : { wrongSignatures: body.wrong_signatures }),
    });
    return {};
  },
});

interface FaultPlay {
  readonly phone_number_id?: string;
  readonly to?: string;
  readonly times?: number;
  readonly until_cleared?: boolean;
  readonly code?: number;
  readonly failed_code?: number;
  readonly answer?: NonNullable<Behaviour['answer']>;
  readonly statuses?: readonly ('sent' | 'delivered' | 'read')[];
  readonly twice?: boolean;
}

const PLACES = ['sent', 'delivered', 'read'] as const;

function faultOf(body: FaultPlay): Fault {
  const { code, failed_code: failedCode, answer, statuses, twice } = body;
  // A message that was not accepted has no statuses.
  const none = code !== undefined || answer === 'html_error';
  return {
    ...(body.to === undefined ? {} : { to: body.to }),
    ...(body.phone_number_id === undefined ? {} : { phoneNumberId: body.phone_number_id }),
    times: body.until_cleared === true ? null : (body.times ?? 1),
    behaviour: {
      ...(code === undefined ? {} : { refuse: { code, times: null } }),
      ...(answer === undefined ? {} : { answer }),
      ...(twice === undefined ? {} : { twice }),
      ...(none ? { steps: [] } : {}),
      ...(failedCode === undefined
        ? {}
        : { steps: [{ status: 'failed' as const, at: 'delivered' as const, code: failedCode }] }),
      ...(statuses === undefined
        ? {}
        : { steps: statuses.map((status, index) => ({ status, at: PLACES[index] ?? 'read' })) }),
    },
  };
}
