/** Media from customers: fetched, stored, served under signed addresses, transcribed, and removed on erasure. */
import { expect } from 'chai';
import type { MediaFault } from '../../sandbox/media-files.js';
import { sampleFile } from '../../sandbox/media-samples.js';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { inboundMessageId } from '../../domain/message/decide.js';
import { messages } from '../../read-models/messages.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { DEMO_NUMBER, type MessageBody } from '../support/e2e/product.js';
import { startSpeechService, type SpeechService } from '../support/fakes/speech-service.js';

type File = {
  readonly media_status: string;
  readonly media_error: { readonly code: string } | null;
  readonly url: string | null;
  readonly url_expires_at: string | null;
  readonly size: number | null;
};
type Shown = MessageBody & { readonly transcript: string | null; readonly content: File };

const KINDS = ['image', 'audio', 'video', 'document', 'sticker'] as const;
const SAID = 'Oi, o pedido já saiu?';

describe('files of messages', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let speech: SpeechService;
  let people = 0;

  before(async () => {
    speech = await startSpeechService(SAID);
  });
  const product = openedWithReceiver(() => ({
    env: { TRANSCRIPTION_URL: speech.url, TRANSCRIPTION_API_KEY: 'speech-key' },
    driven: true,
  }));
  after(() => speech.close());

  const somebody = (): string => `+55119876510${String((people += 1)).padStart(2, '0')}`;

  /** Sends a file from a person; returns WhatsApp's id of the message. */
  function send(type: string, node: Readonly<Record<string, unknown>>, from = somebody()): string {
    return product.sandbox.receive({ phoneNumberId: DEMO_NUMBER, from, message: { type, [type]: node } });
  }
  function fileOf(bytes: Uint8Array, mimeType: string, faults: readonly MediaFault[] = []) {
    const { id, sha256 } = product.sandbox.media.put({ bytes, mimeType });
    product.sandbox.media.script(id, faults);
    return { id, sha256, mime_type: mimeType };
  }

  const uuidOf = (wamid: string): string => inboundMessageId(product.channel, wamid);
  /** The message as GET returns it. */
  async function shown(wamid: string): Promise<Shown | undefined> {
    const uuid = uuidOf(wamid);
    const doc = await product.app.readModels.get(messages.name, uuid);
    if (!doc) return undefined;
    const shown = await product.messages(doc.doc.conversation_uuid);
    return shown.find((message) => message.uuid === uuid) as Shown | undefined;
  }
  const settled = (wamid: string): Promise<Shown> =>
    eventually(
      async () => {
        const message = await shown(wamid);
        if (message && message.content.media_status !== 'pending') return message;
        throw new Error(JSON.stringify(message?.content ?? 'no message yet'));
      },
      { what: `the file of ${wamid}`, timeoutMs: 30_000, clock: product.clock },
    );
  const told = (type: string, wamid: string) => product.receiver.told<Shown>(type, wamid);
  const bytesAt = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());
  const codeIn = async (answer: Response): Promise<string> =>
    ((await answer.json()) as { error: { code: string } }).error.code;
  /** Makes the pending retry due now, repeatedly, until the message's media has this status. */
  const hurried = (wamid: string, status: string): Promise<Shown> =>
    eventually(async () => {
      const [received] = await product.app.store.read(`message-${uuidOf(wamid)}`, { limit: 1 });
      if (received) await product.app.dueTimes.reschedule('files', received.eventId, product.clock!.now());
      const found = await shown(wamid);
      return found?.content.media_status === status && found;
    });

  for (const kind of KINDS) {
    it(`${kind}: the very bytes, under an address that needs no key`, async () => {
      const wamid = send(kind, { id: `${kind}-of-a-person`, caption: 'olha' });
      const { content } = await settled(wamid);
      const { bytes, mimeType } = sampleFile(kind);
      expect(content).to.deep.include({ media_status: 'stored', media_error: null, size: bytes.length });
      const answer = await fetch(content.url!);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal(mimeType.split(';')[0]);
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).to.equal(true);
      const life = Date.parse(content.url_expires_at!) - product.clock!.now();
      expect(life).to.be.within(3_600_000 - 120_000, 3_600_000 + 900_000);
    });
  }

  it('webhooks give an address that lasts, from the first one on', async () => {
    const wamid = send(
      'image',
      fileOf(Buffer.from('\xff\xd8\xff photo', 'latin1'), 'image/jpeg', ['unavailable']),
    );
    const { content } = await told('message.received', wamid);
    expect(content).to.include({ media_status: 'pending', size: null });
    expect(Date.parse(content.url_expires_at!) - product.clock!.now()).to.be.greaterThan(6.9 * 86_400_000);
    const early = await fetch(content.url!);
    if (early.status !== 200) {
      expect(early.status).to.equal(503);
      expect(early.headers.get('retry-after')).to.equal('2');
      expect(await codeIn(early)).to.equal('media_pending');
    }
    await settled(wamid);
    expect((await bytesAt(content.url!)).toString('latin1')).to.equal('\xff\xd8\xff photo');
  });

  it('an audio message is heard, shown with its words and told', async () => {
    const bytes = Buffer.concat([sampleFile('audio').bytes, Buffer.from('a voice')]);
    const wamid = send('audio', { ...fileOf(bytes, 'audio/ogg; codecs=opus'), voice: true });
    const { transcript, content } = await told('message.transcribed', wamid);
    expect(transcript).to.equal(SAID);
    expect(content.media_status).to.equal('stored');
    // The webhook may be delivered before a GET of another process shows it.
    const heard = async () => (await shown(wamid))?.transcript === SAID;
    await eventually(heard, { what: 'the transcript', clock: product.clock });
    const spoken = speech.heard.filter(({ file }) => file.bytes.equals(bytes));
    expect(spoken).to.have.length(1);
    expect(spoken[0]).to.deep.include({
      path: '/v1/audio/transcriptions',
      authorization: 'Bearer speech-key',
      fields: { model: 'whisper-1', response_format: 'json' },
    });
    expect(spoken[0]!.file).to.include({ name: 'audio.ogg', type: 'audio/ogg' });
    // Sealed, like all content from a person: no event contains the words in plain text.
    const records = await product.app.store.read(`message-${uuidOf(wamid)}`);
    expect(records.map(({ type }) => type)).to.include('MessageTranscribed');
    expect(JSON.stringify(records)).to.not.include('pedido');
  });

  it('what went wrong once is fetched all the same', async () => {
    const node = fileOf(Buffer.from('GIF89a, after trouble'), 'image/gif', ['unavailable', 'cut', 'corrupt']);
    // Retries after a failure are seconds apart; the test makes the waiting rows due at once.
    const message = await hurried(send('image', node), 'stored');
    expect((await bytesAt(message.content.url!)).toString()).to.equal('GIF89a, after trouble');
  });

  for (const [fault, code] of [
    ['unknown', 'media_expired'],
    ['expired', 'media_expired'],
    ['corrupt', 'media_corrupt'],
    ['endless', 'media_too_large'],
  ] as const) {
    it(`${fault} files leave the message with ${code}, and its address says so`, async () => {
      const node = fileOf(Buffer.from('GIF89a'), 'image/gif');
      product.sandbox.media.script(node.id, [fault], { for: 'ever' });
      const wamid = send('image', node);
      const message = await hurried(wamid, 'failed');
      expect(message.content).to.deep.include({ url: null, url_expires_at: null, size: null });
      expect(message.content.media_error?.code).to.equal(code);
      const { content } = await told('message.received', wamid);
      const answer = await fetch(content.url!);
      expect([answer.status, await codeIn(answer)]).to.deep.equal([404, 'media_failed']);
    });
  }

  it('an erased person takes the files along, and nobody else’s', async () => {
    const bytes = Buffer.from('GIF89a sent by two');
    const [one, other] = [somebody(), somebody()];
    const theirs = send('image', fileOf(bytes, 'image/gif'), one);
    const others = send('image', fileOf(bytes, 'image/gif'), other);
    const gone = (await settled(theirs)).content.url!;
    const stays = (await settled(others)).content.url!;
    const uuid = uuidOf(theirs);
    const doc = await product.app.readModels.get(messages.name, uuid);
    const stored = (await product.app.store.read(`message-${uuid}`)).find(
      ({ type }) => type === 'MessageMediaStored',
    );
    const blob = String(stored!.data['blob']);
    expect(await product.app.blobs.has(blob)).to.equal(true);
    await eraseContact(product.app, { contactUuid: doc!.doc.contact_uuid }, { actor: 'test' });
    expect((await fetch(gone)).status).to.equal(404);
    expect(await product.app.blobs.has(blob)).to.equal(false);
    expect((await shown(theirs))?.content).to.deep.equal({});
    expect((await bytesAt(stays)).equals(bytes)).to.equal(true);
  });

  it('whether audio is heard is said by /readyz, and decides nothing', async () => {
    const { status, parts } = (await (await fetch(`${product.running.url}/readyz`)).json()) as {
      status: string;
      parts: Record<string, string>;
    };
    expect([status, parts['transcription']]).to.deep.equal(['ready', 'on']);
  });
});
