/** Addresses, sealing, types and names of files. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { createByteBudget } from '../../../application/media/byte-budget.js';
import { dispositionOf, safeName, servedType } from '../../../application/media/file-type.js';
import { createMediaLinks } from '../../../application/media/links.js';
import { openFile, sealFile } from '../../../application/media/sealed.js';
import { mediaInAnswers, mediaInWebhooks } from '../../../application/media/present-media.js';

const companyUuid = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1001';
const messageUuid = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1008';
const ref = { companyUuid, messageUuid };
const links = createMediaLinks(randomBytes(32), () => 'https://recado.example');
const tokenOf = (url: string): string => url.slice('https://recado.example/media/'.length);

describe('addresses of files', () => {
  const expiresAt = Date.parse('2026-03-09T12:00:00.000Z');

  it('name company, message and end', () => {
    expect(links.read(tokenOf(links.urlFor(ref, expiresAt)))).to.deep.equal({ ...ref, expiresAt });
  });

  it('are good in no other spelling, and for nobody with another secret', () => {
    const token = tokenOf(links.urlFor(ref, expiresAt));
    const others = createMediaLinks(randomBytes(32), () => 'https://recado.example');
    expect(others.read(token)).to.equal(null);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_'), (at, letter) => {
        fc.pre(token[at] !== letter);
        expect(links.read(token.slice(0, at) + letter + token.slice(at + 1))).to.equal(null);
      }),
    );
    for (const odd of ['', token.slice(1), `${token}A`, `${token}=`, 'x'.repeat(94)]) {
      expect(links.read(odd), odd).to.equal(null);
    }
  });

  const message = (status: 'pending' | 'stored' | 'failed') => ({
    uuid: messageUuid,
    company_uuid: companyUuid,
    media: { status, size: status === 'stored' ? 3 : null, error: null },
  });

  it('stay the same for a quarter of an hour in answers, and are given for what is stored only', () => {
    const quarter = Date.parse('2026-03-02T12:00:00.000Z');
    const at = (now: number) => mediaInAnswers(links, () => now)(message('stored'))!;
    expect(at(quarter + 1)).to.deep.equal(at(quarter + 900_000));
    expect(at(quarter + 1).url_expires_at).to.equal('2026-03-02T13:15:00.000Z');
    expect(at(quarter + 900_001).url).to.not.equal(at(quarter + 1).url);
    for (const status of ['pending', 'failed'] as const) {
      expect(mediaInAnswers(links, () => quarter)(message(status))).to.include({
        url: null,
        url_expires_at: null,
      });
    }
  });

  it('depend in webhooks on the event alone, and are given while the file is on its way', () => {
    const show = mediaInWebhooks(links, '2026-03-02T12:00:00.123Z');
    expect(show(message('pending'))).to.deep.include({ url_expires_at: '2026-03-09T12:00:00.000Z' });
    expect(show(message('pending'))!.url).to.equal(show(message('stored'))!.url);
    expect(show(message('failed'))!.url).to.equal(null);
    expect(show({ ...message('stored'), media: null })).to.equal(null);
  });
});

describe('sealed files', () => {
  const file = { personKey: randomBytes(32), messageUuid, sha256: 'ab'.repeat(32) };
  const sealed = (bytes: Uint8Array, of = file): Buffer => {
    const copy = Buffer.from(bytes);
    sealFile(of, copy);
    return copy;
  };

  it('open again, in whole and in every part', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 200 }),
        fc.nat(200),
        fc.nat(200),
        (bytes, a, b) => {
          const from = Math.min(a, b, bytes.length);
          const to = Math.min(Math.max(a, b), bytes.length);
          const kept = sealed(bytes);
          const before = Buffer.from(kept);
          expect(openFile(file, kept, from, to).equals(Buffer.from(bytes.subarray(from, to)))).to.equal(true);
          expect(kept.equals(before)).to.equal(true);
        },
      ),
    );
    const large = randomBytes(3 * 1024 * 1024 + 7);
    expect(openFile(file, sealed(large), 0, large.length).equals(large)).to.equal(true);
    const middle = openFile(file, sealed(large), 1_048_570, 2_097_160);
    expect(middle.equals(large.subarray(1_048_570, 2_097_160))).to.equal(true);
  });

  it('are the same bytes each time, and share nothing between messages, people and files', () => {
    const bytes = Buffer.from('the same photo');
    expect(sealed(bytes).equals(sealed(bytes))).to.equal(true);
    expect(sealed(bytes).equals(bytes)).to.equal(false);
    const others = [
      { ...file, messageUuid: companyUuid },
      { ...file, personKey: randomBytes(32) },
      { ...file, sha256: 'cd'.repeat(32) },
    ];
    for (const other of others) expect(sealed(bytes, other).equals(sealed(bytes))).to.equal(false);
  });
});

describe('types of files', () => {
  const html = Buffer.from('<!DOCTYPE html><script>alert(1)</script>');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
  const jpeg = Buffer.from('\xff\xd8\xff\xe0', 'latin1');
  const zip = Buffer.from('PK\x03\x04', 'latin1');

  it('are what the bytes prove, not what the sender calls them', () => {
    expect(servedType('image', 'image/jpeg', jpeg)).to.equal('image/jpeg');
    expect(servedType('image', 'image/png', jpeg)).to.equal('image/jpeg');
    expect(servedType('image', 'image/jpeg', html)).to.equal('application/octet-stream');
    expect(servedType('image', 'image/svg+xml', svg)).to.equal('application/octet-stream');
    expect(servedType('document', 'text/html', html)).to.equal('application/octet-stream');
    expect(servedType('audio', 'audio/ogg; codecs=opus', Buffer.from('OggS'))).to.equal('audio/ogg');
    expect(servedType('document', 'application/pdf', Buffer.from('%PDF-1.4'))).to.equal('application/pdf');
    expect(servedType('nothing known', null, jpeg)).to.equal('application/octet-stream');
    expect(servedType('image', null, Buffer.alloc(0))).to.equal('application/octet-stream');
    const sheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    expect(servedType('document', sheet, zip)).to.equal(sheet);
    expect(servedType('document', 'application/java-archive', zip)).to.equal('application/zip');
  });

  it('decide what a browser shows and what it only saves', () => {
    expect(dispositionOf('image/jpeg')).to.equal('inline');
    expect(dispositionOf('audio/ogg')).to.equal('inline');
    expect(dispositionOf('application/pdf')).to.equal('attachment');
    expect(dispositionOf('application/octet-stream')).to.equal('attachment');
  });

  it('keep names without what leads elsewhere', () => {
    expect(safeName('../../etc/passwd')).to.equal('passwd');
    expect(safeName('C:\\Windows\\nota.pdf')).to.equal('nota.pdf');
    expect(safeName('nota\r\nX-Evil: 1.pdf')).to.equal('notaX-Evil 1.pdf');
    expect(safeName('foto\u202Egpj.exe')).to.equal('fotogpj.exe');
    expect(safeName('orçamento nº 7.pdf')).to.equal('orçamento nº 7.pdf');
    expect(safeName('.htaccess')).to.equal('htaccess');
    for (const nothing of ['', '..', '/', '\0', '...', null]) expect(safeName(nothing)).to.equal(null);
    const long = safeName(`${'á'.repeat(500)}.pdf`)!;
    expect([long.length, long.endsWith('.pdf')]).to.deep.equal([150, true]);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const safe = safeName(name);
        if (safe !== null) expect(safe).to.match(/^[^/\\\p{Cc}"]{1,300}$/u);
      }),
    );
  });
});

describe('the byte budget', () => {
  it('lets in what fits, in order, and what is larger than all of it alone', async () => {
    const budget = createByteBudget(10);
    const entered: string[] = [];
    const enter = async (name: string, bytes: number): Promise<() => void> => {
      const leave = await budget.take(bytes);
      entered.push(name);
      return leave;
    };
    const six = await enter('six', 6);
    const huge = enter('huge', 99);
    const one = enter('one', 1);
    await Promise.resolve();
    expect(entered).to.deep.equal(['six']);
    six();
    six();
    const leave = await huge;
    await Promise.resolve();
    expect(entered).to.deep.equal(['six', 'huge']);
    leave();
    (await one)();
    expect(entered).to.deep.equal(['six', 'huge', 'one']);
  });
});
