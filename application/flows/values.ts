/** The values outside its own session that a flow can use when it takes a step. */
import type { Contact } from '../../domain/contact/state.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import type { ValuesAround } from '../../domain/flow/values.js';
import { entryOf } from '../../domain/kernel/entries.js';
import type { App } from '../app.js';
import { callbackAddress } from './callback-address.js';

export function valuesAround(
  app: Pick<App, 'indexSecret' | 'publicUrl'>,
  executionUuid: string,
  definition: FlowDefinition,
  contact: Contact,
  integrationUuid: string | null,
): ValuesAround {
  const callbacks = Object.entries(definition.blocks)
    .filter(([, { type }]) => type === 'wait_for_callback')
    .map(([id]) => [id, callbackAddress(app, executionUuid, id)] as const);
  return {
    contact: {
      name: contact.name,
      phone: contact.phone,
      email: contact.email,
      external_id: integrationUuid === null ? null : (entryOf(contact.links, integrationUuid) ?? null),
    },
    fields: contact.customFields,
    callback: Object.fromEntries(callbacks),
  };
}
