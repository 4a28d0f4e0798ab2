/** Every event version ever released can still be read: decoded, upcast and folded (test/fixtures/events). */
import { expect } from 'chai';
import { createCodec } from '../../application/codec.js';
import { aggregates, createRegistry } from '../../domain/catalog.js';
import { examples } from '../support/examples/all.js';
import { fold } from '../../domain/kernel/decider.js';
import type { DomainEvent } from '../../domain/kernel/event.js';
import {
  frozenKeys,
  frozenName,
  readFrozen,
  readManifest,
  sha256,
  type FrozenEvent,
} from '../support/frozen-events.js';

const registry = createRegistry();
const files = readFrozen();
const manifest = readManifest();

describe('frozen events', () => {
  it('exist for every type and version up to the current one', () => {
    const expected = aggregates
      .flatMap((a) => [...a.events])
      .flatMap(({ type, version }) =>
        Array.from({ length: version }, (_, before) => frozenName(type, before + 1)),
      );
    const missing = expected.filter((name) => !files.has(name));
    expect(missing, 'run: npx tsx test/tools/freeze-events.ts').to.deep.equal([]);
  });

  it('are never edited, renamed or deleted', () => {
    const seen = Object.fromEntries([...files].map(([name, bytes]) => [name, sha256(bytes)]));
    expect(seen).to.deep.equal(manifest);
  });

  for (const [name, bytes] of files) {
    const { record, clear } = JSON.parse(bytes.toString('utf8')) as FrozenEvent;
    const owner = examples.find((e) => e.aggregate.events.some((d) => d.type === record.type));

    it(`${name} decodes, upcasts and folds`, async () => {
      expect(name).to.equal(frozenName(record.type, record.meta.schema_version));
      const [recorded] = await createCodec(registry, frozenKeys()).decodeAll<DomainEvent>([record]);
      const { event } = recorded!;
      registry.validate(event);
      expect(event.data).to.deep.equal(registry.upcast(record.type, record.meta.schema_version, clear));
      const { aggregate } = owner!;
      expect(fold(aggregate, [event])).to.be.an('object');
    });

    const personal = registry.personalFields(record.type);
    if (record.meta.schema_version === registry.definition(record.type)?.version) {
      // A change to the set of sealed fields needs a new version, because stored events keep the old set.
      it(`${name} seals the fields that are marked as personal today`, () => {
        const sealed = Object.keys(clear).filter((field) => !(field in record.data));
        expect([...personal].sort()).to.deep.equal(sealed.sort());
      });
    }
    if (personal.length === 0) continue;
    it(`${name} holds no personal value in the clear, and folds once erased`, async () => {
      expect(record.data).to.not.have.any.keys(...personal);
      const [recorded] = await createCodec(registry, frozenKeys({ erased: true })).decodeAll([record]);
      for (const field of personal) expect(recorded!.event.data[field], field).to.equal(null);
      for (const [field, value] of Object.entries(record.data)) {
        if (field !== 'sealed') expect(recorded!.event.data[field], field).to.deep.equal(value);
      }
      expect(fold(owner!.aggregate, [recorded!.event])).to.be.an('object');
    });
  }
});
