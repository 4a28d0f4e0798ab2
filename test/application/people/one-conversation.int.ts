/** One open conversation per contact and channel, also after contacts were merged and operators reopened old ones. */
import { expect } from 'chai';
import { directCommand, type App } from '../../../application/app.js';
import {
  readConversation,
  reopenConversation,
  resolveConversation,
} from '../../../application/conversations/commands.js';
import { admitToConversation } from '../../../application/people/admit-to-conversation.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { mergeContacts, primaryContactOf } from '../../../application/people/primary-contact.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { failure } from '../../conformance/support.js';
import { makeApi } from '../../support/api/make-api.js';
import { addInboundMessage, makeWorld, type World } from '../../support/api/world.js';
import { anotherProcess } from '../../support/app.js';
import { opened } from '../../support/opened.js';

const caller = { actor: 'test' };

describe('one open conversation', () => {
  let app: App;
  let world: World;
  let people = 0;

  const api = opened(makeApi);
  before(async () => {
    ({ app } = api);
    world = await makeWorld(app);
  });

  const command = () => directCommand(app, { company: world.company, actor: 'test' });

  async function person(): Promise<ResolvedContact> {
    people += 1;
    const phone = `+55119876500${String(people).padStart(2, '0')}`;
    const known = { phone, phoneKey: phone.slice(1), waUserId: null, name: null };
    return resolveContact(app, world.company, known, 'inbound', command());
  }

  async function writes(contactUuid: string, by: 'inbound' | 'outbound' = 'inbound'): Promise<string> {
    const { state } = { state: (await primaryContactOf(app, contactUuid)).contact };
    return admitToConversation(
      app,
      {
        companyUuid: world.company,
        channelUuid: world.channel,
        contactUuid,
        absorbed: state.mergedInto === null ? state.absorbed : [],
      },
      by,
      command(),
    );
  }

  const statusOf = async (uuid: string): Promise<string> =>
    (await app.executor.load(conversationAggregate, uuid)).state.status;
  const merge = (one: ResolvedContact, other: ResolvedContact) =>
    mergeContacts(app, world.company, [one.uuid, other.uuid], 'manual', command()).then(() =>
      // The second call finds the contact that was merged away, and completes the merge.
      mergeContacts(app, world.company, [one.uuid, other.uuid], 'manual', command()),
    );

  it('of two people who become one: that of the contact that goes on', async () => {
    const [one, other] = [await person(), await person()];
    const own = await writes(one.uuid);
    const beside = await writes(other.uuid);
    const goesOn = await merge(one, other);
    expect(goesOn.uuid).to.equal(one.uuid);
    expect([await statusOf(own), await statusOf(beside)]).to.deep.equal(['open', 'resolved']);
    expect(await writes(one.uuid)).to.equal(own);
  });

  it('that only the merged one had goes on, also for what the business sends', async () => {
    const [one, other] = [await person(), await person()];
    const theirs = await writes(other.uuid);
    await merge(one, other);
    expect(await statusOf(theirs)).to.equal('open');
    expect(await writes(one.uuid)).to.equal(theirs);
    expect(await writes(one.uuid, 'outbound')).to.equal(theirs);
    await resolveConversation(app, { conversationUuid: theirs }, caller);
    expect(await writes(one.uuid), 'reopened within seven days').to.equal(theirs);
    expect(await statusOf(theirs)).to.equal('open');
    const first = conversationId(one.uuid, world.channel, 0);
    expect((await app.executor.load(conversationAggregate, first)).state.exists).to.equal(false);
  });

  it('is settled by the next message where one was opened behind the back of the merge', async () => {
    const [one, other] = [await person(), await person()];
    const own = await writes(one.uuid);
    await merge(one, other);
    // A process that has not learned of the merge yet.
    const late = await admitToConversation(
      app,
      { companyUuid: world.company, channelUuid: world.channel, contactUuid: other.uuid, absorbed: [] },
      'inbound',
      command(),
    );
    expect(await statusOf(late)).to.equal('open');
    expect(await writes(one.uuid)).to.equal(own);
    expect([await statusOf(own), await statusOf(late)]).to.deep.equal(['open', 'resolved']);
  });

  it('stays the only one when an operator would reopen another', async () => {
    const [one, other] = [await person(), await person()];
    const own = await writes(one.uuid);
    const beside = await writes(other.uuid);
    await merge(one, other);
    const refused = await failure(reopenConversation(app, { conversationUuid: beside }, caller));
    expect(refused).to.include({ code: 'conversation_closed' });
    await resolveConversation(app, { conversationUuid: own }, caller);
    await reopenConversation(app, { conversationUuid: beside }, caller);
    expect(await statusOf(beside)).to.equal('open');
    expect(await writes(one.uuid), 'the open one, not the one of the contact itself').to.equal(beside);
  });

  describe('that this process last found', () => {
    /** A process without memory of its own, and the questions that it asks the read model. */
    function process() {
      const asked = { finds: 0 };
      const find: App['readModels']['find'] = (...query) => {
        asked.finds += 1;
        return app.readModels.find(...query);
      };
      const here = anotherProcess(app, { readModels: { ...app.readModels, find } });
      const admits = (contact: ResolvedContact, isNew = false) =>
        admitToConversation(
          here,
          {
            companyUuid: world.company,
            channelUuid: world.channel,
            contactUuid: contact.uuid,
            absorbed: [],
            isNew,
          },
          'outbound',
          command(),
        );
      return { asked, admits };
    }

    it('is not looked for again', async () => {
      const contact = await person();
      const { asked, admits } = process();
      const first = await admits(contact);
      expect(asked.finds).to.equal(1);
      expect(await admits(contact)).to.equal(first);
      expect(asked.finds).to.equal(1);
      expect(await statusOf(first)).to.equal('open');
    });

    it('is not looked for where the contact is new, and is that of a faster process', async () => {
      const contact = await person();
      expect(contact.isNew).to.equal(true);
      const { asked, admits } = process();
      const theirs = await writes(contact.uuid);
      expect(await admits(contact, true)).to.equal(theirs);
      expect(asked.finds).to.equal(0);
    });

    it('is looked for again once it is resolved: an operator may have reopened an earlier one', async () => {
      const contact = await person();
      const { asked, admits } = process();
      const first = await admits(contact);
      await resolveConversation(app, { conversationUuid: first }, caller);
      const eightDays = 8 * 86_400_000;
      const later = anotherProcess(app, { clock: { ...app.clock, now: () => app.clock.now() + eightDays } });
      const thread = { companyUuid: world.company, channelUuid: world.channel, contactUuid: contact.uuid };
      const next = directCommand(later, { company: world.company, actor: 'test' });
      const second = await admitToConversation(later, { ...thread, absorbed: [] }, 'outbound', next);
      expect(second).to.equal(conversationId(contact.uuid, world.channel, 1));
      await resolveConversation(app, { conversationUuid: second }, caller);
      await reopenConversation(app, { conversationUuid: first }, caller);
      // It remembers the first; the other one remembers the second, which is resolved.
      expect(await admits(contact)).to.equal(first);
      expect(asked.finds).to.equal(1);
      expect(await admitToConversation(later, { ...thread, absorbed: [] }, 'outbound', next)).to.equal(first);
      expect([await statusOf(first), await statusOf(second)]).to.deep.equal(['open', 'resolved']);
    });
  });

  it('is marked as read by what the whole history says, not by a read model that is behind', async () => {
    const contact = await person();
    const conversation = await writes(contact.uuid);
    await addInboundMessage(app, world, { contact: contact.uuid, conversation }, 'Oi');
    const stale: App = {
      ...app,
      readModels: {
        ...app.readModels,
        get: async (collection, id) => {
          const stored = await app.readModels.get(collection, id);
          return stored && { ...stored, doc: { ...stored.doc, unread_count: 0 } };
        },
      },
      readModelsReached: async () => false,
    };
    const input = { conversationUuid: conversation };
    expect((await readConversation(stale, input, caller)).position).to.not.equal(null);
    expect((await readConversation(app, input, caller)).position, 'nothing was unread').to.equal(null);
  });
});
