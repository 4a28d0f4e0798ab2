/** What an operation that was accepted means to the gates. */
import type { Operation } from '../../domain/operation/state.js';
import { phoneKey } from '../../domain/policies/phone.js';
import type { GatedSend } from './gates.js';

/** Null for text, which passes no gate, and for a recipient who has been erased. */
export function gatedSend(accepted: Operation['accepted']): GatedSend | null {
  if (accepted === null) return null;
  const { template_uuid: templateUuid, template_category: category, phone, content } = accepted;
  if (templateUuid === null || category === null || phone === null || content === null) return null;
  return {
    companyUuid: accepted.company_uuid,
    channelUuid: accepted.channel_uuid,
    subject: accepted.subject,
    phoneKey: phoneKey(phone),
    templateUuid,
    category,
    name: String(content['name']),
    language: String(content['language']),
    components: accepted.components,
  };
}
