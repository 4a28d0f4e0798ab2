/** Converts an accepted operation to the input of the gates. */
import type { SendAsAccepted, Operation } from '../../domain/operation/state.js';
import { phoneKey } from '../../domain/policies/phone.js';
import type { GatedSend } from './gates.js';
import type { Addressee } from './quotas.js';

/**
 * The recipient: the contact, else the key of the phone number. Null once the recipient was erased: their sealed
 * fields, including the phone, read as null.
 */
export function addresseeOf({ contact_uuid, phone, content }: SendAsAccepted): Addressee | null {
  if (content === null) return null;
  if (contact_uuid !== null) return { contactUuid: contact_uuid };
  return phone === null ? null : { phoneKey: phoneKey(phone) };
}

/** Null for messages that are no templates, as only templates pass gates, and for an erased recipient. */
export function gatedSend(accepted: Operation['accepted']): GatedSend | null {
  if (accepted === null) return null;
  const { template_uuid: templateUuid, template_category: category, content } = accepted;
  const addressee = addresseeOf(accepted);
  if (templateUuid === null || category === null || addressee === null || content === null) return null;
  return {
    companyUuid: accepted.company_uuid,
    channelUuid: accepted.channel_uuid,
    subject: accepted.subject,
    addressee,
    templateUuid,
    category,
    name: String(content['name']),
    language: String(content['language']),
    components: accepted.components,
  };
}
