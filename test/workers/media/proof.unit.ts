/** A file from WhatsApp is compared with its announcement before it is kept. */
import { expect } from 'chai';
import { openedForEach } from '../../support/opened.js';
import { customerFile, GIF, hashOf } from './customer-file.js';

describe('a file that is not what was announced', () => {
  const file = openedForEach(customerFile);
  const other = hashOf(Buffer.from('another'));
  for (const [what, content, announced] of [
    ['by the message', { sha256: other.toString('base64') }, null],
    ['by WhatsApp', { sha256: hashOf(GIF).toString('base64') }, other.toString('hex')],
  ] as const) {
    it(`${what} is asked for three times more`, async () => {
      file.whatsapp.description = { ...file.whatsapp.description, sha256: announced };
      const job = await file.comes('image', content);
      const delays = [];
      for (const tries of [1, 2, 3]) delays.push(await file.fetch(job, tries));
      expect(delays).to.deep.equal(
        [5_000, 10_000, 20_000].map((delayMs) => ({ kind: 'later', delayMs, reason: 'media_corrupt' })),
      );
      expect(await file.happened(job)).to.deep.equal([]);
      expect(await file.fetch(job, 4)).to.deep.equal({ kind: 'handled' });
      expect((await file.happened(job))[0]!.data).to.include({
        code: 'media_corrupt',
        message: 'What WhatsApp sent is not the file it announced.',
      });
    });
  }

  for (const [what, sha256] of [
    ['hex', hashOf(GIF).toString('hex')],
    ['hex in capitals', hashOf(GIF).toString('hex').toUpperCase()],
    ['base64', hashOf(GIF).toString('base64')],
    ['base64 without its end', hashOf(GIF).toString('base64').replace('=', '')],
  ] as const) {
    it(`is told from what was, by a hash in ${what}`, async () => {
      const job = await file.comes('image', { sha256 });
      await file.fetch(job, 4);
      expect((await file.happened(job)).map(({ type }) => type)).to.deep.equal(['MessageMediaStored']);
    });
  }

  it('since it is empty, says so', async () => {
    file.whatsapp.bytes = Buffer.alloc(0);
    const job = await file.comes('image', { sha256: hashOf(GIF).toString('hex') });
    await file.fetch(job, 4);
    expect((await file.happened(job))[0]!.data).to.include({
      code: 'media_empty',
      message: 'The file is empty.',
    });
  });

  for (const [type, contentType, content, kept] of [
    ['image', 'text/html; charset=utf-8', {}, false],
    ['image', 'application/json', {}, false],
    ['image', 'TEXT/plain', {}, false],
    ['image', 'image/gif; note=text/html', {}, true],
    ['image', 'application/octet-stream', {}, true],
    ['image', null, {}, true],
    ['document', 'text/html', {}, true],
    ['image', 'text/html', { sha256: hashOf(GIF).toString('hex') }, true],
  ] as const) {
    const proof = 'sha256' in content ? 'with a hash' : 'without a hash';
    it(`since it is a page: ${type} as ${contentType} ${proof} is ${kept ? 'kept' : 'refused'}`, async () => {
      file.whatsapp.contentType = contentType;
      const job = await file.comes(type, content);
      await file.fetch(job, 4);
      expect((await file.happened(job)).map(({ type: kind }) => kind)).to.deep.equal([
        kept ? 'MessageMediaStored' : 'MessageMediaFailed',
      ]);
    });
  }
});
