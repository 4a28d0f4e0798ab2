/** Plays of a business and of WhatsApp: its app, its numbers and templates, and any other webhook. */
import { echo, history, historyRefused, type PastMessage } from './business-app.js';
import { type CustomerAction, customerMessage } from './customer-message.js';
import { changeNumber, numberView, type NumberChange } from './number-changes.js';
import { numberOf, person } from './play-input.js';
import type { TemplateMove } from './template.js';
import type { Sandbox } from './types.js';

export const businessPlays = (sandbox: Sandbox, now: () => number) => ({
  echo(body: CustomerAction & { phone_number_id?: string; to: string }) {
    // Messages from the app can always be edited and deleted there.
    const number = { ...numberOf(sandbox, body), onBusinessApp: true };
    const told = echo(number, person('to', body.to), customerMessage(body, number) ?? {}, now());
    sandbox.emit(told.change);
    return { message_id: told.id };
  },

  history(body: {
    phone_number_id?: string;
    with?: string;
    messages?: readonly PastMessage[];
    chunk_size?: number;
  }) {
    const number = numberOf(sandbox, body);
    const changes =
      body.with === undefined
        ? [historyRefused(number)]
        : history(number, person('with', body.with), body.messages ?? [], body.chunk_size ?? 100, now());
    changes.forEach((change) => sandbox.emit(change));
    return { chunks: changes.length };
  },

  number: (body: NumberChange & { phone_number_id?: string }) =>
    numberView(changeNumber(sandbox, numberOf(sandbox, body), body)),

  template(body: Omit<TemplateMove, 'wabaId' | 'inHours'> & { waba_id?: string; in_hours?: number }) {
    const { waba_id, in_hours, ...move } = body;
    const { name, language, status, category } = sandbox.moveTemplate({
      ...move,
      ...(waba_id === undefined ? {} : { wabaId: waba_id }),
      ...(in_hours === undefined ? {} : { inHours: in_hours }),
    });
    return { name, language, status, category };
  },

  webhook(body: {
    phone_number_id?: string;
    waba_id?: string;
    field: string;
    value: Readonly<Record<string, unknown>>;
  }) {
    const wabaId = body.waba_id ?? numberOf(sandbox, body).wabaId;
    sandbox.emit({ wabaId, field: body.field, value: body.value });
    return {};
  },
});
