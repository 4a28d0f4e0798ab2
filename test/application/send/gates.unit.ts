/** The answer of each gate, and the streams that it reads. Tests set the stream states. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { GATE_CODES } from '../../../application/send/gate-order.js';
import { checkGates, passGates, type GatedSend } from '../../../application/send/gates.js';
import {
  companyLedger,
  dayOf,
  identicalLedger,
  recipientLedger,
  templateKey,
  type Recipient,
} from '../../../application/send/quotas.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import type { Channel } from '../../../domain/channel/state.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import type { Contact } from '../../../domain/contact/state.js';
import { conversationAggregate, conversationId } from '../../../domain/conversation/decide.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import type { Reservation } from '../../../domain/quota/state.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import type { Operation } from '../../../domain/operation/state.js';
import { DEFAULT_MARKETING } from '../../../domain/policies/gates.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import { templateAggregate } from '../../../domain/template/decide.js';
import { initialTemplate, type Template } from '../../../domain/template/state.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';
import { refusalOf } from '../provisioning/workspace.js';
import { order, promo } from './gated-sends.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const HOUR = 3_600_000;
const iso = (ms: number): string => new Date(ms).toISOString();

function world() {
  const streams = loadedStates();
  const app = {
    ...streams,
    clock: { now: () => NOW },
    indexSecret: Buffer.from('secret'),
    readModels: { find: async () => ({ documents: [], next: null }) },
  } as unknown as App;
  const marketing = (over: Partial<typeof DEFAULT_MARKETING>): void =>
    streams.set(companyAggregate, 'company', { marketing: { ...DEFAULT_MARKETING, enabled: true, ...over } });
  const contact = (uuid: string, over: Partial<Contact> = {}): void =>
    streams.set(contactAggregate, uuid, { exists: true, subject: `subject of ${uuid}`, ...over });
  marketing({});
  contact('ana');
  return {
    ...streams,
    app,
    marketing,
    contact,
    slots: (ledger: string, ...slots: readonly Reservation[]): void =>
      streams.set(quotaAggregate, ledger, { slots }),
    failed: (uuid: string, over: Partial<Operation> = {}): void =>
      streams.set(operationAggregate, uuid, { phase: 'failed', failureCode: 'x', ...over }),
    async code(send: GatedSend = promo): Promise<string> {
      const { code } = await refusalOf(checkGates(app, send));
      expect(GATE_CODES.has(code), `${code} ends an operation`).to.equal(true);
      return code;
    },
  };
}
const slot = (operationUuid: string, over: Partial<Reservation> = {}): Reservation => ({
  operationUuid,
  at: NOW - HOUR,
  what: templateKey('company', 'promo'),
  counted: true,
  ...over,
});
const otherThing = { what: 'other' };
const anas = recipientLedger('subject of ana');
const today = companyLedger('company', dayOf(NOW));

describe('what the gates of template sends say', () => {
  let w: ReturnType<typeof world>;
  beforeEach(() => {
    w = world();
  });

  it('lets marketing through where nothing stands in the way', async () => {
    await checkGates(w.app, promo);
  });

  it('names the company whose marketing is not enabled', async () => {
    w.marketing({ enabled: false });
    const { code, details } = await refusalOf(checkGates(w.app, promo));
    expect([code, details]).to.deep.equal(['marketing_sends_disabled', { company_uuid: 'company' }]);
    await checkGates(w.app, order);
  });

  it('says who opted out, and when', async () => {
    w.contact('ana', { optedOut: true, wishAt: iso(NOW - HOUR) });
    const { code, details } = await refusalOf(checkGates(w.app, promo));
    expect(code).to.equal('recipient_opted_out');
    expect(details).to.deep.equal({ contact_uuid: 'ana', opted_out_at: iso(NOW - HOUR) });
    await checkGates(w.app, order);
  });

  it('says what paused the channel, and when it opens', async () => {
    w.set(channelControlsAggregate, 'channel', {
      pause: { code: 131048, operationUuid: 'earlier', until: iso(NOW + HOUR) },
    });
    const { code, details } = await refusalOf(checkGates(w.app, promo));
    expect(code).to.equal('channel_marketing_paused');
    expect(details).to.deep.equal({
      channel_uuid: 'channel',
      quality: null,
      provider_status: null,
      retry_after_seconds: 3600,
      opens_at: iso(NOW + HOUR),
      provider: { code: 131048 },
      earlier_events: [{ operation_uuid: 'earlier' }],
    });
    await checkGates(w.app, order);
  });

  for (const [health, open] of [
    [{ qualityRating: 'RED' }, false],
    [{ providerStatus: 'FLAGGED' }, false],
    [{ qualityRating: 'YELLOW', providerStatus: 'CONNECTED' }, true],
  ] as const satisfies readonly [Partial<Channel>, boolean][]) {
    it(`${open ? 'lets marketing through' : 'keeps marketing back'} at ${JSON.stringify(health)}`, async () => {
      w.set(channelAggregate, 'channel', health);
      if (open) return checkGates(w.app, promo);
      const { code, details } = await refusalOf(checkGates(w.app, promo));
      expect(code).to.equal('channel_marketing_paused');
      expect(details).to.deep.equal({
        channel_uuid: 'channel',
        quality: null,
        provider_status: null,
        ...('qualityRating' in health ? { quality: health.qualityRating } : {}),
        ...('providerStatus' in health ? { provider_status: health.providerStatus } : {}),
      });
    });
  }

  it('lets marketing through from the moment on at which the pause of its channel ends', async () => {
    for (const until of [NOW, NOW - HOUR]) {
      w.set(channelControlsAggregate, 'channel', {
        pause: { code: 131048, operationUuid: 'earlier', until: iso(until) },
      });
      await checkGates(w.app, promo);
    }
  });

  it('does not count a send that failed while its message does not show it yet', async () => {
    w.slots(anas, slot('earlier'));
    expect(await w.code()).to.equal('duplicate_template_send');
    w.failed('earlier', { messageUuid: 'message' });
    await checkGates(w.app, promo);
  });

  it('holds a stranger to the caps: they never wrote', async () => {
    w.marketing({ perContactPerDay: 0 });
    const stranger = { ...promo, addressee: { phoneKey: '5511987654321' } };
    expect(await w.code(stranger)).to.equal('template_frequency_cap_exceeded');
  });

  it('ends an operation with every code that it refuses with', () => {
    expect([...GATE_CODES]).to.have.members([
      'marketing_sends_disabled',
      'channel_marketing_paused',
      'recipient_opted_out',
      'recipient_marketing_limit_reached',
      'duplicate_template_send',
      'template_frequency_cap_exceeded',
      'company_daily_marketing_cap_exceeded',
      'template_quality_blocked',
      'template_sends_disabled',
      'template_not_approved',
    ]);
  });

  it('counts marketing under every identity of a person, and over midnight', async () => {
    w.contact('ana', { absorbed: ['old ana'] });
    w.contact('old ana', { mergedInto: 'ana' });
    w.slots(recipientLedger('subject of old ana'), slot('earlier'));
    expect(await w.code()).to.equal('duplicate_template_send');
    w.slots(recipientLedger('subject of old ana'));
    await checkGates(w.app, promo);
    w.marketing({ perDay: 2 });
    w.slots(today, slot('this day'));
    await checkGates(w.app, promo);
    w.slots(companyLedger('company', dayOf(NOW) - 1), slot('the day before', { at: NOW - 20 * HOUR }));
    expect(await w.code()).to.equal('company_daily_marketing_cap_exceeded');
  });

  it('counts identical messages, and nothing else, against a template that is no marketing', async () => {
    w.slots(anas, slot('a'), slot('b'), slot('c'));
    const what = templateKey('company', 'order');
    w.slots(identicalLedger(w.app, order.subject, { ...order, components: ['other'] }), slot('d', { what }));
    await checkGates(w.app, order);
    w.slots(identicalLedger(w.app, order.subject, order), slot('e', { what }));
    expect(await w.code(order)).to.equal('duplicate_template_send');
  });

  it('spares whoever has just written the caps, under any identity and on this channel only', async () => {
    w.marketing({ perContactPerDay: 0 });
    w.contact('ana', { absorbed: ['old ana'] });
    w.contact('old ana', { mergedInto: 'ana' });
    const wrote = (contact: string, channel: string) =>
      w.set(conversationAggregate, conversationId(contact, channel, 0), {
        exists: true,
        lastInboundAt: iso(NOW - HOUR),
      });
    wrote('ana', 'another channel');
    expect(await w.code()).to.equal('template_frequency_cap_exceeded');
    wrote('old ana', 'channel');
    await checkGates(w.app, promo);
    // The exemption is from the caps: an identical message is still refused.
    w.slots(anas, slot('earlier'));
    expect(await w.code()).to.equal('duplicate_template_send');
  });

  describe('of sends that failed and still hold their slots', () => {
    it('none counts, whether the call or a later status said so', async () => {
      w.failed('on the call');
      w.set(operationAggregate, 'later', { phase: 'succeeded', messageUuid: 'message' });
      w.set(messageAggregate, 'message', { status: 'failed' });
      w.slots(anas, slot('on the call'), slot('later'));
      await checkGates(w.app, promo);
    });

    it('every one counts that may have been delivered', async () => {
      for (const [uuid, operation] of [
        ['sent', { phase: 'succeeded', messageUuid: 'message' }],
        ['under way', { phase: 'processing' }],
        ['lost', { phase: 'failed', failureCode: 'send_outcome_unknown' }],
      ] as const) {
        w.set(operationAggregate, uuid, operation);
        w.slots(anas, slot(uuid));
        expect(await w.code(), uuid).to.equal('duplicate_template_send');
      }
    });

    it('the cause that is left is named', async () => {
      w.failed('failed');
      w.slots(anas, slot('failed'), slot('sent'));
      const { details } = await refusalOf(checkGates(w.app, promo));
      expect(details['earlier_events']).to.deep.equal([{ operation_uuid: 'sent', at: iso(NOW - HOUR) }]);
    });

    it('as many are passed over as a refusal names, one refusal after the other', async () => {
      w.marketing({ perDay: 1 });
      const many = Array.from({ length: 30 }, (_, n) => slot(`failed ${n}`, otherThing));
      for (const { operationUuid } of many) w.failed(operationUuid);
      w.slots(today, ...many);
      await checkGates(w.app, promo);
      const more = Array.from({ length: 31 }, (_, n) => slot(`failed ${n}`, otherThing));
      w.failed('failed 30');
      w.slots(today, ...more);
      expect(await w.code()).to.equal('company_daily_marketing_cap_exceeded');
    });
  });

  describe('before the first attempt', () => {
    const recipient: Recipient = { uuid: 'ana', subject: 'subject of ana', contact: null };
    const pass = (over: Partial<Template>, name = order) => {
      w.set(templateAggregate, 'template', { exists: true, ...over });
      const { app } = w;
      const took = new Error('a slot is taken');
      const execute = async () => {
        throw took;
      };
      const taking = { ...app, executor: { ...app.executor, execute } } as unknown as App;
      const context = { commandId: 'command' } as CommandContext;
      return passGates(taking, 'operation', name, recipient, true, context).catch((error: unknown) => {
        if (error !== took) throw error;
        return 'passed';
      });
    };
    const reported = (status: string): Partial<Template> => ({
      definition: { ...initialTemplate.definition, status },
    });

    for (const [status, code] of [
      ['PAUSED', 'template_quality_blocked'],
      ['DISABLED', 'template_sends_disabled'],
      ['REJECTED', 'template_not_approved'],
    ] as const) {
      it(`a template that is ${status} ends in ${code}`, async () => {
        const { code: said, details } = await refusalOf(pass(reported(status)));
        expect(said).to.equal(code);
        expect(details).to.deep.equal({ name: 'order', language: 'pt_BR', status });
      });
    }

    it('a template that was removed is told as such, also when it was approved', async () => {
      const { code, details } = await refusalOf(pass({ ...reported('APPROVED'), removed: true }));
      expect([code, details['status']]).to.deep.equal(['template_not_approved', 'REMOVED']);
    });

    it('an approved template, and one that no stream knows, goes on to its slot', async () => {
      expect(await pass(reported('APPROVED'))).to.equal('passed');
      expect(await pass({ exists: false })).to.equal('passed');
      expect(await pass(reported('APPROVED'), promo)).to.equal('passed');
    });
  });
});
