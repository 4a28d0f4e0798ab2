import { expect } from 'chai';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';

describe('secret box', () => {
  const box = createSecretBox(Buffer.alloc(32, 1));

  it('opens what it sealed, and never seals alike twice', () => {
    for (const text of ['', 'a', 'ação \u{1F600}', 'x'.repeat(10_000)]) {
      const sealed = box.seal(text, 'here');
      expect(sealed).to.match(/^v1\.[A-Za-z0-9_-]+$/);
      expect(box.open(sealed, 'here')).to.equal(text);
      expect(box.seal(text, 'here')).to.not.equal(sealed);
    }
  });

  it('does not open with another key or context, altered, cut or of another format', () => {
    const sealed = box.seal('secret', 'here');
    expect(() => box.open(sealed, 'there')).to.throw(/does not open/);
    expect(() => createSecretBox(Buffer.alloc(32, 2)).open(sealed, 'here')).to.throw(/does not open/);
    for (let at = 3; at < sealed.length; at += 1) {
      const altered = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      // The last base64url character may contain unused bits; a change to those does not alter the bytes.
      if (Buffer.from(altered.slice(3), 'base64url').equals(Buffer.from(sealed.slice(3), 'base64url')))
        continue;
      expect(() => box.open(altered, 'here'), altered).to.throw(/does not open/);
    }
    expect(() => box.open(sealed.slice(0, 20), 'here')).to.throw(/too short/);
    expect(() => box.open('plain text', 'here')).to.throw(/unknown format/);
  });

  it('refuses a key of the wrong size', () => {
    for (const size of [0, 16, 31, 33, 64])
      expect(() => createSecretBox(Buffer.alloc(size))).to.throw(/32 bytes/);
  });
});
