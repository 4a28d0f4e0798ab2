import { expect } from 'chai';
import {
  imageSources,
  imageUrl,
  readImageName,
  readImageUrl,
} from '../../../application/store/image-address.js';

const BASE = 'https://recado.example';
const hash = 'a'.repeat(64);

describe('public addresses of pictures', () => {
  it('name the picture by its bytes, and end as the type does', () => {
    expect(imageUrl(BASE, hash, 'image/jpeg')).to.equal(`${BASE}/store-images/${hash}.jpg`);
    expect(imageUrl(BASE, hash, 'image/webp', 600)).to.equal(`${BASE}/store-images/${hash}/600.webp`);
  });

  it('are read back as what they name', () => {
    expect(readImageUrl(BASE, imageUrl(BASE, hash, 'image/png'))).to.deep.equal({ hash, width: null });
    expect(readImageUrl(BASE, imageUrl(BASE, hash, 'image/webp', 200))).to.deep.equal({ hash, width: 200 });
    expect(readImageName(`/${hash}`)).to.deep.equal({ hash, width: null });
  });

  for (const url of [
    `https://evil.example/store-images/${hash}.jpg`,
    `${BASE}.evil.example/store-images/${hash}.jpg`,
    `${BASE}/store-images/${hash.slice(1)}.jpg`,
    `${BASE}/store-images/${hash.toUpperCase()}.jpg`,
    `${BASE}/store-images/${hash}.jpg?x=1`,
    `${BASE}/store-images/../media/${hash}`,
    `${BASE}/store-images/${hash}/0.webp`,
    `${BASE}/store-images/${hash}/200/300.webp`,
    `${BASE}/media/${hash}`,
  ]) {
    it(`${url} is none`, () => {
      expect(readImageUrl(BASE, url)).to.equal(null);
    });
  }

  it('give a page what a browser chooses from, narrowest first', () => {
    const rendition = (width: number) => ({
      hash: 'b'.repeat(64),
      content_type: 'image/webp',
      width,
      height: width,
    });
    const image = {
      hash,
      content_type: 'image/jpeg',
      width: 1600,
      height: 1600,
      renditions: [rendition(600), rendition(200)],
    };
    expect(imageSources(BASE, image)).to.deep.equal({
      src: `${BASE}/store-images/${hash}/600.webp`,
      srcset: `${BASE}/store-images/${hash}/200.webp 200w, ${BASE}/store-images/${hash}/600.webp 600w, ${BASE}/store-images/${hash}.jpg 1600w`,
      width: 1600,
      height: 1600,
    });
    expect(imageSources(BASE, { ...image, renditions: [] }).src).to.equal(`${BASE}/store-images/${hash}.jpg`);
  });
});
