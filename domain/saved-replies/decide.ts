import type { Aggregate } from '../kernel/decider.js';
import { entryOf } from '../kernel/entries.js';
import type { CompanyUuid } from '../kernel/ids.js';
import { Refusal } from '../kernel/refusal.js';
import { savedRepliesStream } from '../streams.js';
import { savedRepliesEvents, type SavedRepliesEvent } from './events.js';
import { evolveSavedReplies, initialSavedReplies, type SavedReplies, type SavedReply } from './state.js';

/** Limit of one company: a page of the console reads all of them. */
export const MAX_SAVED_REPLIES = 200;

/**
 * What a text may name, in braces: `Oi {{contact.first_name|tudo bem}}`, written as in texts of flows, but names only.
 */
const NAMES = ['contact.name', 'contact.first_name'] as const;

/** Everything between two pairs of braces, or behind a pair that is never closed. */
const PLACEHOLDER = /\{\{(?:([^{}]*)\}\})?/g;

export type SavedRepliesCommand =
  | ({
      readonly type: 'AddSavedReply';
      readonly companyUuid: CompanyUuid;
      readonly replyUuid: string;
    } & SavedReply)
  /** Fields that are left out keep their values. */
  | ({ readonly type: 'ChangeSavedReply'; readonly replyUuid: string } & Partial<SavedReply>)
  | { readonly type: 'RemoveSavedReply'; readonly replyUuid: string };

export function decideSavedReplies(
  command: SavedRepliesCommand,
  { replies }: SavedReplies,
): readonly SavedRepliesEvent[] {
  const { replyUuid } = command;
  const known = entryOf(replies, replyUuid);
  switch (command.type) {
    case 'AddSavedReply': {
      if (known) return [];
      if (Object.keys(replies).length >= MAX_SAVED_REPLIES) {
        throw new Refusal(
          'saved_replies_full',
          `A company has at most ${MAX_SAVED_REPLIES} saved replies. Remove one first.`,
          { limit: MAX_SAVED_REPLIES },
        );
      }
      const data = contentOf(command, replies, replyUuid);
      return [
        {
          type: 'SavedReplyAdded',
          data: { company_uuid: command.companyUuid, reply_uuid: replyUuid, ...data },
        },
      ];
    }
    case 'ChangeSavedReply': {
      if (!known) throw unknown();
      const { title = known.title, shortCut = known.shortCut, text = known.text } = command;
      const data = contentOf({ title, shortCut, text }, replies, replyUuid);
      const same =
        data.title === known.title && data.short_cut === known.shortCut && data.text === known.text;
      return same ? [] : [{ type: 'SavedReplyChanged', data: { reply_uuid: replyUuid, ...data } }];
    }
    case 'RemoveSavedReply':
      return known ? [{ type: 'SavedReplyRemoved', data: { reply_uuid: replyUuid } }] : [];
    default:
      return command satisfies never;
  }
}

/** @throws Refusal short_cut_taken, validation_failed */
function contentOf(
  { title, shortCut, text }: SavedReply,
  replies: SavedReplies['replies'],
  own: string,
): { readonly title: string; readonly short_cut: string; readonly text: string } {
  for (const [uuid, other] of Object.entries(replies)) {
    if (uuid === own || other.shortCut !== shortCut) continue;
    throw new Refusal(
      'short_cut_taken',
      `Another saved reply has the short cut /${shortCut}. Choose another.`,
      {
        field: 'short_cut',
        short_cut: shortCut,
        reply_uuid: uuid,
      },
    );
  }
  const given = { title: title.trim(), text: text.trim() };
  for (const [field, value] of Object.entries(given)) {
    if (value === '') throw invalid(field, 'required', 'must have more than spaces.');
  }
  const fault = faultOfText(given.text);
  if (fault !== null) throw invalid('text', 'placeholder', fault);
  return { ...given, short_cut: shortCut };
}

/** What is wrong with the text, for its author; null: nothing. */
function faultOfText(text: string): string | null {
  for (const [all, inside] of text.matchAll(PLACEHOLDER)) {
    if (inside === undefined) return '"{{" must be closed with "}}".';
    const [path = ''] = inside.split('|', 1);
    if (!NAMES.some((name) => name === path.trim())) {
      return `"${all.slice(0, 80)}" is not known; there are {{contact.name}} and {{contact.first_name}}.`;
    }
  }
  return null;
}

const invalid = (field: string, code: string, message: string): Refusal =>
  new Refusal('validation_failed', `The saved reply is not valid: ${field} ${message}`, {
    fields: [{ path: field, code, message }],
  });

const unknown = (): Refusal =>
  new Refusal('not_found', 'There is no such saved reply.', { resource: 'saved_reply' });

export const savedRepliesAggregate: Aggregate<
  SavedReplies,
  SavedRepliesCommand,
  SavedRepliesEvent,
  'company'
> = {
  stream: savedRepliesStream,
  events: savedRepliesEvents,
  initial: initialSavedReplies,
  decide: decideSavedReplies,
  evolve: evolveSavedReplies,
};
