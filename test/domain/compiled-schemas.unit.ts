/** The validators that the build writes as code judge events as those that are compiled at a start. */
import { expect } from 'chai';
import { createRegistry, eventDefinitions } from '../../domain/catalog.js';
import { compiledSchemas } from '../../domain/compiled-schemas.js';
import { createSchemaRegistry, type SchemaRegistry } from '../../domain/kernel/schema-registry.js';
import { frozenName, readFrozen, type FrozenEvent } from '../support/frozen-events.js';

type Data = Readonly<Record<string, unknown>>;

describe('validators of events in the build', () => {
  const built = createRegistry();
  const compiled = createSchemaRegistry(eventDefinitions);
  const frozen = readFrozen();

  it('exist for every type, and for nothing else', function () {
    // The sources have none: the build makes them.
    if (!import.meta.url.includes('/dist/')) this.skip();
    expect(Object.keys(compiledSchemas).sort()).to.deep.equal(
      eventDefinitions.map(({ type }) => type).sort(),
    );
  });

  it('find the same faults, in the same words', () => {
    let refused = 0;
    for (const { type, version } of eventDefinitions) {
      const { clear } = JSON.parse(frozen.get(frozenName(type, version))!.toString('utf8')) as FrozenEvent;
      for (const data of [clear, ...spoiled(clear)]) {
        const said = faultOf(compiled, type, data);
        expect(faultOf(built, type, data), `${type} ${JSON.stringify(data)}`).to.equal(said);
        if (said !== null) refused += 1;
      }
    }
    expect(refused).to.be.greaterThan(eventDefinitions.length);
  });
});

/** The event without each of its fields, and with a value of another kind in each of them. */
const spoiled = (data: Data): readonly Data[] =>
  Object.keys(data).flatMap((name) => {
    const { [name]: _left, ...rest } = data;
    return [rest, { ...data, [name]: { not: 'this' } }, { ...data, [name]: -1.5 }, { ...data, [name]: 'x' }];
  });

function faultOf(registry: SchemaRegistry, type: string, data: Data): string | null {
  try {
    registry.validate({ type, data });
    return null;
  } catch (error) {
    return String(error);
  }
}
