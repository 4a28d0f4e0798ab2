/**
 * Confirms an order to its customer by a template, and waits for the outcome:
 *   node confirm.mjs 1042 +5511987654321 "Ana"
 * Needs @recado/client, RECADO_URL (https://…/api/v1) and RECADO_API_KEY, with the scopes messages:send and operations:read.
 */
import { ApiError, OperationFailedError, Recado } from '@recado/client';

const { RECADO_URL: baseUrl = '', RECADO_API_KEY: apiKey = '' } = process.env;
const [order, phone, name] = process.argv.slice(2);
if (!name) throw new Error('usage: node confirm.mjs ORDER PHONE NAME');
const recado = new Recado({ baseUrl, apiKey });

const message = {
  recipient: { phone },
  type: 'template', // reaches the customer at any time; a text only within 24 hours of their last message
  content: { name: 'order_confirmation', language: 'pt_BR', parameters: [name, order] },
  metadata: { order_id: order }, // `recado messages list --metadata order_id=1042` finds it
};

try {
  // Made of the order: however often this runs for it, the customer gets one message.
  const { data: operation } = await recado.messages.send(message, {
    idempotencyKey: `order-${order}-confirmed`,
  });
  const { result } = await recado.operations.wait(operation);
  console.log(`order ${order}: ${result.text}`);
} catch (error) {
  // Not accepted, or accepted and not sent: docs/errors.md has what to do about each code.
  if (!(error instanceof ApiError || error instanceof OperationFailedError)) throw error;
  console.log(`order ${order}: not sent: ${error.code}`);
  process.exitCode = 1;
}
