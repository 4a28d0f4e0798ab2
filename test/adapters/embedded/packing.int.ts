/** Documents that are compressed in the file, beside those that an earlier release wrote as text. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { Database } from '../../../adapters/embedded/driver.js';
import { pack, unpack } from '../../../adapters/embedded/packing.js';
import { checkFile } from '../../../adapters/embedded/peek.js';
import type { CollectionSpec } from '../../../ports/read-models.js';
import { STORED_TEXTS } from '../../../ports/stored-texts.js';
import { temporaryStore, type TemporaryStore } from '../../conformance/embedded.js';
import { filesWith } from '../../support/files-with.js';
import { runs } from '../../support/soak.js';

const letter = {
  company_uuid: 'c1',
  event_type: 'message.status.updated',
  body: JSON.stringify({ type: 'message.status.updated', data: { contact: { name: 'Ana do Sótão' } } }),
};

describe('packed documents', () => {
  it('are any text again, and far shorter where they are like those of webhooks', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 20_000 }), (text) => {
        expect(unpack(pack(text))).to.equal(text);
      }),
      { numRuns: runs(200) },
    );
    const text = JSON.stringify(letter);
    expect(pack(text).length).to.be.lessThan(text.length * 0.6);
  });

  it('are read with the texts that released documents were packed with', () => {
    const hashes = STORED_TEXTS.map((text) => createHash('sha256').update(text).digest('hex').slice(0, 16));
    // Never change one: add another.
    expect(hashes).to.deep.equal(['52531c5171888a49']);
    // A document as the first release with packed ones wrote it.
    const written = Buffer.from(
      'WKSMptkAw2hPJBsSXTUi6jJi6i+Uhjgi88CHBBzzEhVS8hWCD28uObw4H5LAagGBKjjD',
      'base64',
    );
    expect(JSON.parse(unpack(written))).to.deep.equal(letter);
  });

  it('that were damaged, cut off, or packed with a text of a later release are no JSON', () => {
    const packed = pack(JSON.stringify(letter));
    const flipped = Buffer.from(packed);
    flipped[packed.length - 1]! ^= 1;
    const unknown = Buffer.from(packed);
    unknown.writeUInt32BE(1, 2);
    for (const bytes of [flipped, unknown, packed.subarray(0, -9), packed.subarray(0, 3), Buffer.of()])
      expect(unpack(bytes)).to.equal('');
  });

  describe('in a file', () => {
    const text: CollectionSpec = { name: 'letters', version: 1, indexes: { by_type: ['event_type'] } };
    const packed: CollectionSpec = { ...text, packed: true };
    const query = { index: 'by_type', equals: [letter.event_type], order: 'asc', limit: 10 } as const;
    let temporary: TemporaryStore;
    beforeEach(async () => {
      temporary = await temporaryStore();
      const { readModels } = temporary.store;
      await readModels.define(text);
      await readModels.write('letters', [
        { id: 'kept', doc: letter, version: '1' },
        { id: 'written', doc: letter, version: '1' },
      ]);
      await temporary.restart();
      await temporary.store.readModels.define(packed);
      await temporary.store.readModels.write('letters', [
        { id: 'new', doc: letter, version: '1' },
        { id: 'written', doc: letter, version: '2' },
      ]);
    });
    afterEach(() => temporary.close());
    const look = <T>(sql: string): readonly T[] => {
      temporary.store.settle();
      const db = new Database(join(temporary.dataDir, 'recado.db'));
      try {
        return db.prepare<unknown[], T>(sql).pluck().all();
      } finally {
        db.close();
      }
    };
    const change = (sql: string): void => {
      temporary.store.settle();
      const db = new Database(join(temporary.dataDir, 'recado.db'));
      db.exec(sql);
      db.close();
    };

    it('stand beside those of an earlier release, and take their place when those are written', async () => {
      await temporary.restart();
      const { readModels } = temporary.store;
      await readModels.define(packed);
      const { documents } = await readModels.find('letters', query);
      expect(documents.map(({ id, doc }) => [id, doc])).to.deep.equal([
        ['kept', letter],
        ['new', letter],
        ['written', letter],
      ]);
      expect(
        (await readModels.scan('letters', { after: null, limit: 9, order: 'asc' })).map(({ text }) => text),
      ).to.deep.equal(Array(3).fill(JSON.stringify(letter)));
      const kinds = look<string>('SELECT typeof(doc) FROM rm_letters_v1 ORDER BY id');
      expect(kinds).to.deep.equal(['text', 'blob', 'blob']);
    });

    it('are not kept in memory: what was written or read is read from the file again', async () => {
      const versions = async () => {
        const found = await temporary.store.readModels.getMany('letters', ['new', 'kept']);
        return found.map(({ id, version }) => [id, version]);
      };
      const asStored = (version: string) => [
        ['new', version],
        ['kept', version],
      ];
      expect(await versions()).to.have.deep.members(asStored('1'));
      for (const version of ['7', '8']) {
        change(`UPDATE rm_letters_v1 SET version = '${version}'`);
        expect(await versions()).to.have.deep.members(asStored(version));
      }
    });

    it('are found damaged by doctor, and searched by what looks for a person that was erased', async () => {
      const file = join(temporary.dataDir, 'recado.db');
      expect(checkFile(file, true).damagedModels).to.deep.equal([]);
      change("DELETE FROM rm_letters_v1 WHERE id = 'kept'; PRAGMA wal_checkpoint(TRUNCATE)");
      expect(filesWith(temporary.dataDir, ['Ana do Sótão']), 'packed alone').to.include(file);
      change("UPDATE rm_letters_v1 SET doc = cast(substr(doc, 1, 40) AS BLOB) WHERE id = 'new'");
      expect(checkFile(file, true).damagedModels).to.deep.equal(['letters']);
    });
  });
});
