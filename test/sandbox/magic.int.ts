import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { isValidPhoneNumber, parsePhoneNumber } from 'libphonenumber-js/max';
import { createWhatsAppProvider } from '../../adapters/whatsapp/client.js';
import { behaviourOf, ORDINARY, SCENARIOS } from '../../sandbox/magic.js';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { Sandbox } from '../../sandbox/types.js';
import { KNOWN_PROVIDER_CODES, provesNotAccepted } from '../../domain/policies/provider-errors.js';
import type { OutboundMessage, Provider, SendOutcome } from '../../ports/provider.js';
import { eventually } from '../support/e2e/eventually.js';
import { steppingClock } from '../support/fakes/stepping-clock.js';
import { CREDENTIALS, text } from '../adapters/whatsapp/support.js';
import { APP_SECRET, offer, type Receiver, startReceiver } from './support.js';
import { projectFile } from '../support/root.js';

const SENDABLE_CODES = KNOWN_PROVIDER_CODES.filter((code) => code < 140_000);
const numberFor = (mode: number, argument: number | string, area = 11): string =>
  `+55${area}9${mode}${String(argument).padStart(6, '0')}`;

describe('sandbox: numbers with a meaning', () => {
  let sandbox: Sandbox;
  let receiver: Receiver;
  let provider: Provider;
  const clock = steppingClock();

  before(async () => {
    receiver = await startReceiver();
    sandbox = await startSandbox({
      appSecret: APP_SECRET,
      webhookUrl: receiver.url,
      statusDelaysMs: { sent: 5, delivered: 15, read: 25 },
      slowAnswerMs: 60,
      // One POST at a time keeps webhooks in order, so that a reordering scenario cannot be mistaken for chance.
      webhookConcurrency: 1,
      enforceLimits: false,
    });
    provider = createWhatsAppProvider({
      baseUrl: sandbox.url,
      graphVersion: 'v25.0',
      timeouts: { totalMs: 20_000 },
      clock,
    });
  });

  after(async () => {
    await provider.close();
    await sandbox.close();
    await receiver.close();
  });

  const send = (phone: string): Promise<SendOutcome> => provider.send(CREDENTIALS, text(phone, phone));
  /** Statuses of everything sent to this number, once nothing is pending. */
  const statusesOf = async (phone: string): Promise<string[]> => {
    await sandbox.idle();
    return receiver.statusesOf(phone).map((update) => update.status);
  };
  const code = (outcome: SendOutcome): number | null =>
    outcome.kind === 'rejected' ? outcome.error.code : null;

  it('all are valid Brazilian mobile numbers, in any area code', () => {
    for (const area of [11, 21, 31, 85]) {
      for (const mode of [66, 67, 68]) {
        for (const known of SENDABLE_CODES) {
          const phone = numberFor(mode, known, area);
          expect(isValidPhoneNumber(phone), phone).to.equal(true);
          expect(parsePhoneNumber(phone).getType(), phone).to.equal('MOBILE');
        }
      }
      for (const scenario of Object.keys(SCENARIOS)) {
        expect(isValidPhoneNumber(numberFor(69, `${scenario}123`, area)), scenario).to.equal(true);
      }
    }
  });

  it('others are ordinary, also those that only look like it', () => {
    for (const key of [
      '5511912345678',
      '5511966483920',
      '5511969999000',
      '551166131026',
      '15551234567',
      'BR.66131026',
    ]) {
      expect(behaviourOf(key), key).to.equal(ORDINARY);
    }
  });

  it('66: refuses the call with any code, and our client reads each one', async () => {
    for (const known of [...SENDABLE_CODES, 200, 131_999]) {
      const outcome = await send(numberFor(66, known));
      const proven = outcome.kind === 'rejected' && provesNotAccepted(known, outcome.error.httpStatus);
      if (known === 2) expect(outcome.kind).to.equal('unknown');
      else expect(proven ? code(outcome) : outcome, String(known)).to.equal(known);
    }
    expect(await statusesOf(numberFor(66, 131026))).to.deep.equal([]);
    expect(sandbox.calls.at(-1)).to.include({ accepted: false, messageId: null, code: 131_999 });
  });

  it('67: accepts, then reports failure with any code', async () => {
    for (const known of SENDABLE_CODES) expect((await send(numberFor(67, known))).kind).to.equal('accepted');
    await sandbox.idle();
    for (const known of SENDABLE_CODES) {
      const [update, ...more] = receiver.statusesOf(numberFor(67, known));
      expect(more).to.deep.equal([]);
      expect(update).to.include({ status: 'failed', recipientUserId: null });
      expect(update?.errors[0]?.code).to.equal(known);
    }
  });

  it('68: refuses twice, then takes the message', async () => {
    const phone = numberFor(68, 130429);
    expect(code(await send(phone))).to.equal(130429);
    expect(code(await send(phone))).to.equal(130429);
    expect((await send(phone)).kind).to.equal('accepted');
    expect(await statusesOf(phone)).to.deep.equal(['sent', 'delivered', 'read']);
  });

  it('an ordinary number walks sent, delivered, read', async () => {
    expect((await send('+5511912345678')).kind).to.equal('accepted');
    expect(await statusesOf('+5511912345678')).to.deep.equal(['sent', 'delivered', 'read']);
  });

  it('every scenario is in the table of docs/sandbox.md, and the table has no other', () => {
    const table = readFileSync(projectFile('docs/sandbox.md'), 'utf8');
    const documented = [...table.matchAll(/9 69 (\d{3})/g)].map((match) => match[1]);
    expect([...new Set(documented)].sort()).to.deep.equal(Object.keys(SCENARIOS).sort());
  });

  const scenarios: readonly [string, SendOutcome['kind'], readonly string[]][] = [
    ['001', 'accepted', ['sent', 'delivered', 'read']],
    ['002', 'unknown', ['sent', 'delivered', 'read']],
    ['003', 'unknown', ['sent', 'delivered', 'read']],
    ['004', 'unknown', []],
    ['005', 'unknown', []],
    ['006', 'unknown', ['sent', 'delivered', 'read']],
    ['007', 'unknown', ['sent', 'delivered', 'read']],
    ['010', 'accepted', ['sent', 'sent', 'delivered', 'delivered', 'read', 'read']],
    ['011', 'accepted', ['read', 'delivered', 'sent']],
    ['012', 'accepted', ['sent', 'read']],
    ['013', 'accepted', []],
    ['014', 'accepted', ['sent']],
    ['015', 'accepted', ['sent', 'failed']],
    ['016', 'accepted', ['sent', 'delivered']],
    ['030', 'accepted', ['sent', 'delivered', 'read']],
  ];
  for (const [scenario, kind, statuses] of scenarios) {
    it(`69 ${scenario}: ${kind}, then ${statuses.join(', ') || 'nothing'}`, async () => {
      const phone = numberFor(69, `${scenario}777`);
      const sending = send(phone);
      if (scenario === '002') {
        // The sandbox never answers: the client gives up when its timeout has passed.
        await eventually(() => sandbox.calls.some(({ body }) => body['biz_opaque_callback_data'] === phone));
        await clock.advance(20_000);
      }
      expect((await sending).kind).to.equal(kind);
      expect(await statusesOf(phone)).to.deep.equal(statuses);
      const call = sandbox.calls.at(-1);
      expect(call?.accepted).to.equal(scenario !== '005');
    });
  }

  it('69 020 and 021: held by template pacing, then delivered or dropped with 132015', async () => {
    const released = offer(numberFor(69, '020001'), 'released');
    const dropped = offer(numberFor(69, '021001'), 'dropped');
    for (const message of [released, dropped]) {
      expect(await provider.send(CREDENTIALS, message)).to.include({ kind: 'accepted', held: true });
    }
    expect(await statusesOf(released.opaque)).to.deep.equal(['sent', 'delivered', 'read']);
    expect(await statusesOf(dropped.opaque)).to.deep.equal(['failed']);
    expect(receiver.statusesOf(dropped.opaque)[0]?.errors[0]?.code).to.equal(132015);
  });

  it('69 030: webhooks about a person who hides their phone carry the user id only', async () => {
    const phone = numberFor(69, '030001');
    await send(phone);
    await sandbox.idle();
    const userId = `BR.SANDBOX${phone.slice(1)}`;
    for (const status of receiver.statusesOf(phone)) {
      expect(status).to.include({ recipientId: null, recipientUserId: userId });
    }
    sandbox.reply({ phoneNumberId: CREDENTIALS.phoneNumberId, from: phone, text: 'oi', name: 'Bia' });
    await sandbox.idle();
    const reply = receiver
      .updates()
      .find((update) => update.kind === 'message' && update.fromUserId === userId);
    expect(reply).to.include({ from: null, profileName: 'Bia' });
    const toUserId: OutboundMessage = { ...text('', 'by-user-id'), to: { userId } };
    expect(await provider.send(CREDENTIALS, toUserId)).to.include({ kind: 'accepted', waId: null, userId });
    expect(await statusesOf('by-user-id')).to.deep.equal(['sent', 'delivered', 'read']);
  });

  it('69 040 to 043: the person answers, writes PARAR, or uses the native control', async () => {
    for (const scenario of ['040', '041', '042', '043']) await send(numberFor(69, `${scenario}001`));
    await sandbox.idle();
    const from = (scenario: string): string => numberFor(69, `${scenario}001`).slice(1);
    const texts = receiver
      .updates()
      .filter((update) => update.kind === 'message')
      .filter((update) => update.type === 'text')
      .map((update) => [update.from, update.content.text]);
    expect(texts).to.deep.include([from('040'), 'Oi! Recebi, obrigado 🙂']);
    expect(texts).to.deep.include([from('041'), 'PARAR']);
    const preferences = receiver.updates().filter((update) => update.kind === 'preference');
    expect(preferences.map((update) => [update.waId, update.value])).to.have.deep.members([
      [from('042'), 'stop'],
      [from('043'), 'resume'],
    ]);
  });

  it('area codes from 31 up answer a WhatsApp id without the ninth digit, and both forms are one person', async () => {
    const outcome = await provider.send(CREDENTIALS, text(numberFor(67, 131026, 31), 'with-nine'));
    expect(outcome).to.include({ kind: 'accepted', waId: '553167131026' });
    await provider.send(CREDENTIALS, { ...text('', 'learned'), to: { waId: '553167131026' } });
    expect(await statusesOf('with-nine')).to.deep.equal(['failed']);
    expect(await statusesOf('learned')).to.deep.equal(['failed']);
    expect(await provider.send(CREDENTIALS, text('+5521988887777'))).to.include({ waId: '5521988887777' });
  });
});
