/** Two template sends to one recipient, for tests of the gates. */
import type { GatedSend } from '../../../application/send/gates.js';

export const promo: GatedSend = {
  companyUuid: 'company',
  channelUuid: 'channel',
  subject: 'phone of ana',
  addressee: { contactUuid: 'ana' },
  templateUuid: 'template',
  category: 'MARKETING',
  name: 'promo',
  language: 'pt_BR',
  components: [],
};
export const order: GatedSend = { ...promo, category: 'UTILITY', name: 'order' };
