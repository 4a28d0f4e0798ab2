/** Webhook bodies in WhatsApp's format: changes on phone numbers of one account. */

/** Identifiers of the samples in `fixtures/`, which most tests use. */
export const NUMBER = '106540352242922';
export const WABA = '102290129340398';
export const OWN_PHONE = '551140028922';

export interface Place {
  readonly number: string;
  readonly phone: string;
  readonly waba: string;
}
export const SAMPLE: Place = { number: NUMBER, phone: OWN_PHONE, waba: WABA };

/** One change. Fields of `value` override the defaults. */
export const changeOf = (field: string, value: object, { number, phone } = SAMPLE): object => ({
  field,
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: phone, phone_number_id: number },
    ...value,
  },
});

export const webhookOfChanges = (changes: readonly object[], { waba } = SAMPLE): object => ({
  object: 'whatsapp_business_account',
  entry: [{ id: waba, changes }],
});

/** A webhook body with one change. */
export const webhookOf = (field: string, value: object, place = SAMPLE): object =>
  webhookOfChanges([changeOf(field, value, place)], place);

/** A webhook body with messages from customers. */
export const messagesWebhook = (messages: readonly object[], place = SAMPLE): object =>
  webhookOf('messages', { messages }, place);
