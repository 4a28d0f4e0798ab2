/** What a browser has to load before it shows anything, and from where. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

const built = (name: string): Buffer => readFileSync(projectFile(`dist/console/${name}`));

describe('console: budget', () => {
  it('the script stays below 90 KB, compressed', () => {
    expect(gzipSync(built('app.js')).length).to.be.below(90 * 1024);
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
