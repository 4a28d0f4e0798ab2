/** The inbound worker and updates that arrive early, twice, at once, or from people whose identity changes. */
import { expect } from 'chai';
import {
  lastInboundAt,
  serviceWindowOpen,
  SERVICE_WINDOW_MS,
} from '../../../application/conversation/service-window.js';
import { presentChannel } from '../../../application/resources/channel.js';
import { resolveConversation } from '../../../application/conversations/commands.js';
import { readWebhook } from '../../../workers/inbound/worker.js';
import { eventually } from '../../support/e2e/eventually.js';
import { executingWith } from '../../support/fakes/one-by-one.js';
import { OWN_PHONE, WABA, webhookOf } from '../../support/whatsapp-webhook.js';
import { LAST_TRY, startInbound } from './harness.js';
import { opened } from '../../support/opened.js';
import { channels } from '../../../read-models/channels.js';
import { messages } from '../../../read-models/messages.js';

let ids = 0;
const fresh = (): string => `wamid.TEST${(ids += 1)}`;
const person = (): string => `55119${String(20_000_000 + (ids += 1))}`;

const seconds = (ms: number): string => String(Math.floor(ms / 1000));
const message = (node: object): object =>
  webhookOf('messages', { messages: [{ id: fresh(), timestamp: seconds(Date.now()), ...node }] });
const text = (from: string, body: string, more: object = {}): object =>
  message({ from, type: 'text', text: { body }, ...more });
const echo = (to: string, body: string): object =>
  webhookOf('smb_message_echoes', {
    message_echoes: [
      { from: OWN_PHONE, to, id: fresh(), timestamp: seconds(Date.now()), type: 'text', text: { body } },
    ],
  });
const history = (user: string, messages: readonly object[]): object =>
  webhookOf('history', {
    history: [{ metadata: { phase: 0, chunk_order: 1, progress: 100 }, threads: [{ id: user, messages }] }],
  });
const edit = (from: string, original: string, body: string): object =>
  message({
    from,
    type: 'edit',
    edit: { original_message_id: original, message: { type: 'text', text: { body } } },
  });

describe('the inbound worker', function () {
  this.timeout(120_000);
  const inbound = opened(startInbound);
  after(async () => {
    expect(inbound.api.log.filter(({ level }) => level === 'error')).to.deep.equal([]);
  });

  const shown = async (id: string) => {
    const doc = await inbound.message(id);
    if (!doc) throw new Error(`there is no message ${id}`);
    return doc;
  };
  const conversationOf = async (id: string) => {
    const { conversation_uuid } = await shown(id);
    return (await inbound.conversations()).find(({ uuid }) => uuid === conversation_uuid)!;
  };

  describe('when a change comes before its message', () => {
    const revoke = (from: string, original: string) =>
      message({ from, type: 'revoke', revoke: { original_message_id: original } });
    const echoed = (node: object) =>
      webhookOf('smb_message_echoes', {
        message_echoes: [{ from: OWN_PHONE, id: fresh(), timestamp: seconds(Date.now()), ...node }],
      });

    it('keeps an edit at once, and applies it when the message is there', async () => {
      const [from, id] = [person(), fresh()];
      const { pointer } = await inbound.tell(edit(from, id, 'depois'));
      expect(await inbound.read(pointer, 1)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.message(id)).to.equal(undefined);
      expect(await inbound.deliver(text(from, 'antes', { id }))).to.deep.equal([]);
      expect(await shown(id)).to.deep.include({ content: { text: 'depois' } });
      expect(await inbound.read(pointer, 2)).to.deep.equal({ kind: 'handled' });
      expect(await shown(id)).to.deep.include({ content: { text: 'depois' } });
      expect(await inbound.parked(pointer)).to.deep.equal([]);
    });

    it('leaves nothing to be read of a message that was deleted before it came', async () => {
      const [from, id] = [person(), fresh()];
      expect(await inbound.deliver(edit(from, id, 'segredo'), LAST_TRY)).to.deep.equal([]);
      expect(await inbound.deliver(revoke(from, id), LAST_TRY)).to.deep.equal([]);
      await inbound.deliver(text(from, 'segredo', { id }));
      expect(await shown(id)).to.deep.include({ content: { deleted: true }, deleted_by: 'contact' });
    });

    it('looks for a message of the API first where the business wrote it, then keeps it too', async () => {
      const [to, id] = [person(), fresh()];
      const { pointer } = await inbound.tell(
        echoed({ to, type: 'revoke', revoke: { original_message_id: id } }),
      );
      expect(await inbound.read(pointer, 1)).to.include({ kind: 'later' });
      expect(await inbound.read(pointer, LAST_TRY)).to.deep.equal({ kind: 'handled' });
      expect(await inbound.parked(pointer)).to.deep.equal([]);
      await inbound.deliver(echoed({ to, id, type: 'text', text: { body: 'engano' } }));
      expect(await shown(id)).to.deep.include({ content: { deleted: true }, deleted_by: 'business_app' });
    });

    it('seals the words of an edit under the key of the person', async () => {
      const [from, id] = [person(), fresh()];
      await inbound.deliver(edit(from, id, 'palavra secreta'));
      const [kept] = (await inbound.events('MessageEditKept')).slice(-1);
      expect(JSON.stringify(kept)).to.not.include('palavra secreta');
      expect(kept!.data).to.have.property('sealed');
    });

    it('keeps nothing else of the webhook waiting', async () => {
      const [from, id] = [person(), fresh()];
      const both = webhookOf('messages', {
        statuses: [{ id: fresh(), status: 'read', timestamp: '1767225599', recipient_id: from }],
        messages: [{ id, from, timestamp: '1767225599', type: 'text', text: { body: 'oi' } }],
      });
      const { pointer } = await inbound.tell(both);
      expect(await inbound.read(pointer, 1)).to.include({ kind: 'later' });
      expect(await shown(id)).to.deep.include({ content: { text: 'oi' } });
    });
  });

  it('counts statuses of messages that other systems sent, and parks those that bear our own handle', async () => {
    const status = (more: object) =>
      webhookOf('messages', {
        statuses: [
          { id: fresh(), status: 'read', timestamp: '1767225599', recipient_id: person(), ...more },
          { id: fresh(), status: 'sent', timestamp: '1767225599', recipient_id: person(), ...more },
        ],
      });
    let counted = 0;
    const foreign = await inbound.tell(status({}));
    const count = { onForeign: (n: number) => void (counted += n) };
    expect(await readWebhook(inbound.app, foreign.pointer, 1, count)).to.include({ kind: 'later' });
    expect(counted).to.equal(0);
    await readWebhook(inbound.app, foreign.pointer, LAST_TRY, count);
    expect(counted).to.equal(2);
    expect(await inbound.parked(foreign.pointer)).to.deep.equal([]);
    const ours = await inbound.tell(status({ biz_opaque_callback_data: inbound.app.newId() }));
    await readWebhook(inbound.app, ours.pointer, LAST_TRY, count);
    expect(counted).to.equal(2);
    expect(await inbound.parked(ours.pointer)).to.have.length(2);
  });

  it("puts an answer behind what it answers, also when WhatsApp's clock is behind ours", async () => {
    const [from, asked, answered] = [person(), fresh(), fresh()];
    await inbound.deliver(text(from, 'e aí?', { id: asked }));
    const behind = { id: answered, timestamp: seconds(Date.now() - 60_000), context: { id: asked } };
    await inbound.deliver(text(from, 'respondo a mim', behind));
    const [question, answer] = [await shown(asked), await shown(answered)];
    expect(answer).to.include({ ordered_at: question.ordered_at });
    expect(answer.position > question.position).to.equal(true);
  });

  it('lets nobody change what the other side wrote', async () => {
    const [from, id] = [person(), fresh()];
    await inbound.deliver(text(from, 'minha', { id }));
    const revoked = webhookOf('smb_message_echoes', {
      message_echoes: [
        {
          from: OWN_PHONE,
          to: from,
          id: fresh(),
          timestamp: '1767225599',
          type: 'revoke',
          revoke: { original_message_id: id },
        },
      ],
    });
    expect(await inbound.deliver(revoked)).to.deep.equal([
      'revoke: the revoke is not by the one who wrote the message',
    ]);
    expect(await shown(id)).to.deep.include({ content: { text: 'minha' }, deleted_at: null });
  });

  it('records a message once, however many processes read it at once, in however many webhooks', async () => {
    const [from, id] = [person(), fresh()];
    const body = text(from, 'uma vez', { id });
    const pointers = await Promise.all(
      [0, 1, 2].map(async (n) => (await inbound.tell({ ...body, batch: n })).pointer),
    );
    const reads = [...pointers, ...pointers].map(async (pointer) => {
      for (let tries = 1; (await inbound.read(pointer, tries)).kind === 'later'; tries += 1) {
        if (tries > 10) throw new Error('it never ends');
      }
      return inbound.parked(pointer);
    });
    for (const parked of await Promise.all(reads)) expect(parked).to.deep.equal([]);
    expect(await conversationOf(id)).to.deep.include({
      unread_count: 1,
      counters: { messages: 1, inbound: 1, outbound: 0, notes: 0 },
    });
  });

  it('does not bring a resolved conversation back for a message that is told again', async () => {
    const [from, id] = [person(), fresh()];
    const body = text(from, 'oi', { id });
    await inbound.deliver(body);
    const { uuid } = await conversationOf(id);
    await resolveConversation(inbound.app, { conversationUuid: uuid }, { actor: 'test' });
    await inbound.deliver({ ...body, batch: 2 });
    expect(await conversationOf(id)).to.include({ status: 'resolved', unread_count: 1 });
    const next = fresh();
    await inbound.deliver(text(from, 'mais uma', { id: next }));
    expect(await conversationOf(next)).to.include({ uuid, status: 'open', unread_count: 2 });
  });

  describe('knows people', () => {
    it('by their user id when they hide their phone later', async () => {
      const [from, user, open, hidden] = [person(), `BR.${fresh()}`, fresh(), fresh()];
      await inbound.deliver(text(from, 'com telefone', { id: open, from_user_id: user }));
      await inbound.deliver(
        message({ id: hidden, from_user_id: user, type: 'text', text: { body: 'sem telefone' } }),
      );
      expect((await shown(hidden)).contact_uuid).to.equal((await shown(open)).contact_uuid);
    });

    it('by their phone when it shows later', async () => {
      const [from, user, hidden, both, bare] = [person(), `BR.${fresh()}`, fresh(), fresh(), fresh()];
      await inbound.deliver(message({ id: hidden, from_user_id: user, type: 'text', text: { body: 'a' } }));
      await inbound.deliver(text(from, 'b', { id: both, from_user_id: user }));
      await inbound.deliver(text(from, 'c', { id: bare }));
      const { contact_uuid } = await shown(hidden);
      expect((await shown(both)).contact_uuid).to.equal(contact_uuid);
      expect((await shown(bare)).contact_uuid).to.equal(contact_uuid);
    });

    it('by the new number after they changed it', async () => {
      const [before, now, first, after] = [person(), person(), fresh(), fresh()];
      await inbound.deliver(text(before, 'antes', { id: first }));
      const system = { type: 'user_changed_number', wa_id: now, body: 'changed' };
      expect(await inbound.deliver(message({ from: before, type: 'system', system }))).to.deep.equal([]);
      await inbound.deliver(text(now, 'depois', { id: after }));
      expect((await shown(after)).contact_uuid).to.equal((await shown(first)).contact_uuid);
    });

    it('and does not mix two when the new number is somebody else’s already', async () => {
      const [one, two] = [person(), person()];
      await inbound.deliver(text(one, 'um'));
      await inbound.deliver(text(two, 'dois'));
      const system = { type: 'user_changed_number', wa_id: two, body: 'changed' };
      expect(await inbound.deliver(message({ from: one, type: 'system', system }))).to.deep.equal([
        'identity: the new number or user id already belongs to another contact',
      ]);
    });
  });

  describe('hears opt-outs', () => {
    const wishesSince = async (...bodies: readonly object[]) => {
      const before = (await inbound.wishes()).length;
      for (const body of bodies) await inbound.deliver(body);
      return (await inbound.wishes()).slice(before).map(({ to, source }) => `${to} by ${source}`);
    };

    it('in a whole message, built in or of the company, and their opposite', async () => {
      const from = person();
      const said = ['Parar!', 'VOLTAR', 'sair', 'não pare'];
      // WhatsApp's times are in whole seconds, and within one second stopping wins.
      const bodies = said.map((body, n) => text(from, body, { timestamp: String(1_767_225_600 + n) }));
      expect(await wishesSince(...bodies)).to.deep.equal([
        'stop by keyword',
        'resume by keyword',
        'stop by keyword',
      ]);
      const [last] = (await inbound.wishes()).slice(-1);
      const state = await inbound.app.readModels.get(messages.name, last!.message!);
      expect(state?.doc.contact_uuid).to.equal(last!.contact);
    });

    it('in a tapped button', async () => {
      const button = { payload: 'x', text: 'STOP' };
      expect(await wishesSince(message({ from: person(), type: 'button', button }))).to.deep.equal([
        'stop by keyword',
      ]);
    });

    it('once, however often the message is told', async () => {
      const body = text(person(), 'STOP');
      expect(await wishesSince(body, { ...body, batch: 2 })).to.deep.equal(['stop by keyword']);
    });

    it('not in what the business wrote, nor in what was said long ago', async () => {
      const from = person();
      const past = { id: fresh(), from, timestamp: '1764500000', type: 'text', text: { body: 'PARAR' } };
      expect(await wishesSince(echo(from, 'PARAR'), history(from, [past]))).to.deep.equal([]);
    });

    it('in WhatsApp’s refusal of a marketing message', async () => {
      const sent = echo(person(), 'promo');
      await inbound.deliver(sent);
      const id = `wamid.TEST${ids}`;
      const status = {
        id,
        status: 'failed',
        timestamp: '1767225599',
        errors: [{ code: 131050, title: 'User stopped marketing messages' }],
      };
      expect(await wishesSince(webhookOf('messages', { statuses: [status] }))).to.deep.equal([
        'stop by provider_131050',
      ]);
    });
  });

  describe('counts the service window', () => {
    const windowOf = async (id: string, now = Date.now()) => {
      const { contact_uuid } = await shown(id);
      return serviceWindowOpen(inbound.app, contact_uuid, inbound.channel, now);
    };

    it('from the customer’s last message, for 24 hours', async () => {
      const [from, id] = [person(), fresh()];
      const sent = Math.floor(Date.now() / 1000) * 1000 - 3_600_000;
      await inbound.deliver(text(from, 'oi', { id, timestamp: seconds(sent) }));
      expect(await windowOf(id)).to.equal(true);
      expect(await windowOf(id, sent + SERVICE_WINDOW_MS - 1)).to.equal(true);
      expect(await windowOf(id, sent + SERVICE_WINDOW_MS)).to.equal(false);
      expect(await conversationOf(id)).to.include({ last_inbound_at: new Date(sent).toISOString() });
    });

    it('not from a message that was under way for longer', async () => {
      const [from, id] = [person(), fresh()];
      await inbound.deliver(text(from, 'oi', { id, timestamp: seconds(Date.now() - 2 * SERVICE_WINDOW_MS) }));
      expect(await windowOf(id)).to.equal(false);
    });

    it('not from what the business wrote, a history or a reaction', async () => {
      const [from, past] = [person(), fresh()];
      const now = seconds(Date.now());
      await inbound.deliver(echo(from, 'oi'));
      await inbound.deliver(
        history(from, [{ id: past, from, timestamp: now, type: 'text', text: { body: 'oi' } }]),
      );
      await inbound.deliver(message({ from, type: 'reaction', reaction: { message_id: past, emoji: '👍' } }));
      expect(await windowOf(past)).to.equal(false);
      const { contact_uuid } = await shown(past);
      expect(await lastInboundAt(inbound.app, contact_uuid, inbound.channel)).to.equal(null);
      expect(await conversationOf(past)).to.deep.include({
        last_inbound_at: null,
        unread_count: 0,
        counters: { messages: 3, inbound: 2, outbound: 1, notes: 0 },
      });
    });

    it('also when the process ended between the message and the window', async () => {
      const [from, id] = [person(), fresh()];
      const body = text(from, 'oi', { id });
      // The write that opens the window fails once.
      const { executor } = inbound.app;
      const whole = { ...executor };
      const failing = executingWith(whole, (aggregate, uuid, command, context) =>
        context.commandId.endsWith('/window')
          ? Promise.reject(new Error('killed'))
          : whole.execute(aggregate, uuid, command, context),
      );
      Object.assign(executor, failing);
      const { pointer } = await inbound.tell(body);
      try {
        expect(await inbound.read(pointer, 1)).to.include({ kind: 'later', reason: 'killed' });
      } finally {
        Object.assign(executor, whole);
      }
      await eventually(() => inbound.message(id), { what: 'the message' });
      expect(await windowOf(id)).to.equal(false);
      expect(await inbound.read(pointer, 2)).to.deep.equal({ kind: 'handled' });
      expect(await windowOf(id)).to.equal(true);
      const [logged, ...more] = inbound.api.log.filter(({ level }) => level === 'error');
      expect([logged?.message, more]).to.deep.equal(['an update of a provider webhook failed', []]);
      (inbound.api.log as unknown[]).length = 0;
    });
  });

  describe('takes a history in', () => {
    it('with its media before or after their places', async () => {
      const [from, id] = [person(), fresh()];
      const image = { id: '77', mime_type: 'image/jpeg', sha256: 'x', caption: 'foto' };
      const media = { from, id, timestamp: '1764500000', type: 'image', image };
      const place = { from, id, timestamp: '1764500000', type: 'media_placeholder' };
      await inbound.deliver(webhookOf('history', { messages: [media] }));
      await inbound.deliver(history(from, [place]));
      expect(await shown(id)).to.deep.include({ type: 'image', direction: 'inbound' });
    });

    it('of a thousand messages, into one conversation, in its own time', async () => {
      const from = person();
      const start = 1_764_000_000;
      const messages = Array.from({ length: 1000 }, (_, n) => ({
        id: fresh(),
        ...(n % 2 === 0 ? { from } : { from: OWN_PHONE, to: from }),
        timestamp: String(start + n * 60),
        type: 'text',
        text: { body: `${n}` },
        history_context: { status: 'READ' },
      }));
      await inbound.deliver(history(from, messages));
      const conversation = await conversationOf(messages[0]!.id);
      const last = new Date((start + 999 * 60) * 1000).toISOString();
      expect(conversation).to.deep.include({
        unread_count: 0,
        last_message_at: last,
        last_activity_at: last,
        counters: { messages: 1000, inbound: 500, outbound: 500, notes: 0 },
      });
      // The conversation that is active today comes first.
      const [active] = await inbound.conversations();
      expect(active!.uuid).to.not.equal(conversation.uuid);
    });
  });

  it('asks WhatsApp about a number when something about it changed', async () => {
    inbound.whatsapp.number.qualityRating = 'RED';
    const value = { display_phone_number: OWN_PHONE, event: 'FLAGGED', current_limit: 'TIER_1K' };
    expect(await inbound.deliver(webhookOf('phone_number_quality_update', value))).to.deep.equal([]);
    const channel = await inbound.app.readModels.get(channels.name, inbound.channel);
    expect(channel?.doc.quality_rating).to.equal('RED');
  });

  it('applies bans and restrictions of the account, in the order they happened', async () => {
    const doc = async () => (await inbound.app.readModels.get(channels.name, inbound.channel))!.doc;
    const tell = (value: object, time: number) => {
      const body = webhookOf('account_update', value) as { entry: { time?: number }[] };
      body.entry[0]!.time = time;
      return inbound.deliver(body);
    };
    const restriction = { restriction_type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expiration: 4_102_444_800 };
    const restricted = { event: 'ACCOUNT_RESTRICTION', restriction_info: [restriction] };
    expect(await tell(restricted, 1_767_225_600)).to.deep.equal([]);
    expect((await doc()).restrictions).to.deep.equal([
      { type: 'RESTRICTED_BIZ_INITIATED_MESSAGING', expires_at: '2100-01-01T00:00:00.000Z' },
    ]);
    expect(presentChannel(await doc(), Date.now()).capabilities).to.deep.equal({
      send_text: true,
      send_template: false,
      start_flow: false,
    });
    const ban = (state: string) => ({ event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: state } });
    expect(await tell(ban('DISABLE'), 1_767_225_700)).to.deep.equal([]);
    expect((await doc()).status).to.equal('banned');
    expect(await tell(ban('REINSTATE'), 1_767_225_800)).to.deep.equal([]);
    expect((await doc()).status).to.equal('connected');
    // Received again, late.
    expect(await tell(ban('DISABLE'), 1_767_225_699)).to.deep.equal([]);
    expect((await doc()).status).to.equal('connected');
    expect(await tell({ ...restricted, restriction_info: [] }, 1_767_225_900)).to.deep.equal([]);
    expect((await doc()).restrictions).to.deep.equal([]);
  });

  it('parks what concerns an account nobody has', async () => {
    const body = JSON.stringify(webhookOf('account_update', { event: 'ACCOUNT_DELETED' })).replace(
      WABA,
      '999',
    );
    expect(await inbound.deliver(body)).to.deep.equal([
      'account: no channel belongs to this WhatsApp account or number',
    ]);
  });
});
