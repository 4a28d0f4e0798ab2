/** What a browser has to load before it shows anything, and from where. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

const built = (name: string): Buffer => readFileSync(projectFile(`dist/console/${name}`));

describe('console: budget', () => {
  for (const language of ['en', 'pt'])
    it(`the script and its texts (${language}) stay below 90 KB, compressed`, () => {
      const sizes = ['app.js', `words.${language}.json`].map((name) => gzipSync(built(name)).length);
      expect(sizes[0]! + sizes[1]!).to.be.below(90 * 1024);
    });

  // Names of XML languages, which nobody loads; and a link that a person may follow.
  const NAMED = ['http://www.w3.org', 'https://wa.me'];

  it('script and style name no other host', () => {
    for (const name of ['app.js', 'app.css']) {
      const hosts = built(name)
        .toString()
        .match(/https?:\/\/[\w.-]+/g);
      expect((hosts ?? []).filter((host) => !NAMED.includes(host))).to.deep.equal([]);
    }
  });
});
