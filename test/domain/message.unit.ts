import { expect } from 'chai';
import fc from 'fast-check';
import { createRegistry } from '../../domain/catalog.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import {
  decideMessage,
  inboundMessageId,
  messageAggregate,
  outboundMessageId,
  type MessageCommand,
} from '../../domain/message/decide.js';
import { messageCommandExamples, messageEventExamples } from '../support/examples/message.js';
import type { MessageEvent } from '../../domain/message/events.js';
import { mediaOf } from '../../domain/message/media.js';
import type { Message } from '../../domain/message/state.js';
import { outranks, type MessageStatus } from '../../domain/message/status.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';
import { runs } from '../support/soak.js';

const { queued, received, accepted, held, refused, sent, delivered, read, failed } = messageEventExamples;
const {
  echoed,
  imported,
  placeholderImported,
  mediaImported,
  edited,
  editKept,
  deleted,
  deletionKept,
  noticed,
} = messageEventExamples;
const report = (event: Extract<MessageEvent, { type: 'MessageStatusReported' }>) =>
  ({ type: 'ReportStatus', data: event.data }) as const;

/** The events of a command; null when it is refused. */
function decided(command: MessageCommand, state: Message): readonly MessageEvent[] | null {
  try {
    return decideMessage(command, state);
  } catch {
    return null;
  }
}

describe('message', () => {
  it('is queued once', () => {
    given(messageAggregate).when(messageCommandExamples.queue.command).then(queued);
    given(messageAggregate, queued).when(messageCommandExamples.queue.command).thenNothing();
  });

  it('is received once', () => {
    given(messageAggregate).when(messageCommandExamples.receive.command).then(received);
    given(messageAggregate, received).when(messageCommandExamples.receive.command).thenNothing();
  });

  it('is not queued over a received one, nor received over a queued one', () => {
    given(messageAggregate, received).when(messageCommandExamples.queue.command).thenNothing();
    given(messageAggregate, queued).when(messageCommandExamples.receive.command).thenNothing();
  });

  it('refuses everything else before it exists', () => {
    for (const { command } of [
      messageCommandExamples.accept,
      messageCommandExamples.refuse,
      messageCommandExamples.reportDelivered,
    ]) {
      given(messageAggregate).when(command).thenRefused('not_found', { resource: 'message' });
    }
  });

  describe('acceptance', () => {
    const accept = messageCommandExamples.accept.command;

    it('is recorded once, and makes it sent unless held', () => {
      given(messageAggregate, queued).when(accept).then(accepted);
      given(messageAggregate, queued, accepted).when(accept).thenNothing();
      expect(fold(messageAggregate, [queued, accepted]).status).to.equal('sent');
      expect(fold(messageAggregate, [queued, held]).status).to.equal('queued');
    });

    it('is no news when a status webhook told the id before', () => {
      given(messageAggregate, queued, delivered).when(accept).thenNothing();
    });

    it('does not take a later status back', () => {
      expect(fold(messageAggregate, [queued, delivered, accepted]).status).to.equal('delivered');
    });
  });

  describe('refusal', () => {
    const refuse = messageCommandExamples.refuse.command;

    it('is recorded once', () => {
      given(messageAggregate, queued).when(refuse).then(refused);
      given(messageAggregate, queued, refused).when(refuse).thenNothing();
      expect(fold(messageAggregate, [queued, refused]).status).to.equal('failed');
    });

    it('does not deny a delivery', () => {
      given(messageAggregate, queued, accepted, delivered).when(refuse).thenNothing();
      expect(fold(messageAggregate, [queued, delivered, refused]).status).to.equal('delivered');
    });
  });

  describe('status reports', () => {
    const table: readonly [
      string,
      readonly MessageEvent[],
      typeof sent | typeof delivered | typeof failed,
      boolean,
    ][] = [
      ['sent on a queued one that has no id yet', [queued], sent, true],
      ['sent on one already sent by the answer', [queued, accepted], sent, false],
      ['sent on a held one', [queued, held], sent, true],
      ['delivered on a sent one', [queued, accepted], delivered, true],
      ['delivered again', [queued, accepted, delivered], delivered, false],
      ['sent behind delivered', [queued, accepted, delivered], sent, false],
      ['failed on a sent one', [queued, accepted], failed, true],
      ['failed again', [queued, accepted, failed], failed, false],
      ['failed behind read: evidence is kept', [queued, accepted, read], failed, true],
      [
        "failed after a refusal on the spot: its reason is the provider's own",
        [queued, refused],
        failed,
        true,
      ],
      ['delivered on a failed one: proof wins', [queued, accepted, failed], delivered, true],
      ['sent on a failed one', [queued, accepted, failed], sent, false],
    ];
    for (const [name, history, event, news] of table) {
      it(`${name}: ${news ? 'recorded' : 'nothing new'}`, () => {
        const when = given(messageAggregate, ...history).when(report(event));
        if (news) when.then(event);
        else when.thenNothing();
      });
    }

    it('read without delivered is fine', () => {
      given(messageAggregate, queued, accepted).when(report(read)).then(read);
      const free = withData(delivered, { pricing: null });
      given(messageAggregate, queued, accepted, read).when(report(free)).thenNothing();
    });

    it('behind a later one is kept when it alone tells the price, once', () => {
      given(messageAggregate, queued, accepted, read).when(report(delivered)).then(delivered);
      given(messageAggregate, queued, accepted, read, delivered).when(report(delivered)).thenNothing();
      const priced = withData(sent, { pricing: delivered.data.pricing });
      given(messageAggregate, queued, accepted).when(report(priced)).thenNothing();
    });

    it('of a failure are kept until one says why', () => {
      const mute = withData(failed, { errors: [] });
      given(messageAggregate, queued, accepted, mute).when(report(failed)).then(failed);
      given(messageAggregate, queued, accepted, failed).when(report(mute)).thenNothing();
      given(messageAggregate, queued, accepted, mute).when(report(mute)).thenNothing();
    });

    it('say nothing about what the customer sent', () => {
      for (const event of [sent, delivered, read, failed]) {
        given(messageAggregate, received).when(report(event)).thenNothing();
      }
    });

    it('in any order, any number of times, end at the same status and lose no failure', () => {
      const ladder = [sent, delivered, read, failed];
      const best: readonly MessageStatus[] = ['read', 'delivered', 'failed', 'sent'];
      const reports = fc
        .subarray(ladder, { minLength: 1 })
        .chain((kept) => fc.tuple(fc.constant(kept), fc.array(fc.constantFrom(...kept), { maxLength: 8 })))
        .chain(([kept, more]) =>
          fc.shuffledSubarray([...kept, ...more], { minLength: kept.length + more.length }),
        );
      fc.assert(
        fc.property(reports, fc.constantFrom(accepted, held, null), (order, first) => {
          const commands: MessageCommand[] = order.map(report);
          if (first) commands.unshift({ type: 'AcceptMessage', data: first.data });
          const statuses: MessageStatus[] = ['queued'];
          const history: MessageEvent[] = [queued];
          for (const command of commands) {
            history.push(...decideMessage(command, fold(messageAggregate, history)));
            statuses.push(fold(messageAggregate, history).status);
          }
          statuses.reduce((before, after) => {
            expect(outranks(before, after), `${before} -> ${after}`).to.equal(false);
            return after;
          });
          const reported = new Set<MessageStatus>(order.map((event) => event.data.status));
          const expected = best.find((status) => reported.has(status));
          expect(statuses.at(-1)).to.equal(expected);
          const failures = history.filter(
            (event) => event.type === 'MessageStatusReported' && event.data.status === 'failed',
          );
          expect(failures).to.deep.equal(reported.has('failed') ? [failed] : []);
        }),
      );
    });
  });

  it('has a command that stays satisfied satisfied by every later history', () => {
    const all: readonly MessageCommand[] = [
      ...Object.values(messageCommandExamples).map(({ command }) => command),
      ...[sent, delivered, read, failed, withData(failed, { errors: [] })].map(report),
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...all), { maxLength: 24, size: 'max' }), (commands) => {
        let state = fold(messageAggregate, [queued]);
        const satisfied = new Set<MessageCommand>();
        for (const command of commands) {
          const events = decided(command, state);
          for (const event of events ?? []) state = messageAggregate.evolve(state, event);
          if (events?.length === 0 && messageAggregate.staysSatisfied!(command)) satisfied.add(command);
          for (const before of satisfied) expect(decided(before, state), before.type).to.deep.equal([]);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  it('of the Business app, of its history and from nobody is recorded once', () => {
    const { echo, import: importing, notice } = messageCommandExamples;
    given(messageAggregate).when(echo.command).then(echoed);
    given(messageAggregate, echoed).when(echo.command).thenNothing();
    given(messageAggregate).when(importing.command).then(imported);
    given(messageAggregate, imported).when(importing.command).thenNothing();
    given(messageAggregate, received).when(importing.command).thenNothing();
    given(messageAggregate).when(notice.command).then(noticed);
    given(messageAggregate, noticed).when(notice.command).thenNothing();
    expect(fold(messageAggregate, [echoed])).to.include({ direction: 'outbound', status: 'sent' });
  });

  describe('imported without its media', () => {
    const { importMedia } = messageCommandExamples;
    const placeholder = { type: 'ImportMessage', data: placeholderImported.data } as const;

    it('takes the media when it comes, before or after the place that is held for it', () => {
      given(messageAggregate, placeholderImported).when(importMedia.command).then(mediaImported);
      given(messageAggregate, placeholderImported, mediaImported).when(importMedia.command).thenNothing();
      const whole = { type: 'MessageImported', data: importMedia.command.data } as const;
      given(messageAggregate).when(importMedia.command).then(whole);
      given(messageAggregate, whole).when(placeholder).thenNothing();
    });

    it('stays deleted', () => {
      given(messageAggregate, placeholderImported, deleted).when(importMedia.command).thenNothing();
    });
  });

  describe('changes', () => {
    const { edit, delete: remove } = messageCommandExamples;
    const editAt = (at: string, id: string) => withData(edit.command, { at, provider_message_id: id });

    it('are recorded once each', () => {
      given(messageAggregate, received).when(edit.command).then(edited);
      given(messageAggregate, received, edited).when(edit.command).thenNothing();
      given(messageAggregate, received).when(remove.command).then(deleted);
      given(messageAggregate, received, deleted).when(remove.command).thenNothing();
    });

    it('in any order leave the last words', () => {
      const early = editAt('2026-03-02T12:01:00.000Z', 'wamid.early');
      const late = editAt('2026-03-02T12:05:00.000Z', 'wamid.late');
      given(messageAggregate, received, edited).when(early).thenNothing();
      given(messageAggregate, received, edited).when(late).then({ type: 'MessageEdited', data: late.data });
    });

    it('end with a deletion', () => {
      given(messageAggregate, received, deleted).when(edit.command).thenNothing();
      given(messageAggregate, received, edited).when(remove.command).then(deleted);
    });

    describe('that come before the message', () => {
      const receive = messageCommandExamples.receive.command;
      const { echo, import: importInbound } = messageCommandExamples;

      it('are kept once each', () => {
        given(messageAggregate).when(edit.command).then(editKept);
        given(messageAggregate).when(remove.command).then(deletionKept);
        given(messageAggregate, editKept).when(edit.command).thenNothing();
        given(messageAggregate, editKept).when(remove.command).then(deletionKept);
      });

      it('are applied when it comes, edits from old to new', () => {
        const early = editAt('2026-03-02T12:01:00.000Z', 'wamid.early').data;
        given(messageAggregate, editKept, { type: 'MessageEditKept', data: early })
          .when(receive)
          .then(received, { type: 'MessageEdited', data: early }, edited);
        given(messageAggregate, editKept).when(importInbound.command).then(imported, edited);
      });

      it('end with a deletion, in whatever order they came', () => {
        given(messageAggregate, editKept, deletionKept).when(receive).then(received, deleted);
        given(messageAggregate, deletionKept, editKept).when(receive).then(received, deleted);
      });

      it('are applied once', () => {
        given(messageAggregate, editKept, received, edited).when(edit.command).thenNothing();
        given(messageAggregate, deletionKept, received, deleted).when(receive).thenNothing();
      });

      it('change nothing that the other side wrote', () => {
        given(messageAggregate, editKept, deletionKept).when(echo.command).then(echoed);
      });

      it('are gone with the words of a person who was erased', () => {
        const erased = { ...editKept, data: { ...editKept.data, content: null } };
        const decided = decideMessage(receive, fold(messageAggregate, [erased]));
        expect(decided).to.deep.equal([received]);
      });
    });
  });

  it('has one id per operation, and one per channel and provider id', () => {
    expect(outboundMessageId(exampleIds.operation)).to.equal(outboundMessageId(exampleIds.operation));
    expect(outboundMessageId(exampleIds.operation)).to.not.equal(outboundMessageId(exampleIds.test));
    expect(inboundMessageId(exampleIds.channel, 'wamid.1')).to.equal(
      inboundMessageId(exampleIds.channel, 'wamid.1'),
    );
    expect(inboundMessageId(exampleIds.channel, 'wamid.1')).to.not.equal(
      inboundMessageId(exampleIds.channel, 'wamid.2'),
    );
    expect(inboundMessageId(exampleIds.channel, 'wamid.1')).to.not.equal(
      inboundMessageId(exampleIds.test, 'wamid.1'),
    );
  });

  describe('file', () => {
    const { receivedImage, receivedAudio, mediaStored, audioStored, mediaFailed, transcribed } =
      messageEventExamples;
    const { storeMedia, failMedia, transcribe } = messageCommandExamples;

    it('is stored once, also after it could not be had', () => {
      given(messageAggregate, receivedImage).when(storeMedia.command).then(mediaStored);
      given(messageAggregate, receivedImage, mediaStored).when(storeMedia.command).thenNothing();
      given(messageAggregate, receivedImage, mediaFailed).when(storeMedia.command).then(mediaStored);
    });

    it('fails once, and never once it is stored', () => {
      given(messageAggregate, receivedImage).when(failMedia.command).then(mediaFailed);
      given(messageAggregate, receivedImage, mediaFailed).when(failMedia.command).thenNothing();
      given(messageAggregate, receivedImage, mediaStored).when(failMedia.command).thenNothing();
    });

    it('is none of a message that has another one, has none, was deleted or erased', () => {
      for (const history of [[receivedAudio], [received], [receivedImage, deleted]]) {
        const message = given(messageAggregate, ...history);
        message.when(storeMedia.command).thenNothing();
        message.when(failMedia.command).thenNothing();
      }
      const erased = withData(receivedImage, { content: null, referral: null });
      const state = fold(messageAggregate, [erased]);
      expect(decideMessage(storeMedia.command, state)).to.deep.equal([]);
    });

    it('is put into words once', () => {
      given(messageAggregate, receivedAudio, audioStored).when(transcribe.command).then(transcribed);
      given(messageAggregate, receivedAudio, audioStored, transcribed).when(transcribe.command).thenNothing();
      given(messageAggregate, receivedAudio, audioStored, deleted).when(transcribe.command).thenNothing();
    });

    it('of an imported message comes with its media', () => {
      expect(fold(messageAggregate, [placeholderImported]).media).to.equal(null);
      const { media } = fold(messageAggregate, [placeholderImported, mediaImported]);
      expect(media).to.include({ id: '24230790383178626', kind: 'image', status: 'pending' });
    });
  });

  it('that does not exist takes no news of it, but for what comes before the message', () => {
    const early = new Set(['ReceiveMessage', 'ImportMessage', 'EditMessage', 'DeleteMessage']);
    for (const { given: history, command } of Object.values(messageCommandExamples)) {
      if (history.length === 0 || early.has(command.type)) continue;
      given(messageAggregate).when(command).thenRefused('not_found', { resource: 'message' });
    }
  });

  it('has a file only while it has one', () => {
    const { receivedImage, mediaFailed, mediaStored } = messageEventExamples;
    const { requestMedia, storeMedia, failMedia } = messageCommandExamples;
    for (const history of [[received], [receivedImage, mediaFailed, deleted]]) {
      const message = given(messageAggregate, ...history);
      message.when(requestMedia.command).thenRefused('not_found', { resource: 'media' });
      message.when(storeMedia.command).thenNothing();
      message.when(failMedia.command).thenNothing();
    }
    given(messageAggregate, receivedImage).when(requestMedia.command).thenNothing();
    given(messageAggregate, receivedImage, mediaStored).when(storeMedia.command).thenNothing();
    given(messageAggregate, receivedImage, mediaStored).when(failMedia.command).thenNothing();
    given(messageAggregate, receivedImage, mediaFailed).when(failMedia.command).thenNothing();
  });

  it('declares of a file what the provider says of it, and nothing that is empty', () => {
    const content = { media_id: '1', mime_type: 'image/png', sha256: '', filename: 7 };
    expect(mediaOf('image', content)).to.deep.equal({
      id: '1',
      kind: 'image',
      status: 'pending',
      declared: { mimeType: 'image/png', sha256: null, filename: null },
      stored: null,
    });
    for (const nothing of [null, undefined, {}, { media_id: 1 }]) {
      expect(mediaOf('image', nothing)).to.equal(null);
    }
    expect(mediaOf('text', content)).to.equal(null);
  });

  it('takes from the notices about carts of the first version the id that is the message of the cart', () => {
    const idOf = (kind: string) =>
      createRegistry().upcast('SystemNoticeRecorded', 1, { ...noticed.data, kind })['provider_message_id'];
    expect(idOf('cart_product_unknown')).to.equal(null);
    expect(idOf('message_edited')).to.equal(noticed.data.provider_message_id);
  });
});
