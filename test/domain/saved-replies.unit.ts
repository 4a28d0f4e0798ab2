import { deriveId } from '../../domain/kernel/ids.js';
import { MAX_SAVED_REPLIES, savedRepliesAggregate } from '../../domain/saved-replies/decide.js';
import type { SavedRepliesEvent } from '../../domain/saved-replies/events.js';
import { given } from '../support/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { savedRepliesCommandExamples, savedRepliesEventExamples } from '../support/examples/saved-replies.js';

const { added, changed, removed } = savedRepliesEventExamples;
const add = savedRepliesCommandExamples.add.command;
const change = savedRepliesCommandExamples.change.command;
const remove = savedRepliesCommandExamples.remove.command;
const many = (count: number): readonly SavedRepliesEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'SavedReplyAdded',
    data: {
      company_uuid: exampleIds.company,
      reply_uuid: deriveId('reply', index),
      title: `Reply ${index}`,
      short_cut: `r${index}`,
      text: 'Oi',
    },
  }));

describe('saved replies', () => {
  it('are added once, changed in part, and removed', () => {
    given(savedRepliesAggregate).when(add).then(added);
    given(savedRepliesAggregate, added).when(change).then(changed);
    given(savedRepliesAggregate, added, changed).when(change).thenNothing();
    given(savedRepliesAggregate, added).when(remove).then(removed);
    given(savedRepliesAggregate, added, removed).when(change).thenRefused('not_found', {
      resource: 'saved_reply',
    });
  });

  it('have a short cut each, which a removed one gives back', () => {
    const other = { ...add, replyUuid: deriveId('reply', 'other') };
    given(savedRepliesAggregate, added)
      .when(other)
      .thenRefused('short_cut_taken', { short_cut: 'prazo', reply_uuid: add.replyUuid });
    given(savedRepliesAggregate, ...many(2))
      .when({ type: 'ChangeSavedReply', replyUuid: deriveId('reply', 0), shortCut: 'r1' })
      .thenRefused('short_cut_taken', { short_cut: 'r1' });
    given(savedRepliesAggregate, added, removed)
      .when(other)
      .then({ type: 'SavedReplyAdded', data: { ...added.data, reply_uuid: other.replyUuid } });
  });

  it('are full with two hundred, and take one more when one has gone', () => {
    given(savedRepliesAggregate, ...many(MAX_SAVED_REPLIES - 1))
      .when(add)
      .then(added);
    const full = many(MAX_SAVED_REPLIES);
    given(savedRepliesAggregate, ...full)
      .when(add)
      .thenRefused('saved_replies_full', { limit: 200 });
    const gone = { type: 'SavedReplyRemoved', data: { reply_uuid: deriveId('reply', 0) } } as const;
    given(savedRepliesAggregate, ...full, gone)
      .when(add)
      .then(added);
  });

  it('know the name of the customer, and no other placeholder', () => {
    for (const text of [
      'Oi {{contact.name}}',
      '{{ contact.first_name | cliente }}, {{contact.name}}',
      'a } b {',
    ]) {
      given(savedRepliesAggregate)
        .when({ ...add, text })
        .then({ ...added, data: { ...added.data, text } });
    }
    for (const text of ['Oi {{contact.phone}}', 'Oi {{nome}}', 'Oi {{contact.name', 'Oi {{}}', '{{a{b}}']) {
      given(savedRepliesAggregate)
        .when({ ...add, text })
        .thenRefused('validation_failed');
    }
  });

  it('have neither an empty title nor an empty text', () => {
    for (const field of ['title', 'text'] as const) {
      given(savedRepliesAggregate)
        .when({ ...add, [field]: '  ' })
        .thenRefused('validation_failed', {
          fields: [{ path: field, code: 'required', message: 'must have more than spaces.' }],
        });
    }
  });
});
