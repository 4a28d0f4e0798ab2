/** Generated images in every format: intact, broken, too large and disguised. */
import { expect } from 'chai';
import sharp, { type Sharp } from 'sharp';
import { formatOf, isWholeGif } from '../../../adapters/images/file-format.js';
import { createImageDecoder, RENDITION_WIDTHS } from '../../../adapters/images/sharp.js';
import { ImageRefused } from '../../../ports/image-decoder.js';
import { hollowPng } from '../../support/hollow-png.js';

const decoder = createImageDecoder({ parallel: 2 });

/** Not uniform, so that truncating a file loses pixels. */
function pixels(width: number, height: number): Sharp {
  const bytes = Buffer.alloc(width * height * 3);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 2654435761) >>> 13;
  return sharp(bytes, { raw: { width, height, channels: 3 } });
}

const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const;
const madeOf = (format: (typeof FORMATS)[number], width: number, height: number): Promise<Buffer> =>
  pixels(width, height).toFormat(format).toBuffer();

async function moving(width: number, height: number, frames: number): Promise<Buffer> {
  const { data } = await pixels(width, height * frames)
    .raw()
    .toBuffer({ resolveWithObject: true });
  const raw = { width, height: height * frames, channels: 3 as const, pageHeight: height };
  return sharp(data, { raw })
    .gif({ delay: Array<number>(frames).fill(100) })
    .toBuffer();
}

async function refusalOf(bytes: Buffer): Promise<string> {
  try {
    await decoder.decode(bytes);
  } catch (error) {
    expect(error).to.be.instanceOf(ImageRefused);
    return (error as Error).message;
  }
  throw new Error('it was taken');
}

describe('image decoder', () => {
  for (const format of FORMATS) {
    it(`takes a ${format}, and makes smaller copies, none of them enlarged`, async () => {
      const image = await decoder.decode(await madeOf(format, 700, 350));
      expect(image).to.include({ contentType: `image/${format}`, width: 700, height: 350 });
      expect((await sharp(image.bytes).metadata()).format).to.equal(format);
      expect(image.renditions.map(({ width, height }) => [width, height])).to.deep.equal([
        [200, 100],
        [600, 300],
      ]);
      for (const { bytes, contentType, width } of image.renditions) {
        expect(contentType).to.equal('image/webp');
        expect(await sharp(bytes).metadata()).to.include({ format: 'webp', width });
      }
    });

    it(`makes the same of the same ${format}`, async () => {
      const bytes = await madeOf(format, 300, 200);
      expect(await decoder.decode(bytes)).to.deep.equal(await decoder.decode(Buffer.from(bytes)));
    });

    it(`refuses a ${format} that breaks off, wherever`, async () => {
      const bytes = await madeOf(format, 320, 240);
      for (const part of [0.01, 0.1, 0.5, 0.9, 0.99]) {
        await refusalOf(bytes.subarray(0, Math.max(16, Math.floor(bytes.length * part))));
      }
    });

    it(`refuses every one of many broken ${format}s at once`, async () => {
      const bytes = await madeOf(format, 320, 240);
      const broken = bytes.subarray(0, Math.floor(bytes.length * 0.7));
      const outcomes = await Promise.allSettled(Array.from({ length: 24 }, () => decoder.decode(broken)));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.deep.equal([]);
    });
  }

  it('has all three renditions of a wide picture, and none of a small one', async () => {
    const wide = await decoder.decode(await madeOf('jpeg', 1300, 20));
    expect(wide.renditions.map(({ width }) => width)).to.deep.equal(RENDITION_WIDTHS);
    expect((await decoder.decode(await madeOf('png', 200, 200))).renditions).to.deep.equal([]);
    expect(await decoder.decode(await madeOf('png', 1, 1))).to.include({ width: 1, height: 1 });
  });

  it('copes with a picture that is far higher than wide', async () => {
    const { renditions } = await decoder.decode(await madeOf('png', 1201, 20_000));
    for (const { width, height } of renditions)
      expect(height)
        .to.be.at.most(4 * 1200)
        .and.above(width);
  });

  it('turns a picture upright and leaves out what else the file carries', async () => {
    const exif = { IFD0: { Copyright: 'SECRET-OWNER' }, IFD3: { GPSLatitude: '23/1 33/1 0/1' } };
    const bytes = await pixels(400, 300)
      .jpeg()
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .toBuffer();
    expect(bytes.includes('SECRET-OWNER')).to.equal(true);
    const image = await decoder.decode(
      Buffer.concat([bytes, Buffer.from('<script>behind the end</script>')]),
    );
    expect(image).to.include({ width: 300, height: 400 });
    expect(image.renditions[0]).to.include({ width: 200, height: 267 });
    for (const copy of [image, ...image.renditions]) {
      expect(copy.bytes.includes('SECRET-OWNER') || copy.bytes.includes('<script>')).to.equal(false);
      const { exif: kept, orientation, xmp } = await sharp(copy.bytes).metadata();
      expect([kept, orientation, xmp]).to.deep.equal([undefined, undefined, undefined]);
    }
  });

  it('keeps a GIF moving, with renditions that stand still', async () => {
    const image = await decoder.decode(await moving(250, 100, 5));
    expect(image).to.include({ contentType: 'image/gif', width: 250, height: 100 });
    expect(await sharp(image.bytes).metadata()).to.include({ pages: 5 });
    expect(await sharp(image.renditions[0]!.bytes).metadata()).to.include({ width: 200, height: 80 });
    expect((await sharp(image.renditions[0]!.bytes).metadata()).pages ?? 1).to.equal(1);
  });

  it('refuses a film that breaks off behind its first frame', async () => {
    const film = await moving(250, 100, 5);
    for (const part of [0.4, 0.7, 0.99]) {
      expect(await refusalOf(film.subarray(0, Math.floor(film.length * part)))).to.equal(
        'a GIF that breaks off',
      );
    }
  });

  it('shows the first frame of a film that has more pixels than a picture may have', async () => {
    const frame = await sharp({ create: { width: 2500, height: 2500, channels: 3, background: '#456' } })
      .gif()
      .toBuffer();
    // The same frame five times: repeats everything between the header and the trailer.
    const start = 13 + 3 * 2 ** ((frame[10]! & 7) + 1);
    const body = frame.subarray(start, -1);
    const film = Buffer.concat([frame.subarray(0, start), body, body, body, body, body, frame.subarray(-1)]);
    const image = await decoder.decode(film);
    expect(image).to.include({ width: 2500, height: 2500 });
    expect((await sharp(image.bytes).metadata()).pages ?? 1).to.equal(1);
  });

  it('takes 16 bits and transparency', async () => {
    const deep = await pixels(40, 30).ensureAlpha(0.5).toColourspace('rgb16').png().toBuffer();
    const image = await decoder.decode(deep);
    expect(await sharp(image.bytes).metadata()).to.include({ depth: 'uchar', hasAlpha: true });
  });

  describe('refuses', () => {
    it('a decompression bomb by its announced size, before it is unpacked', async () => {
      const bomb = hollowPng(50_000, 50_000);
      expect(bomb.length).to.be.below(2_000_000);
      expect(await refusalOf(bomb)).to.match(/pixel/);
    });

    it('more than 25 million pixels, and takes no fewer', async () => {
      const flat = (width: number, height: number) =>
        sharp({ create: { width, height, channels: 3, background: '#fff' } })
          .png({ compressionLevel: 1 })
          .toBuffer();
      expect(await refusalOf(await flat(5001, 5000))).to.match(/pixel/);
      expect(await decoder.decode(await flat(5000, 5000))).to.include({ width: 5000, height: 5000 });
    });

    for (const [what, bytes] of [
      ['nothing', Buffer.alloc(0)],
      ['HTML', Buffer.from('<!doctype html><html><body>404</body></html>')],
      [
        'SVG',
        Buffer.from(
          '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
        ),
      ],
      [
        'SVG behind an XML header',
        Buffer.from('<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'),
      ],
      ['PDF', Buffer.from('%PDF-1.7')],
      [
        'a PNG header and an SVG',
        Buffer.from('\x89PNG\r\n\x1a\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'latin1'),
      ],
      ['a JPEG header and HTML', Buffer.from('\xff\xd8\xff<html>', 'latin1')],
      ['a RIFF that is no WebP', Buffer.from('RIFF\x00\x00\x00\x00WAVE', 'latin1')],
      ['a GIF header alone', Buffer.from('GIF89a')],
    ] as const) {
      it(what, async () => {
        expect(await refusalOf(bytes)).to.not.equal('');
      });
    }

    for (const format of ['avif', 'tiff'] as const) {
      it(format, async () => {
        const bytes = await pixels(20, 20).toFormat(format).toBuffer();
        expect(await refusalOf(bytes)).to.equal('neither JPEG, PNG, WebP nor GIF');
      });
    }

    it('bytes that were flipped in the middle of a PNG', async () => {
      const bytes = Buffer.from(await madeOf('png', 200, 200));
      for (let at = bytes.length / 2; at < bytes.length / 2 + 40; at += 1) bytes[Math.floor(at)]! ^= 0x5a;
      await refusalOf(bytes);
    });
  });

  it('works on a bounded number at once, and on large ones alone', async () => {
    const many = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => decoder.decode(await madeOf('jpeg', 210 + n, 100))),
    );
    expect(many.map(({ width }) => width)).to.deep.equal([210, 211, 212, 213, 214, 215]);
  });
});

describe('file format', () => {
  it('is told by the first bytes alone', async () => {
    for (const format of FORMATS) expect(formatOf(await madeOf(format, 8, 8))).to.equal(format);
    expect(formatOf(Buffer.from('<svg/>'))).to.equal(null);
  });

  it('knows the end of a GIF', async () => {
    const gif = await moving(30, 20, 3);
    expect(isWholeGif(gif)).to.equal(true);
    for (let length = 0; length < gif.length; length += 7)
      expect(isWholeGif(gif.subarray(0, length))).to.equal(false);
    expect(isWholeGif(gif.subarray(0, -1))).to.equal(false);
  });
});
