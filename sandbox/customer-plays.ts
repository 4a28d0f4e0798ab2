/** Plays of a person: what they write, tap, choose and become. */
import { Refusal } from '../domain/kernel/refusal.js';
import { type CustomerAction, type CustomerActionType, customerMessage } from './customer-message.js';
import { identityChange, preference } from './people.js';
import { invalid, numberOf, person } from './play-input.js';
import { digitsOf } from './statuses.js';
import { tap, tappable } from './taps.js';
import type { Sandbox } from './types.js';

type Body = Readonly<Record<string, unknown>>;

export const customerPlays = (sandbox: Sandbox, now: () => number) => ({
  message(body: CustomerPlay) {
    const number = numberOf(sandbox, body);
    person('from', body.from);
    const message = customerMessage(body, number);
    if (message === null) return { message_id: null };
    const { name, hidden, reply_to: replyTo, referral, forwarded } = body;
    const context = {
      ...(replyTo === undefined ? {} : { from: digitsOf(number.displayPhoneNumber), id: replyTo }),
      ...(forwarded === true ? { forwarded } : {}),
    };
    return {
      message_id: sandbox.receive({
        phoneNumberId: number.id,
        from: body.from,
        // A shared contact card contains a name of its own.
        ...(name === undefined || body.type === 'contacts' || body.type === 'location' ? {} : { name }),
        ...(hidden === undefined ? {} : { hidden }),
        message: {
          ...(Object.keys(context).length === 0 ? {} : { context }),
          ...(referral === undefined ? {} : { referral }),
          ...message,
        },
      }),
    };
  },

  tap(body: TapPlay) {
    const number = numberOf(sandbox, body);
    const { key } = person('from', body.from);
    const shown = tappable(
      sandbox.calls,
      { phoneNumberId: number.id, key, messageId: body.message_id },
      sandbox.templates,
    );
    if (shown === null) throw new Refusal('not_found', 'No message to this person shows choices.');
    const chosen = tap(shown, body.choice);
    if (chosen === null) {
      const titles = shown.choices.map(({ title }) => title).join(', ');
      throw invalid([{ path: 'choice', code: 'choice_unknown', message: `is not one of ${titles}` }]);
    }
    const { name, hidden } = body;
    return {
      message_id: sandbox.receive({
        phoneNumberId: number.id,
        from: body.from,
        ...(name === undefined ? {} : { name }),
        ...(hidden === undefined ? {} : { hidden }),
        message: {
          context: { from: digitsOf(number.displayPhoneNumber), id: chosen.replyTo },
          ...customerMessage(chosen.action, number)!,
        },
      }),
      reply_to: chosen.replyTo,
      title: chosen.action.title,
    };
  },

  preference(body: { phone_number_id?: string; from: string; value: 'stop' | 'resume' }) {
    sandbox.emit(preference(numberOf(sandbox, body), person('from', body.from), body.value, now()));
    return {};
  },

  identity(body: { phone_number_id?: string; from: string; to: string }) {
    const message = identityChange(person('from', body.from), person('to', body.to));
    return {
      message_id: sandbox.receive({ phoneNumberId: numberOf(sandbox, body).id, from: body.from, message }),
    };
  },
});

type CustomerPlay = CustomerAction & {
  readonly phone_number_id?: string;
  readonly from: string;
  readonly hidden?: boolean;
  readonly reply_to?: string;
  readonly referral?: Body;
  readonly forwarded?: boolean;
  readonly type: CustomerActionType;
};

interface TapPlay {
  readonly phone_number_id?: string;
  readonly from: string;
  readonly choice: string;
  readonly message_id?: string;
  readonly name?: string;
  readonly hidden?: boolean;
}
