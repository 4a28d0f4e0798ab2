import type { App } from '../../application/app.js';
import {
  readConversation,
  reopenConversation,
  resolveConversation,
} from '../../application/provisioning/conversations.js';
import { listConversations } from '../../application/queries/conversations.js';
import type { QueryDeps } from '../../application/queries/page.js';
import type { ContactSource } from '../../application/resources/contact.js';
import { presentConversation } from '../../application/resources/conversation.js';
import type { ConversationDoc } from '../../projections/models/conversations.js';
import type { Call, Reply } from '../middleware/call.js';
import { list, one, pageOf } from '../routes/replies.js';
import { integrationOf } from './contacts.js';
import { commander, readDocument, readWritten, type AdminHandlers } from './support.js';

export function conversationRoutes(app: App, queries: QueryDeps): AdminHandlers {
  const run =
    (command: typeof resolveConversation) =>
    async (call: Call): Promise<Reply> => {
      const conversationUuid = call.params['conversation_uuid']!;
      const { position } = await command(app, { conversationUuid }, commander(call));
      const doc = await readWritten<ConversationDoc>(app, 'conversations', conversationUuid, position);
      const contact = (await app.readModels.get<ContactSource>('contacts', doc.contact_uuid))?.doc;
      return one(presentConversation(doc, contact, integrationOf(contact)));
    };

  return {
    listConversations: async (call) => {
      const company = call.params['company_uuid']!;
      await readDocument(app.readModels, 'companies', company, 'company');
      const status = call.query['status'] as string | undefined;
      const page = await listConversations(queries, company, status, pageOf(call));
      return list(page, ({ conversation, contact }) =>
        presentConversation(conversation, contact, integrationOf(contact)),
      );
    },
    resolveConversation: run(resolveConversation),
    reopenConversation: run(reopenConversation),
    markReadConversation: run(readConversation),
  };
}
