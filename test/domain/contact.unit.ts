import { expect } from 'chai';
import { contactAggregate } from '../../domain/contact/decide.js';
import type { ContactEvent } from '../../domain/contact/events.js';
import { contactCommandExamples, contactEventExamples } from '../support/examples/contact.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { given } from '../support/decider.js';

const { created, named, waIdLearned, linked, erased } = contactEventExamples;
const commands = contactCommandExamples;
const otherUuid = exampleIds.test;

const contact = given(contactAggregate, created);
const contactWithWaId = given(contactAggregate, created, waIdLearned);
const linkedContact = given(contactAggregate, created, linked);

describe('contact', () => {
  it('is created once', () => {
    given(contactAggregate).when(commands.create.command).then(created);
    contact.when(commands.create.command).thenNothing();
  });

  it('refuses everything else before that', () => {
    for (const { command } of Object.values(commands)) {
      if (command.type === 'CreateContact') continue;
      given(contactAggregate).when(command).thenRefused('not_found', { resource: 'contact' });
    }
  });

  it('learns a profile name only when it has none', () => {
    contact.when(commands.learnProfileName.command).then(named);
    given(contactAggregate, created, named).when({ type: 'LearnProfileName', name: 'Bia 🌸' }).thenNothing();
    given(contactAggregate, { ...created, data: { ...created.data, name: 'Beatriz' } })
      .when(commands.learnProfileName.command)
      .thenNothing();
    contact.when({ type: 'LearnProfileName', name: '' }).thenNothing();
  });

  it('learns its WhatsApp id per channel', () => {
    const learn = commands.learnWaId.command;
    contact.when(learn).then(waIdLearned);
    contactWithWaId.when(learn).thenNothing();
    contactWithWaId
      .when({ ...learn, waId: '5531988887777' })
      .then({ type: 'ContactWaIdLearned', data: { ...waIdLearned.data, wa_id: '5531988887777' } });
    contactWithWaId
      .when({ ...learn, channelUuid: otherUuid })
      .then({ type: 'ContactWaIdLearned', data: { ...waIdLearned.data, channel_uuid: otherUuid } });
  });

  it('is linked per integration, and relinked under another external id', () => {
    const link = commands.link.command;
    contact.when(link).then(linked);
    linkedContact.when(link).thenNothing();
    linkedContact
      .when({ ...link, externalId: 'customer-43' })
      .then({ type: 'ContactLinked', data: { ...linked.data, external_id: 'customer-43' } });
    linkedContact
      .when({ ...link, integrationUuid: otherUuid })
      .then({ type: 'ContactLinked', data: { ...linked.data, integration_uuid: otherUuid } });
  });

  it('takes and loses one tag, whatever other tags it has', () => {
    const tagged = (
      tags: string[],
      source: 'flow' | 'admin' = 'flow',
    ): Extract<ContactEvent, { type: 'ContactChanged' }> => ({
      type: 'ContactChanged',
      data: { source, changed: ['tags'], name: null, email: null, tags, custom_fields: null },
    });
    const having = given(contactAggregate, created, tagged(['vip', 'novo']));
    const change = { type: 'ChangeTag', source: 'flow' } as const;
    having.when({ ...change, add: 'frio' }).then(tagged(['vip', 'novo', 'frio']));
    having.when({ ...change, source: 'admin', remove: 'vip' }).then(tagged(['novo'], 'admin'));
    having.when({ ...change, add: 'quente', remove: 'novo' }).then(tagged(['vip', 'quente']));
    having.when({ ...change, add: 'vip' }).thenNothing();
    having.when({ ...change, remove: 'frio' }).thenNothing();
    having.when(change).thenNothing();
    contact.when({ ...change, add: 'vip' }).then(tagged(['vip']));
  });

  it('refuses a tag that no contact may have, one too many, and any of somebody erased', () => {
    const full = Array.from({ length: 50 }, (_, n) => `tag-${n}`);
    const { changed } = contactEventExamples;
    const crowded = { ...changed, data: { ...changed.data, changed: ['tags'], tags: full } };
    const add = (tag: string) => ({ type: 'ChangeTag', source: 'flow', add: tag }) as const;
    contact.when(add('  ')).thenRefused('validation_failed');
    contact.when(add('x'.repeat(201))).thenRefused('validation_failed');
    given(contactAggregate, created, crowded).when(add('one more')).thenRefused('validation_failed');
    given(contactAggregate, created, crowded).when(add('tag-7')).thenNothing();
    given(contactAggregate, created, erased).when(add('vip')).thenRefused('not_found');
  });

  it('is erased once and learns nothing afterwards', () => {
    given(contactAggregate, created, named).when(commands.erase.command).then(erased);
    for (const { command } of [
      commands.create,
      commands.erase,
      commands.learnProfileName,
      commands.learnWaId,
      commands.link,
    ]) {
      given(contactAggregate, created, named, waIdLearned, linked, erased).when(command).thenNothing();
    }
  });

  it('holds nothing personal once erased', () => {
    const state = fold(contactAggregate, [created, named, waIdLearned, linked, erased]);
    expect(state).to.deep.equal({
      ...contactAggregate.initial,
      exists: true,
      companyUuid: exampleIds.company,
      subject: exampleIds.subject,
      erased: true,
      everErased: true,
    });
  });

  it('takes no more commands once merged, but is still erased', () => {
    const { mergedInto, erased: gone } = contactEventExamples;
    const merged = given(contactAggregate, created, mergedInto);
    merged.when(commands.change.command).thenRefused('contact_merged', { into: exampleIds.otherContact });
    merged.when(commands.learnWaId.command).thenNothing();
    merged.when(commands.erase.command).then(gone);
  });

  it('holds the wish uttered last; of two in one second the one to be left alone', () => {
    const { optedOut, optedIn } = contactEventExamples;
    const wish = (type: 'OptOut' | 'OptIn', at: string) =>
      ({ type, source: 'keyword', at, messageUuid: null }) as const;
    const out = given(contactAggregate, created, optedOut);
    out.when(wish('OptIn', '2026-03-02T10:59:59.000Z')).thenNothing();
    out.when(wish('OptIn', optedOut.data.at)).thenNothing();
    const later = '2026-03-02T11:00:01.000Z';
    out.when(wish('OptIn', later)).then({
      type: 'ContactOptedIn',
      data: { source: 'keyword', at: later, message_uuid: null },
    });
    given(contactAggregate, created, optedOut, optedIn)
      .when(wish('OptOut', '2026-03-02T11:10:00.000Z'))
      .thenNothing();
  });

  it('records a wish that is told again only when it was uttered later, so that an older one can not undo it', () => {
    const { optedOut, optedIn } = contactEventExamples;
    const tell = (type: 'OptOut' | 'OptIn', at: string) =>
      ({ type, source: 'keyword', at, messageUuid: null }) as const;
    const out = given(contactAggregate, created, optedOut);
    out.when(tell('OptOut', optedOut.data.at)).thenNothing();
    out.when(tell('OptOut', '2026-03-02T10:59:59.000Z')).thenNothing();
    const later = { source: 'keyword', at: '2026-03-02T11:00:01.000Z', message_uuid: null } as const;
    out.when(tell('OptOut', later.at)).then({ type: 'ContactOptedOut', data: later });
    const back = given(contactAggregate, created, optedOut, optedIn);
    back.when(tell('OptIn', optedIn.data.at)).thenNothing();
    const same = { ...later, at: optedIn.data.at };
    back.when(tell('OptOut', same.at)).then({ type: 'ContactOptedOut', data: same });
  });

  it('records only what comes out differently', () => {
    const { changed } = contactEventExamples;
    const known = given(contactAggregate, created, changed);
    known
      .when({
        type: 'ChangeContact',
        source: 'api',
        details: {
          name: 'Beatriz Souza',
          tags: ['vip', 'vip'],
          custom_fields: { utm_source: 'google', a: {} },
        },
      })
      .then({
        type: 'ContactChanged',
        data: {
          source: 'api',
          changed: ['custom_fields'],
          name: null,
          email: null,
          tags: null,
          custom_fields: { utm_source: 'google', a: {} },
        },
      });
  });
});
