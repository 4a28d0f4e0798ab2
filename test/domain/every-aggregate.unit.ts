/** Properties that all aggregates share, tested with their examples and with invalid input. */
import { expect } from 'chai';
import fc from 'fast-check';
import { aggregates, createRegistry } from '../../domain/catalog.js';
import { examples } from '../support/examples/all.js';
import { EXAMPLE_NOW } from '../support/examples/example.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { fold } from '../../domain/kernel/decider.js';
import { isUuid } from '../../domain/kernel/ids.js';
import { runs } from '../support/soak.js';

const context = { now: EXAMPLE_NOW, newId: () => 'unused' };
const registry = createRegistry();

describe('every aggregate', () => {
  it('has examples, and no two share a stream category', () => {
    expect(examples.map((e) => e.aggregate.stream.category)).to.deep.equal(
      aggregates.map((a) => a.stream.category),
    );
    expect(new Set(aggregates.map((a) => a.stream.category)).size).to.equal(aggregates.length);
  });

  it('keeps the field name of the sealed box free', () => {
    for (const definition of registry.definitions) {
      expect(definition.schema['properties'], definition.type).to.not.have.property('sealed');
    }
  });

  for (const { aggregate, events, commands } of examples) {
    describe(aggregate.stream.category, () => {
      it('has an example of every event, each fit for its schema', () => {
        const shown = new Set(Object.values(events).map((event) => event.type));
        expect([...shown].sort()).to.deep.equal(aggregate.events.map((d) => d.type).sort());
        for (const event of Object.values(events)) registry.validate(event);
      });

      it('rejects an example with a field too many or one too few', () => {
        for (const event of Object.values(events)) {
          expect(() => registry.validate({ ...event, data: { ...event.data, extra: 1 } })).to.throw(
            event.type,
          );
          const [first] = Object.keys(event.data);
          if (first === undefined) continue;
          const { [first]: _dropped, ...rest } = event.data;
          expect(() => registry.validate({ ...event, data: rest })).to.throw(event.type);
        }
      });

      it('has no name, id or list before its first event', () => {
        for (const text of textsIn(aggregate.initial)) expect(DEFAULTS).to.include(text);
      });

      it('writes something for every example command, in events fit for their schema', () => {
        for (const [name, { given, command }] of Object.entries(commands)) {
          const written = aggregate.decide(command, fold(aggregate, given), context);
          expect(written, name).to.not.be.empty;
          for (const event of written) registry.validate(event);
        }
      });

      for (const [name, { given, command, notIdempotent, refusedAgain }] of Object.entries(commands)) {
        const rule = notIdempotent
          ? `writes twice, because ${notIdempotent}`
          : refusedAgain
            ? `is refused the second time: ${refusedAgain}`
            : 'writes nothing the second time';
        it(`${name}: ${rule}`, () => {
          const before = fold(aggregate, given);
          const after = fold(aggregate, aggregate.decide(command, before, context), before);
          if (refusedAgain) {
            expect(() => aggregate.decide(command, after, context))
              .to.throw(Refusal)
              .with.property('code', refusedAgain);
            return;
          }
          const again = aggregate.decide(command, after, context);
          if (notIdempotent) expect(again).to.not.be.empty;
          else expect(again).to.deep.equal([]);
        });
      }

      it('folds without touching its events or the state before', () => {
        for (const { given, command } of Object.values(commands)) {
          const before = deepFreeze(fold(aggregate, deepFreeze([...given])));
          const written = deepFreeze([...aggregate.decide(deepFreeze(command), before, context)]);
          fold(aggregate, written, before);
        }
      });

      it('evolves on any history whatsoever without throwing', () => {
        const names = aggregate.events.map((d) => d.type);
        const fields = [...new Set(aggregate.events.flatMap((d) => Object.keys(fieldsOf(d.schema))))];
        const event = fc.record({
          type: fc.oneof(fc.constantFrom(...names), fc.string()),
          data: fc.oneof(
            fc.dictionary(fc.constantFrom('unknown', ...fields), jsonWithTraps, { maxKeys: 12 }),
            fc.constantFrom(...Object.values(events).map((e) => e.data)),
          ),
        });
        fc.assert(
          fc.property(fc.array(event, { maxLength: 12 }), (history) => {
            expect(fold(aggregate, history)).to.be.an('object');
          }),
          { numRuns: runs(300) },
        );
      });

      it('leaves the state as it was on an event it does not know', () => {
        const state = fold(aggregate, Object.values(events));
        const unknown = { type: 'SomethingOfTheFuture', data: { status: 'odd' } };
        expect(aggregate.evolve(state, unknown)).to.equal(state);
      });

      it('names its streams by uuid and recognises only its own', () => {
        fc.assert(
          fc.property(fc.uuid(), (id) => {
            expect(aggregate.stream.match(aggregate.stream.toName(id))).to.equal(id);
          }),
          { numRuns: runs(20) },
        );
        for (const other of aggregates) {
          if (other.stream.category === aggregate.stream.category) continue;
          expect(aggregate.stream.match(other.stream.toName(fc.sample(fc.uuid(), 1)[0]!))).to.equal(
            undefined,
          );
        }
        expect(aggregate.stream.match(`${aggregate.stream.prefix}not-a-uuid`)).to.equal(undefined);
        expect(isUuid(aggregate.stream.prefix)).to.equal(false);
      });
    });
  }
});

/** JSON values, including objects that cannot be converted to text and names that every object inherits. */
const jsonWithTraps = fc.oneof(
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>({ toString: 1, valueOf: 1 }, '__proto__', 'constructor') },
);

/** Values in an aggregate's initial state, before any event. */
const DEFAULTS = [
  '',
  'outbound',
  'queued',
  'novo',
  'setup',
  'pt-BR',
  'cash',
  'DRAFT',
  'POSITIONAL',
  'UTC',

  'none',
  'disconnected',
  'open',
  'nothing',
];

const textsIn = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
};

function fieldsOf(schema: object): Readonly<Record<string, unknown>> {
  return (schema as { properties?: Record<string, unknown> }).properties ?? {};
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) deepFreeze(inner);
  }
  return value;
}
