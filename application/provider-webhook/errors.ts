import type { ProviderUpdateError } from '../../ports/provider-webhook.js';
import { list, number, record, text } from './json.js';

/** The `errors` list of a message, a status or a whole value. An unreadable code is 0, which WhatsApp never gives. */
export function readErrors(value: unknown): readonly ProviderUpdateError[] {
  return list(value)
    .map(record)
    .filter((error) => error !== null)
    .map((error) => {
      const code = number(error['code']);
      return {
        code: code !== null && Number.isSafeInteger(code) ? code : 0,
        title: text(error['title']),
        message: text(error['message']),
        details: text(record(error['error_data'])?.['details']) ?? text(error['details']),
      };
    });
}
