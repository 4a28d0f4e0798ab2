/** The meaning of WhatsApp's answers for the send, for its channel and its recipient. */
import { expect } from 'chai';
import type { SendOutcome } from '../../../ports/provider.js';
import { readOutcome } from '../../../workers/sending/outcome.js';
import { rejected } from '../../support/fakes/provider.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const WINDOW_MS = 900_000;
const read = (outcome: SendOutcome, attempt = 1) => readOutcome(outcome, attempt, NOW, WINDOW_MS);
/** Seconds until the next attempt, by attempt. */
const waits = (outcome: SendOutcome, attempts: readonly number[]): readonly (number | null)[] =>
  attempts.map((attempt) => {
    const { outcome: judged } = read(outcome, attempt);
    return judged.kind === 'postponed' ? (Date.parse(judged.retryAt) - NOW) / 1_000 : null;
  });

describe('the answer to a send', () => {
  for (const held of [false, true]) {
    it(`that took it: its id${held ? ', and that WhatsApp holds it' : ''}`, () => {
      const outcome = { kind: 'accepted', messageId: 'wamid.7', waId: null, userId: null, held } as const;
      expect(read(outcome)).to.deep.equal({
        outcome: { kind: 'accepted', providerMessageId: 'wamid.7', held },
        hold: null,
        providerError: null,
      });
    });
  }

  it('that never reached WhatsApp: after one second, then twice as long, a minute at most; all of us wait', () => {
    const outcome = { kind: 'not_sent', reason: 'refused' } as const;
    expect(read(outcome)).to.deep.equal({
      outcome: {
        kind: 'postponed',
        reason: 'provider_unreachable',
        providerCode: null,
        retryAt: '2026-03-10T12:00:01.000Z',
      },
      hold: { scope: 'app', until: NOW + 1_000 },
      providerError: null,
    });
    expect(waits(outcome, [1, 2, 3, 6, 7, 20])).to.deep.equal([1, 2, 4, 32, 60, 60]);
    expect(read(outcome, 3).hold).to.deep.equal({ scope: 'app', until: NOW + 4_000 });
  });

  it('that was lost: unknown, until the window for its status has ended', () => {
    expect(read({ kind: 'unknown', reason: 'the connection was cut' })).to.deep.equal({
      outcome: {
        kind: 'unknown',
        reason: 'the connection was cut',
        reconcileUntil: '2026-03-10T12:15:00.000Z',
      },
      hold: null,
      providerError: null,
    });
  });

  it('that asks for a pause: the code, the pause, and what has to pause', () => {
    expect(read(rejected(130_429, { title: 'Rate limit hit', details: 'Slow down' }))).to.deep.equal({
      outcome: {
        kind: 'postponed',
        reason: 'provider_retry',
        providerCode: 130_429,
        retryAt: '2026-03-10T12:00:01.000Z',
      },
      hold: { scope: 'number', until: NOW + 1_000 },
      providerError: { code: 130_429, title: 'Rate limit hit', details: 'Slow down' },
    });
    expect(waits(rejected(131_056), [1, 2, 3, 7, 9])).to.deep.equal([1, 4, 16, 3_600, 3_600]);
    expect(read(rejected(131_056), 2).hold).to.deep.equal({ scope: 'pair', until: NOW + 4_000 });
  });

  it('that names a pause itself: no less than that, and no less than ours', () => {
    expect(waits(rejected(130_429, { retryAfterSeconds: 30 }), [1, 2])).to.deep.equal([30, 30]);
    expect(waits(rejected(130_429, { retryAfterSeconds: 1 }), [1, 4])).to.deep.equal([1, 8]);
  });

  it('of a code that is tried three times: given up with the third', () => {
    expect(waits(rejected(131_000), [1, 2, 3, 4])).to.deep.equal([2, 4, null, null]);
    expect(read(rejected(131_000), 3)).to.deep.include({ hold: null });
    expect(read(rejected(131_000), 3).outcome).to.include({
      kind: 'failed',
      code: 'provider_unavailable',
      message: 'WhatsApp could not take the message, also after several tries.',
    });
  });

  it('that refuses it for good: what WhatsApp said, and nobody else waits', () => {
    const more = { title: 'Undeliverable', details: 'Not on WhatsApp', traceId: 'trace' };
    expect(read(rejected(131_026, more))).to.deep.equal({
      outcome: {
        kind: 'failed',
        code: 'recipient_unreachable',
        message: 'WhatsApp can not deliver to this recipient.',
        details: {
          provider: { code: 131_026, title: 'Undeliverable', trace_id: 'trace', details: 'Not on WhatsApp' },
        },
      },
      hold: null,
      providerError: { code: 131_026, title: 'Undeliverable', details: 'Not on WhatsApp' },
    });
  });

  it('that blocks for a known time says for how long', () => {
    const { outcome } = read(rejected(131_049));
    if (outcome.kind !== 'failed') throw new Error(`it is ${outcome.kind}`);
    expect(outcome.details).to.include({ retry_after_seconds: 86_400 });
  });

  it('of a code without a sentence of ours: the words of WhatsApp, its code once', () => {
    const message = (title: string): unknown => {
      const { outcome } = read(rejected(131_008, { title }));
      return outcome.kind === 'failed' && outcome.message;
    };
    expect(message('(#131008) Required parameter is missing')).to.equal(
      'WhatsApp refused the message: Required parameter is missing (131008).',
    );
    expect(message('See (#131008) there')).to.equal(
      'WhatsApp refused the message: See (#131008) there (131008).',
    );
  });

  for (const [code, operationCode] of [
    [131_047, 'service_window_closed'],
    [131_050, 'recipient_opted_out'],
    [131_049, 'recipient_marketing_limit_reached'],
    [132_001, 'template_not_approved'],
    [132_015, 'template_quality_blocked'],
    [132_016, 'template_sends_disabled'],
    [190, 'channel_not_connected'],
  ] as const) {
    it(`${code} is ${operationCode}, with a sentence of ours`, () => {
      const { outcome } = read(rejected(code));
      if (outcome.kind !== 'failed') throw new Error(`it is ${outcome.kind}`);
      expect(outcome.code).to.equal(operationCode);
      expect(outcome.message).not.to.match(/^WhatsApp refused the message/);
    });
  }
});
