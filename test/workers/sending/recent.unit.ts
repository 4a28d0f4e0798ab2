/** How long a person must receive nothing, according to the history of the messages sent to them. */
import { expect } from 'chai';
import { personIdentity } from '../../../application/people/subject.js';
import { conversationId } from '../../../domain/conversation/decide.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { exampleIds } from '../../support/examples/example.js';
import { recipientTat } from '../../../workers/sending/recent.js';
import { memorySends } from './memory-sends.js';

/** The debt of one message, and of the rest of a burst of 45. The numbers are the test's own. */
const ONE_MS = 6_100;
const REST_MS = 44 * ONE_MS;
const WHOLE_MS = 45 * ONE_MS;
const HOUR = 3_600_000;

describe('what was sent to a person before', () => {
  async function world() {
    const w = memorySends();
    const contact = await w.given.contact();
    const now = w.clock.now();
    let shown = 0;
    const conversation = (
      ordinal: number,
      contactUuid = contact,
      channel_uuid: string = exampleIds.channel,
    ) =>
      w.given.show('conversations', conversationId(contactUuid, channel_uuid, ordinal), {
        contact_uuid: contactUuid,
        channel_uuid,
        ordinal,
        status: 'open',
      });
    await conversation(0);
    return {
      ...w,
      contact,
      conversation,
      /** A message this many milliseconds ago. */
      message: (agoMs: number, more: object = {}, ordinal = 0, contactUuid = contact) =>
        w.given.show('messages', `m${(shown += 1)}`, {
          conversation_uuid: conversationId(contactUuid, exampleIds.channel, ordinal),
          ordered_at: new Date(now - agoMs).toISOString(),
          position: shown,
          direction: 'outbound',
          provider_message_id: 'wamid',
          operation_uuid: null,
          created_at: new Date(now - agoMs).toISOString(),
          ...more,
        }),
      /** The debt from now on, milliseconds; null when there is nothing to wait for. */
      async owed(operation?: string): Promise<number | null> {
        const asked = operation ?? (await w.given.accepted({ contact_uuid: contact, phone: null }));
        const tat = await recipientTat(w.app, asked, now);
        return tat === 0 ? null : tat - now;
      },
      /** Refused with 131056, for this long from now on. */
      async heldBack(forMs: number): Promise<string> {
        const operation = await w.given.accepted();
        await w.given.begun(operation);
        const retryAt = new Date(now + forMs).toISOString();
        const outcome = {
          kind: 'postponed',
          reason: 'provider_retry',
          providerCode: 131_056,
          retryAt,
        } as const;
        await w.given.happened(operation, { type: 'RecordOutcome', attempt: 1, outcome });
        return operation;
      },
    };
  }

  it('is nothing where there is no operation, no person or no conversation', async () => {
    const w = await world();
    await w.message(0);
    expect(await w.owed(w.app.newId())).to.equal(null);
    expect(await w.owed(await w.given.accepted()), 'a phone that nobody has').to.equal(null);
    expect(await w.owed(await w.given.accepted({ phone: null })), 'erased').to.equal(null);
    const other = await w.given.contact({ uuid: exampleIds.otherContact });
    expect(await w.owed(await w.given.accepted({ contact_uuid: other }))).to.equal(null);
  });

  it('adds up, one after the other, in the order of their time', async () => {
    const w = await world();
    await w.message(1_000);
    await w.message(20_000);
    await w.message(2_000);
    expect(await w.owed()).to.equal(-2_000 + 2 * ONE_MS);
  });

  it('is found by the phone too', async () => {
    const w = await world();
    const identity = personIdentity(w.app.indexSecret, exampleIds.company, '5511987650001');
    await w.app.executor.execute(
      identityAggregate,
      identity,
      { type: 'ClaimIdentity', kind: 'phone', owner: w.contact },
      w.contextOf(null),
    );
    await w.message(1_000);
    expect(await w.owed(await w.given.accepted({ phone: '+5511987650001' }))).to.equal(-1_000 + ONE_MS);
  });

  it('is what WhatsApp took from the business, as long ago as a burst lasts', async () => {
    const w = await world();
    await w.message(1_000, { direction: 'inbound' });
    await w.message(1_000, { provider_message_id: null });
    await w.message(WHOLE_MS);
    expect(await w.owed()).to.equal(null);
    await w.message(WHOLE_MS - 1);
    expect(await w.owed()).to.equal(1 - WHOLE_MS + ONE_MS);
  });

  it('is seen behind as much as there is of before', async () => {
    const w = await world();
    for (let n = 0; n < 90; n += 1) await w.message(HOUR);
    await w.message(1_000);
    expect(await w.owed()).to.equal(-1_000 + ONE_MS);
  });

  it('counts from now where the history dates it later', async () => {
    const w = await world();
    await w.message(-HOUR);
    expect(await w.owed()).to.equal(ONE_MS);
  });

  it('is that of the latest conversation on this channel', async () => {
    const w = await world();
    await w.message(1_000);
    await w.conversation(0, w.contact, exampleIds.test);
    expect(await w.owed()).to.equal(-1_000 + ONE_MS);
    await w.conversation(1);
    expect(await w.owed()).to.equal(null);
    await w.message(3_000, {}, 1);
    expect(await w.owed()).to.equal(-3_000 + ONE_MS);
  });

  it('is also that of contacts that were merged into this one', async () => {
    const w = await world();
    const absorbed = await w.given.contact({ uuid: exampleIds.otherContact, phone: null, waUserId: 'BR.1' });
    await w.conversation(0, absorbed);
    await w.message(1_000);
    await w.message(2_000, {}, 0, absorbed);
    expect(await w.owed()).to.equal(-1_000 + ONE_MS);
    await w.given.contact(
      {},
      {
        type: 'AbsorbContact',
        data: {
          contact_uuid: absorbed,
          absorbed_uuids: [],
          phone: null,
          phone_key: null,
          phone_keys: [],
          wa_user_id: 'BR.1',
          wa_user_ids: [],
          name: null,
          email: null,
          tags: [],
          custom_fields: {},
          wa_ids: {},
          links: {},
          external_ids: {},
          opted_out: false,
          wish_at: null,
          attributed: false,
          last_interaction_at: null,
        },
      },
    );
    expect(await w.owed()).to.equal(-2_000 + 2 * ONE_MS);
  });

  describe('that WhatsApp refused for its pace', () => {
    it('lets nothing go before the time that it named', async () => {
      const w = await world();
      const operation_uuid = await w.heldBack(20_000);
      await w.message(1_000, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(20_000 + REST_MS);
      await w.message(500);
      expect(await w.owed(), 'the longer of the two').to.equal(20_000 + REST_MS);
    });

    it('is no matter once that time is over, nor where it was refused for something else', async () => {
      const w = await world();
      const over = await w.heldBack(-1);
      await w.message(30_000, { provider_message_id: null, operation_uuid: over });
      const other = await w.given.accepted();
      await w.message(1_000, { provider_message_id: null, operation_uuid: other });
      await w.message(1_000, { provider_message_id: null });
      expect(await w.owed()).to.equal(null);
      await w.message(2_000);
      expect(await w.owed()).to.equal(-2_000 + ONE_MS);
    });

    it('is no matter where WhatsApp took the message after all', async () => {
      const w = await world();
      const operation_uuid = await w.heldBack(20_000);
      await w.message(1_000, { operation_uuid });
      expect(await w.owed()).to.equal(-1_000 + ONE_MS);
    });

    it('counts beside others that were refused for something else', async () => {
      const w = await world();
      await w.message(1_000, { provider_message_id: null });
      await w.message(1_000, { provider_message_id: null, operation_uuid: await w.given.accepted() });
      const operation_uuid = await w.heldBack(20_000);
      await w.message(1_000, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(20_000 + REST_MS);
    });

    it('is longer than what is owed, or it is not', async () => {
      const w = await world();
      for (let n = 0; n < 50; n += 1) await w.message(0);
      const operation_uuid = await w.heldBack(1_000);
      await w.message(0, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(50 * ONE_MS);
    });

    it('holds for an hour at most after it was refused', async () => {
      const w = await world();
      const operation_uuid = await w.heldBack(20_000);
      await w.message(HOUR, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(null);
      await w.message(HOUR - 1, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(20_000 + REST_MS);
    });

    it('holds no longer than it was to, after the clock was set back', async () => {
      const w = await world();
      const operation_uuid = await w.heldBack(HOUR + 5_000);
      await w.message(-HOUR, { provider_message_id: null, operation_uuid });
      expect(await w.owed()).to.equal(5_000 + REST_MS);
    });
  });
});
