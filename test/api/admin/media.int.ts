/** Files of messages in the operators' API: uploads for a reply, pictures made anew, and downloads. */
import { expect } from 'chai';
import sharp from 'sharp';
import { createImageDecoder } from '../../../adapters/images/sharp.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { mediaUploads } from '../../../read-models/media-uploads.js';
import { addChannel, addCustomer } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { addReceivedFile } from '../../support/received-file.js';
import { ADMIN_TOKEN, newChannel, newCompany, openAdmin } from './server.js';

const PDF = Buffer.from('%PDF-1.7 nota');
const NAME = '<img src=x onerror=alert(1)>\u202egpj.exe';

describe('admin: files of messages', function () {
  this.timeout(30_000);
  const decoder = createImageDecoder();
  const server = opened(() => openAdmin({ over: (app) => ({ ...app, images: { ...app.images, decoder } }) }));
  let company: string;
  let channel: string;
  let customer: Awaited<ReturnType<typeof addCustomer>>;
  let png: Buffer;

  before(async () => {
    company = await newCompany(server);
    channel = await newChannel(server, company);
    customer = await addCustomer(server.app, { company, channel }, { phone: '+5511987654321' });
    png = await sharp({ create: { width: 900, height: 60, channels: 3, background: '#0b6b53' } })
      .withExif({ IFD0: { Copyright: 'secret place' } })
      .png()
      .toBuffer();
  });

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(server.url + path, {
      ...init,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...(init.headers as Record<string, string>) },
    });
  async function upload(kind: string, type: string, bytes: Buffer, conversation = customer.conversation) {
    const answer = await ask(`/conversations/${conversation}/media?kind=${kind}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body: Uint8Array.from(bytes),
    });
    const body = (await answer.json()) as {
      readonly data?: Readonly<Record<string, unknown>>;
      readonly error?: { readonly code: string };
    };
    return { status: answer.status, data: body.data ?? {}, code: body.error?.code };
  }
  const send = (conversation: string, body: object, key: string) =>
    server.call('POST', `/conversations/${conversation}/messages`, body, undefined, {
      'idempotency-key': key,
    });
  const received = (file: Omit<Parameters<typeof addReceivedFile>[3], 'bytes'> & { bytes?: Buffer }) =>
    addReceivedFile(server.app, { company, channel }, customer, { bytes: png, ...file });

  it('hands a file to WhatsApp once, and a repeated call answers with the same upload', async () => {
    const first = await upload('image', 'image/png', png);
    expect(first.status).to.equal(201);
    expect(first.data).to.include({ kind: 'image', mime_type: 'image/png', size: png.length });
    const again = await upload('image', 'image/png; charset=binary', png);
    expect(again.data).to.deep.equal(first.data);
    const { documents } = await server.app.readModels.find(mediaUploads.name, {
      index: 'by_end',
      equals: [],
      order: 'asc',
      limit: 10,
    });
    expect(documents.map(({ doc }) => doc.upload_uuid)).to.deep.equal([first.data['upload_uuid']]);
    const known = server.sandbox.media.asked(documents[0]!.doc.media_id);
    expect(known, 'not fetched yet').to.deep.equal({ byId: 0, byAddress: 0 });
  });

  it('sends an upload by its uuid, with a caption; the file is then awaited like a received one', async () => {
    const { data } = await upload('document', 'application/pdf', PDF);
    const mark = await server.mark();
    const content = { upload_uuid: data['upload_uuid'], caption: 'A nota', filename: 'nota.pdf' };
    const answer = await send(customer.conversation, { type: 'document', content }, 'pdf');
    expect(answer.status, JSON.stringify(answer.body)).to.equal(202);
    const [accepted] = await server.eventsSince(mark);
    const sent = (accepted!.data as { readonly content: Readonly<Record<string, unknown>> }).content;
    expect(sent).to.include({ mime_type: 'application/pdf', caption: 'A nota', filename: 'nota.pdf' });
    expect(sent['media_id']).to.be.a('string');
    expect(sent).not.to.have.property('upload_uuid');
  });

  it('puts an upload above a template, and refuses one of another kind there', async () => {
    await server.call('POST', `/channels/${channel}/templates/sync`);
    const settings = { companyUuid: company, settings: { enabled: true } };
    await changeMarketingSettings(server.app, settings, { actor: 'admin' });
    const image = await upload('image', 'image/png', png);
    const pdf = await upload('document', 'application/pdf', PDF);
    const mark = await server.mark();
    const template = (uuid: unknown) => ({
      type: 'template',
      content: {
        name: 'new_collection',
        parameters: ['Ana'],
        header: { upload_uuid: uuid },
        buttons: [{ index: 0, value: 'azul' }],
      },
    });
    const sent = await send(customer.conversation, template(image.data['upload_uuid']), 'template');
    expect(sent.status, JSON.stringify(sent.body)).to.equal(202);
    const accepted = (await server.eventsSince(mark)).find(({ type }) => type === 'SendAccepted');
    expect(accepted?.data).to.have.nested.property('components[0].parameters[0].id');
    const refused = await send(customer.conversation, template(pdf.data['upload_uuid']), 'template-pdf');
    expect([refused.status, refused.code]).to.deep.equal([422, 'template_parameters_invalid']);
  });

  it("refuses an upload of another kind, of another company's channel, and one that never was", async () => {
    const { data } = await upload('image', 'image/png', png);
    const other = await newCompany(server, 'Outra');
    const foreign = await addCustomer(
      server.app,
      { company: other, channel: server.app.newId() },
      { phone: '+5511987654399' },
    );
    const uploadUuid = String(data['upload_uuid']);
    for (const [conversation, type, uuid] of [
      [customer.conversation, 'document', uploadUuid],
      [customer.conversation, 'image', server.app.newId()],
      [foreign.conversation, 'image', uploadUuid],
    ] as const) {
      const answer = await send(conversation, { type, content: { upload_uuid: uuid } }, server.app.newId());
      expect([answer.status, answer.code]).to.deep.equal([422, 'validation_failed']);
      expect(JSON.stringify(answer.body)).to.include('content.upload_uuid').and.include('upload_not_found');
    }
    for (const content of [
      {},
      { caption: 'só' },
      { link: 'https://a.example/b.png', upload_uuid: uploadUuid },
    ]) {
      const answer = await send(customer.conversation, { type: 'image', content }, server.app.newId());
      expect([answer.status, answer.code], JSON.stringify(content)).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('refuses what WhatsApp would refuse later: type, size, and bytes of another type', async () => {
    const refused: readonly (readonly [string, string, Buffer, number, string])[] = [
      ['image', 'image/webp', png, 415, 'unsupported_media_type'],
      ['image', 'image/svg+xml', Buffer.from('<svg onload="alert(1)"/>'), 415, 'unsupported_media_type'],
      ['document', 'text/html', Buffer.from('<script>'), 415, 'unsupported_media_type'],
      ['image', 'image/jpeg', png, 422, 'validation_failed'],
      ['image', 'image/png', Buffer.alloc(5 * 1024 * 1024 + 1), 413, 'payload_too_large'],
      ['document', 'application/pdf', Buffer.alloc(0), 422, 'validation_failed'],
      ['sticker', 'image/webp', png, 422, 'validation_failed'],
    ];
    for (const [kind, type, bytes, status, code] of refused) {
      const answer = await upload(kind, type, bytes);
      expect([answer.status, answer.code], `${kind} ${type}`).to.deep.equal([status, code]);
    }
    const nowhere = await upload('image', 'image/png', png, server.app.newId());
    expect([nowhere.status, nowhere.code]).to.deep.equal([404, 'not_found']);
  });

  it('says why WhatsApp did not take a file, and keeps nothing of it', async () => {
    const { app } = server;
    const expired = await addChannel(app, company, '102290129340398', { token: 'EXPIRED' });
    const other = await addCustomer(app, { company, channel: expired }, { phone: '+5511987654377' });
    for (let n = 0; n < 2; n += 1) {
      const answer = await upload('image', 'image/png', png, other.conversation);
      expect([answer.status, answer.code]).to.deep.equal([422, 'provider_rejected']);
    }
  });

  it('shows a picture made anew: small, and without what else was in the file', async () => {
    const uuid = await received({ kind: 'image', mimeType: 'image/png' });
    const answer = await ask(`/messages/${uuid}/picture`);
    expect([answer.status, answer.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('cache-control')).to.equal('no-store');
    const bytes = Buffer.from(await answer.arrayBuffer());
    expect(await sharp(bytes).metadata()).to.include({ format: 'webp', width: 600 });
    expect(bytes.includes('secret place')).to.equal(false);
    expect(png.includes('secret place'), 'it was there').to.equal(true);
  });

  it('gives no picture of a file that only claims to be one', async () => {
    const page = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
    for (const uuid of [
      await received({ kind: 'image', bytes: page, mimeType: 'image/png' }),
      await received({ kind: 'document', mimeType: 'image/png' }),
      await received({ kind: 'image', bytes: png.subarray(0, png.length - 20), mimeType: 'image/png' }),
      server.app.newId(),
    ]) {
      const answer = await ask(`/messages/${uuid}/picture`);
      expect(answer.status).to.equal(404);
    }
  });

  it('gives the file as a download under a safe name, whole or in part, and nothing that a browser would run', async () => {
    const uuid = await received({
      kind: 'document',
      bytes: Buffer.from('0123456789'),
      mimeType: 'application/octet-stream',
      filename: NAME,
    });
    const whole = await ask(`/messages/${uuid}/file`);
    expect(whole.status).to.equal(200);
    expect(await whole.text()).to.equal('0123456789');
    expect(whole.headers.get('content-type')).to.equal('application/octet-stream');
    expect(whole.headers.get('content-security-policy')).to.include("default-src 'none'");
    const disposition = whole.headers.get('content-disposition') ?? '';
    expect(disposition).to.match(/^attachment; filename="[^"<>]*"; filename\*=UTF-8''[\w.%-]+$/);
    expect(disposition).not.to.include('%E2%80%AE');
    const part = await ask(`/messages/${uuid}/file`, { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text()]).to.deep.equal([206, '234']);
    expect(part.headers.get('content-range')).to.equal('bytes 2-4/10');
    const audio = await received({ kind: 'audio', bytes: Buffer.from('OggS'), mimeType: 'audio/ogg' });
    const sound = await ask(`/messages/${audio}/file`);
    expect(sound.headers.get('content-disposition')).to.match(/^attachment/);
  });

  it('shows nothing of a person who was erased, not even from memory', async () => {
    const leaving = await addCustomer(server.app, { company, channel }, { phone: '+5511987654388' });
    const place = { company, channel };
    const uuid = await addReceivedFile(server.app, place, leaving, {
      kind: 'image',
      bytes: png,
      mimeType: 'image/png',
    });
    expect((await ask(`/messages/${uuid}/picture`)).status).to.equal(200);
    await eraseContact(server.app, { contactUuid: leaving.contact }, { actor: 'admin' });
    expect((await ask(`/messages/${uuid}/picture`)).status).to.equal(404);
    expect((await ask(`/messages/${uuid}/file`)).status).to.equal(404);
  });
});
