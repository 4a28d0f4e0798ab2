/** The order in which the messages of a conversation are listed, and the view of a client that polls the list. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { systemClock } from '../../adapters/clock/system.js';
import { writeNote } from '../../application/conversations/commands.js';
import { encodeCursor } from '../../application/queries/cursor.js';
import { ask, type Answer } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import {
  addContact,
  addConversation,
  addInboundMessage,
  makeWorld,
  type World,
} from '../support/api/world.js';
import { opened } from '../support/opened.js';

type Row = Record<string, unknown>;
const START = Date.parse('2026-11-20T12:00:00.000Z');
const second = (n: number): string => new Date(START + n * 1_000).toISOString();

describe('the order of messages', () => {
  let now = START;
  const clock = { ...systemClock, now: () => now };
  const cursorSecret = randomBytes(32);
  const api = opened(() => makeApi({ parts: { clock }, cursorSecret }));
  let world: World;
  let phones = 0;
  before(async () => {
    world = await makeWorld(api.app);
  });

  async function thread() {
    const contact = await addContact(api.app, world, { phone: `+551198765${1_000 + (phones += 1)}` });
    const conversation = await addConversation(api.app, world, contact);
    const says = (text: string, sentAt: string) =>
      addInboundMessage(api.app, world, { contact, conversation }, { content: { text }, sent_at: sentAt });
    const notes = (text: string) =>
      writeNote(api.app, { conversationUuid: conversation, text, agentUuid: null }, { actor: 'test' });
    return { contact, conversation, says, notes };
  }
  const page = async (conversation: string, query = ''): Promise<Answer> => {
    const path = `/conversations/${conversation}/messages${query}`;
    const answer = await ask(api, 'GET', path, { key: world.key });
    expect(answer.status, answer.text).to.equal(200);
    return answer;
  };
  const words = ({ body }: Answer) =>
    (body.data as Row[]).map(({ content }) => (content as Row)['text'] as string);

  it("is WhatsApp's, however late and in whatever order it was delivered", async () => {
    const { conversation, says } = await thread();
    now = START + 7_200_000;
    for (const n of [3, 1, 5, 2, 4]) await says(`${n}`, second(n));
    expect(words(await page(conversation))).to.deep.equal(['5', '4', '3', '2', '1']);
    const shown = (await page(conversation)).body.data as Row[];
    expect(shown.map(({ sent_at }) => sent_at)).to.deep.equal([5, 4, 3, 2, 1].map(second));
  });

  it('has answers behind what they answer, also within one second', async () => {
    const { conversation, says, notes } = await thread();
    now = START + 10_100;
    await notes('asked');
    now = START + 10_700;
    await says('answer', second(10));
    await notes('answer to the answer');
    now = START + 11_000;
    await says('of the same second, told later', second(10));
    expect(words(await page(conversation)).reverse()).to.deep.equal([
      'asked',
      'answer',
      'answer to the answer',
      'of the same second, told later',
    ]);
  });

  it('is that of their recording within one millisecond, page by page', async () => {
    const { conversation, notes } = await thread();
    now = START + 20_000;
    const texts = Array.from({ length: 9 }, (_, n) => `note ${n}`);
    for (const text of texts) await notes(text);
    const found: string[] = [];
    let after = '';
    do {
      const answer = await page(conversation, `?limit=2${after}`);
      found.push(...words(answer));
      const cursor = answer.body.meta!.next_cursor;
      after = cursor === null ? '' : `&after=${cursor}`;
    } while (after !== '');
    expect(found).to.deep.equal([...texts].reverse());
  });

  it('shows what came late to who asks by the order of recording, each once', async () => {
    const { conversation, says } = await thread();
    now = START + 60_000;
    const empty = await page(conversation, '?order=recorded');
    expect(empty.body).to.deep.equal({ data: [], meta: { next_cursor: null } });
    await says('now', second(60));
    const first = await page(conversation, '?order=recorded&limit=10');
    expect(words(first)).to.deep.equal(['now']);
    const again = `?order=recorded&limit=1&after=${first.body.meta!.next_cursor}`;
    expect((await page(conversation, again)).body).to.deep.equal({ data: [], meta: first.body.meta });
    await says('an hour late', second(30 - 3_600));
    await says('also', second(59));
    const late = await page(conversation, again);
    expect(words(late)).to.deep.equal(['an hour late']);
    const rest = await page(conversation, `?order=recorded&after=${late.body.meta!.next_cursor}`);
    expect(words(rest)).to.deep.equal(['also']);
  });

  it('names the message that an answer or a reaction points at, also when that comes later', async () => {
    const { conversation, contact } = await thread();
    const say = (said: object) => addInboundMessage(api.app, world, { contact, conversation }, said);
    const asked = `wamid.${api.app.newId()}`;
    const answer = await say({ content: { text: 'sim' }, context: { id: asked, message_uuid: null } });
    const reaction = await say({
      type: 'reaction',
      content: { message_id: asked, message_uuid: null, emoji: '👍' },
    });
    const found = async (uuid: string) =>
      ((await page(conversation)).body.data as Row[]).find((row) => row['uuid'] === uuid)!;
    const replyTo = async () => (await found(answer))['reply_to'];
    expect(await replyTo()).to.deep.equal({ message_uuid: null, provider_message_id: asked });
    const question = await say({ content: { text: 'vem?' }, provider_message_id: asked });
    expect(await replyTo()).to.deep.equal({ message_uuid: question, provider_message_id: asked });
    expect((await found(reaction))['content']).to.include({ message_uuid: question });
  });

  it('refuses cursors of the other order, and those of releases that sorted by the time of recording', async () => {
    const { conversation, says } = await thread();
    await says('a', second(1));
    await says('b', second(2));
    const newest = (await page(conversation, '?limit=1')).body.meta!.next_cursor!;
    const recorded = (await page(conversation, '?limit=1&order=recorded')).body.meta!.next_cursor!;
    const old = encodeCursor(
      cursorSecret,
      { list: 'messages', companyUuid: world.company, filters: [conversation] },
      [second(2), '0198a6f0-3e01-7000-8000-000000000001'],
    );
    for (const query of [`after=${old}`, `after=${recorded}`, `order=recorded&after=${newest}`]) {
      const path = `/conversations/${conversation}/messages?${query}`;
      const { status, body } = await ask(api, 'GET', path, { key: world.key });
      expect([status, body.error?.code], query).to.deep.equal([422, 'invalid_cursor']);
    }
  });

  it('never failed in all of this', () => {
    expect(api.log.filter(({ level }) => level === 'error' || level === 'warn')).to.deep.equal([]);
  });
});
