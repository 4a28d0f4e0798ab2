/** Checks the licences in package-lock.json: each must allow the package to be shipped. */
import { expect } from 'chai';
import { text } from './files.js';

interface Package {
  readonly dev?: boolean;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const PERMISSIVE = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'Python-2.0',
];
/** Each is a shared library that can be replaced, or is for a system without an image of ours. */
const LIBVIPS = /^node_modules\/@img\/sharp-(libvips|wasm32|win32)/;
/** These packages use a licence field from before licence identifiers existed. Their licence is MIT. */
const LEGACY = ['node_modules/busboy', 'node_modules/streamsearch'];

describe('packages that are shipped', () => {
  const { packages } = JSON.parse(text('package-lock.json')) as {
    packages: Readonly<Record<string, Package>>;
  };
  const shipped = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);

  it('are under licences that allow it, and of the LGPL there is only libvips', () => {
    expect(shipped).to.have.length.greaterThan(100);
    for (const [path, { license }] of shipped) {
      if (LEGACY.includes(path)) continue;
      const parts = (license ?? 'none').replaceAll(/[()]/g, '').split(/ (?:AND|OR) /);
      const allowed = LIBVIPS.test(path) ? [...PERMISSIVE, 'LGPL-3.0-or-later'] : [...PERMISSIVE, 'WTFPL'];
      expect(allowed, path).to.include.members(parts);
    }
  });

  it('have a multer that only the validator asks for, and that is never called', () => {
    const askers = Object.entries(packages).filter(
      ([, { dependencies }]) => 'multer' in (dependencies ?? {}),
    );
    expect(askers.map(([path]) => path)).to.deep.equal(['node_modules/express-openapi-validator']);
    expect(text('api/middleware/request-validator.ts')).to.include('fileUploader: false');
  });

  it('are listed in the image, once it has only them', () => {
    const dockerfile = text('deploy/Dockerfile');
    const [pruned, listed] = ['npm prune --omit=dev', 'node deploy/notice.mjs'].map((step) =>
      dockerfile.indexOf(step),
    );
    expect(pruned).to.be.greaterThan(0);
    expect(listed).to.be.greaterThan(pruned!);
    for (const word of ['libvips', 'GNU Lesser General Public License', 'sharp-libvips', 'multer'])
      expect(text('deploy/notice.mjs')).to.include(word);
  });
});
