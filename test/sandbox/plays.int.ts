import { expect } from 'chai';
import { createRemoteControl } from '../../sandbox/remote-control.js';
import { DEMO_PHONE_NUMBERS } from '../../sandbox/seeds.js';
import type { Sandbox, SandboxOptions } from '../../sandbox/types.js';
import { RETRY_DELAYS_MS } from '../../sandbox/webhook-conduct.js';
import { verifyWebhookSignature } from '../../adapters/whatsapp/webhook-signature.js';
import type { Refusal } from '../../domain/kernel/refusal.js';
import type { OutboundMessage, Provider } from '../../ports/provider.js';
import { refusalOf } from '../application/provisioning/workspace.js';
import { closedPort } from '../support/closed-port.js';
import { steppingClock, type SteppingClock } from '../support/fakes/stepping-clock.js';
import { opened } from '../support/opened.js';
import { CREDENTIALS, text } from '../adapters/whatsapp/support.js';
import { answerOf, APP_SECRET, offer, type Receiver, sandboxes } from './support.js';

const { phoneNumberId } = CREDENTIALS;
const ANA = '+5511912345678';
const HOUR = 3_600_000;
type Row = Readonly<Record<string, unknown>>;

describe('sandbox: plays', () => {
  let clock: SteppingClock;
  let sandbox: Sandbox;
  let provider: Provider;

  const { kept, receiver, ...sandboxed } = sandboxes();
  const start = async (options: Partial<SandboxOptions> = {}): Promise<void> => {
    sandbox = await sandboxed.start({ clock, ...options });
    provider = sandboxed.client(sandbox);
  };
  beforeEach(() => {
    clock = steppingClock();
    return start();
  });

  const send = async (message: OutboundMessage) => answerOf(await provider.send(CREDENTIALS, message));
  const refusal = (name: string, body: Row): Promise<Refusal> => refusalOf(sandbox.play(name, body));
  /** Raw values of a webhook field, in order of arrival, once nothing is pending. */
  const values = async (field: string): Promise<Row[]> => {
    await sandbox.idle();
    return receiver.webhooks.flatMap(({ raw }) => {
      const { entry } = JSON.parse(raw.toString('utf8')) as {
        entry: { changes: { field: string; value: Row }[] }[];
      };
      return entry.flatMap(({ changes }) =>
        changes.filter((change) => change.field === field).map(({ value }) => value),
      );
    });
  };
  const settled = async (): Promise<Receiver['webhooks'][number]['updates'][number][]> => {
    await sandbox.idle();
    return receiver.updates();
  };
  const move = (play: string, more: Row = {}): Promise<Row> =>
    sandbox.play('template', { name: 'weekly_offers', language: 'pt_BR', move: play, ...more });

  describe('choices', () => {
    const buttons = [
      // The longest title that Meta accepts: an emoji counts as one character.
      { id: 'y', title: `Sim ${'x'.repeat(15)}👍` },
      { id: 'n', title: 'Não' },
    ];
    const rows = Array.from({ length: 10 }, (_, n) => ({
      id: `r${n}`,
      title: `Linha ${n}`,
      ...(n === 3 ? { description: 'x'.repeat(72) } : {}),
    }));
    const ask = async (content: OutboundMessage['content']): Promise<string> => {
      const outcome = await provider.send(CREDENTIALS, { to: { phone: ANA }, content, opaque: 'ask' });
      expect(outcome.kind, JSON.stringify(outcome)).to.equal('accepted');
      return outcome.kind === 'accepted' ? outcome.messageId : '';
    };
    const question = { type: 'interactive', text: 'Posso?' } as const;
    const withButtons = () => ask({ ...question, kind: 'buttons', buttons });
    const withList = () => ask({ ...question, kind: 'list', button: 'Opções', rows });
    const answers = async () =>
      (await settled()).flatMap((one) => (one.kind === 'message' ? [[one.context, one.content]] : []));

    it('of a message are told with the call', async () => {
      await withButtons();
      await withList();
      await ask({ type: 'text', text: 'Oi', previewUrl: false });
      const { calls } = (await sandbox.play('calls', {})) as { calls: readonly Row[] };
      expect(calls.map(({ choices }) => choices)).to.deep.equal([buttons, rows, []]);
      expect(calls.map(({ type, text: said }) => [type, said])).to.deep.equal([
        ['interactive', 'Posso?'],
        ['interactive', 'Posso?'],
        ['text', 'Oi'],
      ]);
    });

    it('are tapped by id, title or number, and say what they answer', async () => {
      const first = await withButtons();
      const said = await sandbox.play('tap', { from: ANA, choice: 'n' });
      expect(said).to.include({ reply_to: first, title: 'Não' });
      const second = await withList();
      await sandbox.play('tap', { from: ANA, choice: 'linha 3' });
      await sandbox.play('tap', { from: ANA, choice: '10' });
      await sandbox.play('tap', { from: ANA, choice: '2', message_id: first });
      expect(await answers()).to.deep.equal([
        [
          { from: '551140028922', id: first },
          { kind: 'button_reply', ...buttons[1] },
        ],
        [
          { from: '551140028922', id: second },
          { kind: 'list_reply', ...rows[3] },
        ],
        [
          { from: '551140028922', id: second },
          { kind: 'list_reply', ...rows[9] },
        ],
        [
          { from: '551140028922', id: first },
          { kind: 'button_reply', ...buttons[1] },
        ],
      ]);
    });

    it('that nobody was shown are refused', async () => {
      expect((await refusal('tap', { from: ANA, choice: '1' })).code).to.equal('not_found');
      await withButtons();
      expect((await refusal('tap', { from: '+5511955554444', choice: '1' })).code).to.equal('not_found');
      const unknown = await refusal('tap', { from: ANA, choice: 'Talvez' });
      expect([unknown.code, unknown.message]).to.deep.equal([
        'validation_failed',
        `The play is not valid: choice is not one of ${buttons[0]!.title}, Não.`,
      ]);
      expect((await refusal('tap', { from: ANA, choice: '3' })).code).to.equal('validation_failed');
    });
  });

  describe('customers', () => {
    const cases: readonly [name: string, body: Row, content: Row][] = [
      ['a text', { type: 'text', text: 'Oi' }, { type: 'text', content: { text: 'Oi' } }],
      [
        'a quick reply of a template',
        { type: 'button', text: 'Sim', payload: 'YES' },
        { type: 'button', content: { text: 'Sim', payload: 'YES' } },
      ],
      [
        'a button',
        { type: 'button_reply', id: 'y', title: 'Sim' },
        { type: 'interactive', content: { kind: 'button_reply', id: 'y', title: 'Sim' } },
      ],
      [
        'an order',
        { type: 'order', items: [{ product_retailer_id: 'SKU-1', quantity: 2, item_price: 10.5 }] },
        {
          type: 'order',
          content: {
            catalog_id: '700000000000001',
            items: [{ product_retailer_id: 'SKU-1', quantity: 2, item_price: 10.5, currency: 'BRL' }],
          },
        },
      ],
      [
        'a reaction',
        { type: 'reaction', message_id: 'wamid.1', emoji: '👍' },
        { type: 'reaction', content: { message_id: 'wamid.1', emoji: '👍' } },
      ],
      [
        'a reaction taken back',
        { type: 'reaction', message_id: 'wamid.1', emoji: null },
        { type: 'reaction', content: { message_id: 'wamid.1', emoji: null } },
      ],
      [
        'a poll, which the API does not pass on',
        { type: 'unsupported' },
        {
          type: 'unsupported',
          content: {
            kind: 'poll_creation',
            errors: [
              {
                code: 131051,
                title: 'Message type unknown',
                message: 'Message type unknown',
                details: 'Message type unknown.',
              },
            ],
          },
        },
      ],
      [
        'something of a later API',
        { type: 'raw', message: { type: 'hologram', hologram: { id: '1' } } },
        { type: 'unsupported', content: { kind: 'hologram', raw: { hologram: { id: '1' } } } },
      ],
    ];
    for (const [name, body, content] of cases) {
      it(`send ${name}`, async () => {
        const { message_id: messageId } = await sandbox.play('message', { from: ANA, ...body });
        const [update] = await settled();
        expect(update).to.deep.include({ kind: 'message', messageId, from: '5511912345678', ...content });
      });
    }

    it('send every kind of media, with what Meta says of each', async () => {
      for (const type of ['image', 'audio', 'video', 'document', 'sticker']) {
        await sandbox.play('message', { from: ANA, type, media_id: '77' });
      }
      const contents = (await settled()).map((update) => 'content' in update && update.content);
      expect(contents).to.have.length(5);
      for (const content of contents) expect(content).to.include({ media_id: '77' });
    });

    it('edit and delete on a number shared with the Business app; elsewhere Meta withholds it', async () => {
      const { message_id: original } = await sandbox.play('message', { from: ANA, type: 'text', text: 'a' });
      const edit = { from: ANA, type: 'edit', message_id: original, text: 'b' };
      const removal = { from: ANA, type: 'delete', message_id: original };
      await sandbox.play('message', edit);
      expect(await sandbox.play('message', removal)).to.deep.equal({ message_id: null });
      const withheld = await settled();
      expect(withheld.map(({ kind }) => kind)).to.deep.equal(['message', 'notice']);

      await sandbox.play('number', { business_app: true });
      await sandbox.play('message', edit);
      await sandbox.play('message', removal);
      const told = (await settled()).slice(2);
      expect(told).to.have.length(2);
      expect(told.find(({ kind }) => kind === 'edit')).to.deep.include({
        originalMessageId: original,
        by: 'contact',
        content: { text: 'b' },
      });
      expect(told.find(({ kind }) => kind === 'revoke')).to.deep.include({ originalMessageId: original });
    });

    it('without a phone are told by user id alone, also somebody who hides theirs', async () => {
      await sandbox.play('message', { from: 'BR.9f3a', type: 'text', text: 'Oi' });
      await sandbox.play('message', { from: ANA, hidden: true, type: 'text', text: 'Oi' });
      const updates = (await settled()).filter((update) => update.kind === 'message');
      expect(updates.map(({ from, fromUserId }) => [from, fromUserId])).to.have.deep.members([
        [null, 'BR.9f3a'],
        [null, 'BR.SANDBOX5511912345678'],
      ]);
    });

    it('change their phone or user id, in a system message without contacts', async () => {
      await sandbox.play('identity', { from: ANA, to: '+5521998765432' });
      await sandbox.play('identity', { from: 'BR.old', to: 'BR.new' });
      const updates = await settled();
      expect(updates).to.have.length(2);
      const phone = updates.find((update) => update.kind === 'identity' && update.waId !== null);
      expect(phone).to.deep.include({
        previousWaId: '5511912345678',
        waId: '5521998765432',
        previousUserId: 'BR.SANDBOX5511912345678',
        userId: 'BR.SANDBOX5521998765432',
      });
      const hidden = updates.find((update) => update.kind === 'identity' && update.waId === null);
      expect(hidden).to.deep.include({ previousUserId: 'BR.old', userId: 'BR.new', previousWaId: null });
      for (const value of await values('messages')) expect(value).to.not.have.property('contacts');
    });

    it('stop and resume marketing by WhatsApp\u2019s own control', async () => {
      await sandbox.play('preference', { from: ANA, value: 'stop' });
      expect((await settled())[0]).to.deep.include({
        kind: 'preference',
        waId: '5511912345678',
        value: 'stop',
      });
    });
  });

  it('the Business app: echoes, edits of them, and history in chunks, last chunk first', async () => {
    const { message_id: echoed } = await sandbox.play('echo', { to: ANA, type: 'text', text: 'Já vai' });
    await sandbox.play('echo', { to: ANA, type: 'delete', message_id: echoed });
    const told = await settled();
    expect(told.find(({ kind }) => kind === 'echo')).to.deep.include({
      messageId: echoed,
      to: '5511912345678',
      content: { text: 'Já vai' },
    });
    expect(told.find(({ kind }) => kind === 'revoke')).to.deep.include({
      by: 'business_app',
      originalMessageId: echoed,
    });

    const messages = ['customer', 'business', 'customer'].map((from, index) => ({
      from,
      text: `m${index}`,
      hours_ago: 30 - index,
    }));
    expect(await sandbox.play('history', { with: ANA, messages, chunk_size: 2 })).to.deep.equal({
      chunks: 2,
    });
    const chunks = (await values('history')).map(({ history }) => (history as Row[])[0]?.['metadata']);
    expect(chunks).to.deep.equal([
      { phase: 0, chunk_order: 2, progress: 100 },
      { phase: 0, chunk_order: 1, progress: 50 },
    ]);
    const past = receiver.updates().flatMap((update) => (update.kind === 'history' ? update.messages : []));
    expect(past.map(({ direction }) => direction)).to.deep.equal(['inbound', 'inbound', 'outbound']);
  });

  describe('templates', () => {
    const titles = async (): Promise<unknown[]> =>
      (await values('message_template_status_update')).map(
        ({ event, other_info }) => `${String(event)} ${String((other_info as Row | undefined)?.['title'])}`,
      );

    it('are paused for 3 hours, then 6, then disabled, and come back by themselves in between', async () => {
      await move('pause');
      expect(await send(offer(ANA))).to.equal(132015);
      clock.leap(3 * HOUR - 60_000);
      expect(await send(offer(ANA))).to.equal(132015);
      clock.leap(60_000);
      expect(await send(offer(ANA))).to.equal('ok');
      await move('quality', { quality: 'RED' });
      expect(await send(offer(ANA))).to.equal(132015);
      clock.leap(6 * HOUR - 60_000);
      expect(await send(offer(ANA))).to.equal(132015);
      clock.leap(60_000);
      expect(await send(offer(ANA))).to.equal('ok');
      expect(await move('pause')).to.include({ status: 'DISABLED' });
      expect(await send(offer(ANA))).to.equal(132016);
      expect(await titles()).to.have.members([
        ...['PAUSED FIRST_PAUSE', 'APPROVED UNPAUSE', 'PAUSED SECOND_PAUSE', 'APPROVED UNPAUSE'],
        'DISABLED DISABLED',
      ]);
      expect((await values('message_template_quality_update'))[0]).to.include({ new_quality_score: 'RED' });
    });

    it('a pause ended by hand is not ended again while the next one lasts', async () => {
      await move('pause');
      await move('unpause');
      await move('pause');
      clock.leap(3 * HOUR);
      expect(await send(offer(ANA))).to.equal(132015);
    });

    it('are reviewed, rejected with a reason and appealed; other moves are refused', async () => {
      await move('submit');
      expect(await send(offer(ANA))).to.equal(132001);
      await move('reject', { reason: 'PROMOTIONAL' });
      await move('appeal');
      await move('approve');
      expect(await send(offer(ANA))).to.equal('ok');
      const refused = await refusalOf(move('approve'));
      expect(refused).to.deep.include({ code: 'template_state_invalid', details: { status: 'APPROVED' } });
      const rejected = (await values('message_template_status_update')).find(
        ({ event }) => event === 'REJECTED',
      );
      expect(rejected).to.include({ reason: 'PROMOTIONAL' });
    });

    it('change category at once, or after an announcement', async () => {
      await move('category', { category: 'UTILITY', in_hours: 24 });
      expect((await sandbox.play('info', {}))['templates']).to.deep.include({
        ...{ name: 'weekly_offers', language: 'pt_BR', status: 'APPROVED', category: 'MARKETING' },
        ...{ quality: 'UNKNOWN', held: false, pauses: 0 },
      });
      clock.leap(24 * HOUR);
      expect(sandbox.templates.find(({ name }) => name === 'weekly_offers')?.category).to.equal('UTILITY');
      const told = (await settled()).map((update) => update.kind === 'template' && update.category);
      expect(told).to.have.deep.members([
        { now: 'MARKETING', correct: 'UTILITY' },
        { now: 'UTILITY', correct: null },
      ]);
    });

    for (const [outcome, statuses] of [
      ['release', ['sent', 'delivered', 'read']],
      ['drop', ['failed']],
    ] as const) {
      it(`hold messages until "${outcome}"`, async () => {
        await move('hold');
        expect(await send(offer(ANA))).to.equal('ok');
        await sandbox.idle();
        expect(receiver.statusesOf(`offer-${ANA}`)).to.deep.equal([]);
        expect((await sandbox.play('info', {}))['waiting']).to.deep.equal({ faults: 0, held_messages: 1 });
        await move(outcome);
        await sandbox.idle();
        const told = receiver.statusesOf(`offer-${ANA}`);
        expect(told.map(({ status }) => status)).to.have.members(statuses);
        if (outcome === 'drop') {
          expect(told[0]?.errors[0]?.code).to.equal(132015);
          expect(await send(offer(ANA))).to.equal(132015);
          expect(await titles()).to.deep.equal(['PAUSED RATE_LIMITING_PAUSE']);
        }
      });
    }
  });

  describe('numbers', () => {
    it('quality and limit changes are told, and shown by the node', async () => {
      await sandbox.play('number', { quality: 'RED', messaging_limit: 'TIER_250' });
      await sandbox.play('number', { quality: 'YELLOW', throughput: 'HIGH' });
      const told = (await values('phone_number_quality_update')).map(({ event }) => event);
      expect(told).to.have.members(['FLAGGED', 'DOWNGRADE', 'UNFLAGGED', 'THROUGHPUT_UPGRADE']);
      const read = await provider.phoneNumber(CREDENTIALS);
      expect(read.ok && read.value).to.include({ qualityRating: 'YELLOW', messagingLimit: 'TIER_250' });
    });

    it('the messaging limit counts people opened by templates in a rolling day, on all numbers together', async () => {
      const [first] = DEMO_PHONE_NUMBERS;
      sandbox.putPhoneNumber({ ...first!, id: '20002', displayPhoneNumber: '+55 11 4002-8923' });
      for (const { id } of sandbox.phoneNumbers) {
        sandbox.setPhoneNumber(id, { messagingLimit: 'TIER_50', throughputLevel: 'HIGH' });
      }
      const person = (n: number): string => `+55119123400${String(n).padStart(2, '0')}`;
      for (let n = 0; n < 50; n += 1) expect(await send(offer(person(n))), String(n)).to.equal('ok');
      expect(await send(offer(person(50)))).to.equal(131048);
      const other = await provider.send({ ...CREDENTIALS, phoneNumberId: '20002' }, offer(person(51)));
      expect(other.kind === 'rejected' && other.error.code).to.equal(131048);
      // A person who was sent a template today can be sent another, and a person who wrote within a day does not count.
      expect(await send(offer(person(49)))).to.equal('ok');
      sandbox.reply({ phoneNumberId, from: person(50), text: 'Oi' });
      expect(await send(offer(person(50)))).to.equal('ok');
      clock.leap(24 * HOUR + 1);
      expect(await send(offer(person(52)))).to.equal('ok');
    });

    it('one person gets so many marketing templates a day; the others fail later with 131049', async () => {
      await sandbox.play('number', { marketing_per_person: 1 });
      expect(await send(offer(ANA))).to.equal('ok');
      expect(await send(offer(ANA))).to.equal('ok');
      await sandbox.idle();
      const told = receiver.statusesOf(`offer-${ANA}`);
      expect(told.map(({ status }) => status)).to.have.members(['sent', 'delivered', 'read', 'failed']);
      expect(told.find(({ status }) => status === 'failed')?.errors[0]?.code).to.equal(131049);
    });

    it('the service window can be closed for one number', async () => {
      expect(await send(text(ANA))).to.equal('ok');
      await sandbox.play('number', { service_window: true });
      expect(await send(text(ANA))).to.equal(131047);
      sandbox.reply({ phoneNumberId, from: ANA, text: 'Oi' });
      expect(await send(text(ANA))).to.equal('ok');
      clock.leap(24 * HOUR + 1);
      expect(await send(text(ANA))).to.equal(131047);
    });
  });

  describe('faults', () => {
    it('hit the next sends, or those to one person, and no others', async () => {
      await sandbox.play('fault', { code: 131000, times: 2 });
      await sandbox.play('fault', { to: ANA, code: 131026, until_cleared: true });
      const bob = '+5511987654321';
      expect([await send(text(bob)), await send(text(bob)), await send(text(bob))]).to.deep.equal([
        ...[131000, 131000, 'ok'],
      ]);
      for (let n = 0; n < 3; n += 1) expect(await send(text(ANA))).to.equal(131026);
      await sandbox.play('clear-faults', {});
      expect(await send(text(ANA))).to.equal('ok');
    });

    it('can fail later, lose the answer of an accepted send, and choose statuses', async () => {
      await sandbox.play('fault', { failed_code: 131049 });
      expect(await send(text(ANA, 'late'))).to.equal('ok');
      await sandbox.play('fault', { answer: 'reset' });
      expect((await provider.send(CREDENTIALS, text(ANA, 'lost'))).kind).to.equal('unknown');
      expect(sandbox.calls.at(-1)).to.include({ accepted: true, sequence: 2 });
      await sandbox.play('fault', { statuses: ['read', 'sent'] });
      await send(text(ANA, 'order'));
      await sandbox.idle();
      expect(receiver.statusesOf('late').map(({ errors }) => errors[0]?.code)).to.deep.equal([131049]);
      expect(receiver.statusesOf('lost')).to.have.length(3);
      expect(receiver.statusesOf('order').map(({ status }) => status)).to.have.members(['read', 'sent']);
    });
  });

  describe('webhooks', () => {
    const ids = (): string[] =>
      receiver.updates().flatMap((update) => ('messageId' in update ? [update.messageId] : []));
    const write = (n: number): string => sandbox.reply({ phoneNumberId, from: ANA, text: `mensagem ${n}` });

    it('gather into one POST, turned round, and come in copies', async () => {
      await sandbox.play('webhooks', { gather_ms: 20, reversed: true, copies: 1 });
      const written = [write(1), write(2), write(3)];
      await sandbox.idle();
      expect(receiver.webhooks).to.have.length(2);
      expect(ids()).to.deep.equal([...written, ...written].reverse());
      expect(receiver.webhooks[0]?.raw.equals(receiver.webhooks[1]!.raw)).to.equal(true);
    });

    it('are signed wrongly as often as told, then rightly', async () => {
      await sandbox.play('webhooks', { wrong_signatures: 1 });
      receiver.answerNext(401);
      await start({ webhookRetryDelaysMs: [1] });
      await sandbox.play('webhooks', { wrong_signatures: 1 });
      write(1);
      await sandbox.idle();
      const verified = receiver.webhooks.map(({ raw, signature }) =>
        verifyWebhookSignature(raw, signature, APP_SECRET),
      );
      expect(verified).to.deep.equal([false, true]);
    });

    it('wait as long as told', async () => {
      await sandbox.play('webhooks', { delay_ms: HOUR });
      const id = write(1);
      expect(receiver.webhooks).to.have.length(0);
      clock.leap(HOUR);
      await sandbox.idle();
      expect(ids()).to.deep.equal([id]);
    });

    it('are repeated for seven days, never more often as time goes on', () => {
      const days = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0) / (24 * HOUR);
      expect(days).to.be.within(6.9, 8);
      expect(RETRY_DELAYS_MS).to.deep.equal([...RETRY_DELAYS_MS].sort((a, b) => a - b));
    });
  });

  it('tells of a play what is wrong with it', async () => {
    expect((await refusal('dance', {})).code).to.equal('not_found');
    const missing = await refusal('message', { from: ANA, type: 'reaction' });
    expect(missing.details['fields']).to.deep.include({
      path: 'message_id',
      code: 'required',
      message: "must have required property 'message_id'",
    });
    const unknown = await refusal('number', { qualty: 'RED' });
    expect(unknown.details['fields']).to.deep.include.members([
      { path: 'qualty', code: 'additionalProperties', message: 'must NOT have additional properties' },
    ]);
    expect((await refusal('message', { from: 'x', type: 'text', text: 'a' })).code).to.equal(
      'validation_failed',
    );
    expect((await refusal('number', { phone_number_id: '404' })).code).to.equal('not_found');
  });

  it('lists calls with what the person reads', async () => {
    await send(offer(ANA));
    await send(text('+5511987654321'));
    const all = await sandbox.play('calls', {});
    expect(all['last']).to.equal(2);
    const mine = await sandbox.play('calls', { to: ANA });
    expect(mine['calls']).to.have.length(1);
    expect((mine['calls'] as Row[])[0]).to.include({
      text: 'Oi Ana! As ofertas da semana chegaram: tudo. Aproveite!',
      type: 'template',
      accepted: true,
    });
    expect((await sandbox.play('calls', { after: 2 }))['calls']).to.deep.equal([]);
  });

  describe('from another process', () => {
    const nobody = opened(closedPort);
    it('plays over HTTP what can be played here', async () => {
      await start({ controlToken: 'control' });
      const remote = kept(createRemoteControl(`${sandbox.url}/`, 'control'));
      const { message_id: messageId } = await remote.play('message', { from: ANA, type: 'text', text: 'Oi' });
      expect((await settled())[0]).to.include({ messageId });
      const { code, details } = await refusalOf(remote.play('message', { from: ANA, type: 'text' }));
      expect(code).to.equal('validation_failed');
      expect(details['fields']).to.have.length.greaterThan(0);
    });

    const codeOf = async (url: string, token = 'control'): Promise<unknown> => {
      const remote = kept(createRemoteControl(url, token));
      return remote.play('info', {}).then(
        () => null,
        (error: unknown) => (error as Refusal).code,
      );
    };

    it('does not hand its token to a server that is no sandbox, and says so', async () => {
      expect(await codeOf(sandbox.url), 'a sandbox without control').to.equal('sandbox_disabled');
      expect(await codeOf(receiver.url), 'another server').to.equal('sandbox_disabled');
      expect(receiver.webhooks, 'POSTs, which carry the token').to.deep.equal([]);
      await start({ controlToken: 'control' });
      expect(await codeOf(sandbox.url, 'other')).to.equal('sandbox_disabled');
      expect(await codeOf(sandbox.url)).to.equal(null);
      expect(await codeOf(`http://${nobody.address}`)).to.equal('unavailable');
    });

    it('nothing is played without the token', async () => {
      await start({ controlToken: 'control' });
      const answer = await fetch(`${sandbox.url}/sandbox/plays/message`, {
        method: 'POST',
        body: JSON.stringify({ from: ANA, type: 'text', text: 'x' }),
      });
      expect(answer.status).to.equal(401);
      expect(await settled()).to.deep.equal([]);
    });
  });
});
