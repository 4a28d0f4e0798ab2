/** Tests of the judge: each rule is checked with a history that breaks it and with one that obeys it. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../application/codec.js';
import { inboundMessageId } from '../../domain/message/decide.js';
import type { Facts } from './facts.js';
import { erasedStreams, judgeErasures } from './judge-erasure.js';
import { judgeHorizon } from './judge-horizon.js';
import { judgeOrder } from './judge-order.js';
import { judgeRestored } from './judge-restore.js';
import type { Call } from './provider.js';

const START = Date.parse('2026-01-01T00:00:00.000Z');
const CHANNEL = 'c0000000-0000-4000-8000-000000000001';
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

type Told = readonly [stream: string, type: string, data?: object];

/** A history with one event per second. */
const history = (...told: readonly Told[]): readonly RecordedEvent[] =>
  told.map(([stream, type, data = {}], second) => ({
    event: { type, data },
    record: { stream, meta: { occurred_at: new Date(START + second * 1_000).toISOString() } },
  })) as unknown as readonly RecordedEvent[];

function facts(events: readonly RecordedEvent[], over: Partial<Facts & Facts['folder']> = {}): Facts {
  const { calls = [], handovers = null, forgotten = [], documents = new Map(), filesWith = () => [] } = over;
  return { calls, handovers, forgotten, folder: { events, documents, filesWith } } as unknown as Facts;
}

const operation = (n: number): string => `operation-${uuid(n)}`;
const accepted = (n: number, over: object = {}): Told => [
  operation(n),
  'SendAccepted',
  { channel_uuid: CHANNEL, subject: 'ana', template_category: null, ...over },
];
const attempted = (n: number): Told => [operation(n), 'SendAttempted'];
const call = (n: number, at = START + 3_600_000): Call => ({ opaque: uuid(n), at }) as Call;

describe('the judge of the crash suites', () => {
  describe('order of calls to one person', () => {
    const swapped = [accepted(1), accepted(2), attempted(2), attempted(1)] as const;
    const calls = [call(2), call(1)];

    it('is that of acceptance', () => {
      const kept = history(accepted(1), accepted(2), attempted(1), attempted(2));
      expect(judgeOrder(facts(kept, { calls: [call(1), call(2)] }))).to.deep.equal([]);
      expect(judgeOrder(facts(history(...swapped), { calls }))).to.deep.equal([
        `operation ${uuid(2)} overtook ${uuid(1)}, accepted before it for the same person`,
      ]);
    });

    it('says nothing of two people, of two channels, or of marketing beside others', () => {
      for (const over of [
        { subject: 'bia' },
        { channel_uuid: uuid(9) },
        { template_category: 'MARKETING' },
      ]) {
        const events = history(accepted(1, over), accepted(2), attempted(2), attempted(1));
        expect(judgeOrder(facts(events, { calls }))).to.deep.equal([]);
      }
    });

    it('is free of one that waits for a reason of its own, from when that is on record', () => {
      const reason: Told = [operation(1), 'SendDeferred'];
      const before = history(accepted(1), accepted(2), reason, attempted(2), attempted(1));
      expect(judgeOrder(facts(before, { calls }))).to.deep.equal([]);
      const after = history(accepted(1), accepted(2), attempted(2), reason, attempted(1));
      expect(judgeOrder(facts(after, { calls }))).to.have.length(1);
    });

    it('is free where work went to another process meanwhile', () => {
      const during = { calls, handovers: [START + 3_500_000] };
      expect(judgeOrder(facts(history(...swapped), during))).to.deep.equal([]);
      const later = { calls, handovers: [START + 3_600_001] };
      expect(judgeOrder(facts(history(...swapped), later))).to.have.length(1);
    });
  });

  describe('order of what one customer wrote', () => {
    const said = (id: string, from: string, second: number) => ({ id, from, timestamp: String(second) });
    const webhook = (n: number, ...messages: readonly object[]): Told => {
      const body = JSON.stringify({ entry: [{ changes: [{ value: { messages } }] }] });
      return [
        `intake-${uuid(n)}`,
        'ProviderWebhookReceived',
        { parts: 0, body: Buffer.from(body).toString('base64') },
      ];
    };
    const received = (id: string): Told => [
      `message-${inboundMessageId(CHANNEL, id)}`,
      'MessageReceived',
      { provider_message_id: id, channel_uuid: CHANNEL },
    ];
    const shown = (...rows: readonly (readonly [id: string, ordered_at: string, position: string])[]) =>
      new Map(
        rows.map(([id, ordered_at, position]) => [
          `messages ${inboundMessageId(CHANNEL, id)}`,
          `1 ${JSON.stringify({ ordered_at, position })}`,
        ]),
      );

    it('is that in which WhatsApp handed it over, in one webhook and over several', () => {
      const kept = [webhook(1, said('a', 'ana', 1)), webhook(2, said('b', 'ana', 1), said('c', 'ana', 1))];
      const right = history(...kept, received('a'), received('b'), received('c'));
      expect(judgeOrder(facts(right))).to.deep.equal([]);
      const late = history(...kept, received('b'), received('a'), received('c'));
      expect(judgeOrder(facts(late))).to.deep.equal([
        'customer ana: b was recorded before a, which came before it',
      ]);
      const within = history(...kept, received('a'), received('c'), received('b'));
      expect(judgeOrder(facts(within))).to.have.length(1);
      expect(judgeOrder(facts(late, { handovers: [] })), 'several processes').to.deep.equal([]);
    });

    it('counts what is told again by the first time', () => {
      const kept = [webhook(1, said('a', 'ana', 1)), webhook(2, said('b', 'ana', 1))];
      const again = webhook(3, said('a', 'ana', 1));
      expect(judgeOrder(facts(history(...kept, again, received('a'), received('b'))))).to.deep.equal([]);
    });

    it('says nothing of two customers', () => {
      const kept = [webhook(1, said('a', 'ana', 1)), webhook(2, said('b', 'bia', 1))];
      expect(judgeOrder(facts(history(...kept, received('b'), received('a'))))).to.deep.equal([]);
    });

    it('is shown by WhatsApp’s time, and within a second as it was recorded', () => {
      const kept = [webhook(1, said('late', 'ana', 9), said('early', 'ana', 5), said('same', 'ana', 9))];
      const events = history(...kept, received('late'), received('early'), received('same'));
      const right = shown(['early', '05', '2'], ['late', '09', '1'], ['same', '09', '3']);
      expect(judgeOrder(facts(events, { documents: right }))).to.deep.equal([]);
      const byRecording = shown(['late', '05', '1'], ['early', '05', '2'], ['same', '09', '3']);
      expect(judgeOrder(facts(events, { documents: byRecording }))).to.deep.equal([
        'customer ana: late is shown before early, which was said before it',
      ]);
      const unstable = shown(['early', '05', '2'], ['late', '09', '3'], ['same', '09', '1']);
      expect(judgeOrder(facts(events, { documents: unstable }))).to.have.length(1);
    });
  });

  describe('an erased person', () => {
    const forgotten = [{ contactUuid: uuid(1), words: ['Zuleica', 'segredo'] }];
    const message: Told = ['message-1', 'MessageReceived', { contact_uuid: uuid(1), content: null }];
    const events = history([`contact-${uuid(1)}`, 'ContactErased'], message);

    it('can be read nowhere', () => {
      const documents = new Map([['messages 1', '1 {"content":{}}']]);
      expect(judgeErasures(facts(events, { forgotten, documents }))).to.deep.equal([]);
    });

    it('is found in the history, in a document and in a file', () => {
      const left: Told = ['message-1', 'MessageReceived', { content: { text: 'é segredo' } }];
      const documents = new Map([['contacts 1', '1 {"name":"Zuleica"}']]);
      const filesWith = (word: string) => (word === 'Zuleica' ? ['recado.db-wal'] : []);
      const found = judgeErasures(facts(history(left), { forgotten, documents, filesWith }));
      expect(found.map((line) => line.replace(/^(\S+) .* in /, '$1: '))).to.deep.equal([
        'Zuleica: contacts 1',
        'Zuleica: recado.db-wal',
        'segredo: message-1',
      ]);
    });

    it('has streams of which integrators need not have heard, and nobody else has', () => {
      const other: Told = ['message-2', 'MessageReceived', { contact_uuid: uuid(2) }];
      const { folder } = facts([...events, ...history(other)]);
      expect([...erasedStreams({ folder })]).to.deep.equal(['message-1']);
    });
  });

  describe('a restore', () => {
    const restored: Told = ['restore-1', 'HistoryRestored'];
    const calls = [call(1)];

    it('ends what was accepted before it', () => {
      expect(judgeHorizon(facts(history(accepted(1), restored, attempted(1)), { calls }))).to.deep.equal([
        `operation ${uuid(1)} was accepted before the restore and sent after it, and nobody released it`,
      ]);
    });

    it('says nothing of what was sent before, begun before, released, or accepted after', () => {
      const right: readonly (readonly [readonly Told[], readonly Call[]])[] = [
        [[accepted(1), restored], [call(1, START)]],
        [[accepted(1), attempted(1), restored, attempted(1)], calls],
        [[accepted(1), restored, [operation(1), 'SendReleased'], attempted(1)], calls],
        [[restored, accepted(1), attempted(1)], calls],
        [[accepted(1), attempted(1)], calls],
      ];
      for (const [told, made] of right)
        expect(
          judgeHorizon(facts(history(...told), { calls: made })),
          told.map(([, type]) => type).join(),
        ).to.deep.equal([]);
    });
  });

  describe('two lives', () => {
    const held: Told = [operation(1), 'SendHeld'];
    const restored: Told = ['restore-1', 'HistoryRestored'];
    const taken = { kind: 'accept', delayMs: 0, statuses: [] } as const;
    const made = (n: number, at: number): Call => ({ ...call(n, at), plan: taken });
    const judged = (told: readonly Told[], calls: readonly Call[], status = 'failed') => {
      const documents = new Map([[`operations ${uuid(1)}`, `1 ${JSON.stringify({ status })}`]]);
      const { folder, ...others } = facts(history(...told), { calls, documents });
      const whole = { ...folder, integrity: ['ok'], rebuilt: documents };
      return judgeRestored({ ...others, accepted: [], kills: [], folder: whole });
    };
    const ends: Told = [operation(1), 'SendFailed'];

    it('call for nothing twice', () => {
      const calls = [made(1, START), made(1, START + 10_000)];
      const told = [accepted(1), restored, held, [operation(1), 'SendReleased'], attempted(1), ends] as const;
      expect(judged(told, calls).violations).to.deep.equal([
        `operation ${uuid(1)} was called 2 times in both lives`,
      ]);
      expect(judged(told, calls.slice(1)).violations).to.deep.equal([]);
    });

    it('leave nothing behind, and what was ended uncalled', () => {
      const told = [accepted(1), restored, held] as const;
      expect(judged(told, [], 'waiting').violations).to.deep.equal([
        `operation ${uuid(1)} is left behind: waiting`,
      ]);
      const calledAfter = judged([...told, ends], [made(1, START + 10_000)]);
      expect(calledAfter.violations).to.include(`operation ${uuid(1)} was held, ended, and called`);
      expect(judged([...told, ends], [made(1, START)])).to.deep.equal({
        violations: [],
        figures: { held: 1, released: 0, ended: 1, open: 0 },
      });
    });
  });
});
