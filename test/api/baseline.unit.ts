/** Integrations that were built on the first release of API 1.8.0 have to work with every later one. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { loadContract } from '../../api/contract.js';
import { servedContract } from '../../api/served-contract.js';
import { read, shapesOf, type Field, type Shapes } from '../support/contract/shapes.js';
import { projectFile } from '../support/root.js';

/** Written by test/tools/freeze-contract.ts from the contract of that release. */
const frozen = JSON.parse(readFileSync(projectFile('test/fixtures/contract/1.8.0.json'), 'utf8')) as {
  readonly shapes: readonly Readonly<Record<string, string>>[];
  readonly places: Readonly<Record<string, number>>;
};

const then: Shapes = Object.fromEntries(
  Object.entries(frozen.places).map(([place, index]) => [
    place,
    Object.fromEntries(Object.entries(frozen.shapes[index]!).map(([path, text]) => [path, read(text)])),
  ]),
);
const now = shapesOf(servedContract(loadContract().document));

/** Values that could never come, so that nobody misses them. */
const NEVER_CAME: readonly string[] = ['note', 'system_notice', 'store_order'].map(
  (type) => `POST message.deleted body data.message.type lost ${type}`,
);

const answersOf = (shapes: Shapes): readonly string[] =>
  Object.keys(shapes).filter((place) => /^[A-Z]+ \S+ \d+$/.test(place));

/** The requests of callers; webhooks are our own. */
const isRequest = (place: string): boolean => /^[A-Z]+ \//.test(place) && !/ \d+$/.test(place);

const missing = (from: readonly string[] | null, to: readonly string[] | null): readonly string[] =>
  to === null ? [] : from === null ? ['any value'] : from.filter((value) => !to.includes(value));

/** What a caller of that release would notice of one field. */
function broken(before: Field, after: Field, request: boolean): readonly string[] {
  if (request) {
    return [
      ...(after.required && !before.required ? ['is required now'] : []),
      ...(before.nullable && !after.nullable ? ['takes no null any more'] : []),
      ...missing(before.values, after.values).map((value) => `does not take ${value} any more`),
    ];
  }
  return [
    ...(before.required && !after.required ? ['may be missing now'] : []),
    ...(!before.nullable && after.nullable ? ['may be null now'] : []),
    ...(before.values === null ? [] : missing(before.values, after.values)).map((value) => `lost ${value}`),
  ];
}

function changes(older: Shapes, newer: Shapes): readonly string[] {
  const found: string[] = [];
  for (const [place, shape] of Object.entries(older)) {
    const later = newer[place];
    if (later === undefined) {
      found.push(`${place} is gone`);
      continue;
    }
    for (const [path, field] of Object.entries(shape)) {
      const after = later[path];
      const name = `${place} ${path}`;
      if (after === undefined) found.push(`${name} is gone`);
      else found.push(...broken(field, after, isRequest(place)).map((what) => `${name} ${what}`));
    }
    if (!isRequest(place)) continue;
    for (const [path, field] of Object.entries(later)) {
      const holder = path.replace(/(\.[^.[\]]+|\[\]|^[^.[\]]+)$/, '');
      if (
        shape[path] === undefined &&
        shape[holder] !== undefined &&
        field.required &&
        !path.endsWith('[]')
      ) {
        found.push(`${place} ${path} is required now`);
      }
    }
  }
  for (const place of Object.keys(newer).filter(isRequest)) {
    const [method, path] = place.split(' ');
    const operation = Object.keys(older).some((one) => one.startsWith(`${method} ${path} `));
    if (operation && older[place] === undefined && newer[place]!['']!.required) {
      found.push(`${place} is required now`);
    }
  }
  return found;
}

describe('API 1.8.0 as it was first released', () => {
  it('is kept: nothing is gone, newly required of callers, or newly missing or null in answers', () => {
    expect(answersOf(then)).to.have.length.above(200);
    expect(changes(then, now)).to.have.members(NEVER_CAME);
  });

  it('would be missed: each kind of change is found', () => {
    const at = (place: string, path: string, change: Partial<Field> | null): Shapes => {
      const { [path]: field, ...others } = now[place]!;
      return { ...now, [place]: change === null ? others : { ...others, [path]: { ...field!, ...change } } };
    };
    const { 'GET /channels 200': _gone, ...withoutChannels } = now;
    const cases: readonly [Shapes, string][] = [
      [withoutChannels, 'GET /channels 200 is gone'],
      [at('GET /channels 200', 'data[].uuid', null), 'GET /channels 200 data[].uuid is gone'],
      [
        at('GET /channels 200', 'data[].uuid', { required: false }),
        'GET /channels 200 data[].uuid may be missing now',
      ],
      [
        at('GET /channels 200', 'data[].uuid', { nullable: true }),
        'GET /channels 200 data[].uuid may be null now',
      ],
      [
        at('GET /operations/{operation_uuid} 200', 'data.status', { values: ['failed'] }),
        'GET /operations/{operation_uuid} 200 data.status lost queued',
      ],
      [
        at('POST /messages body', 'channel_uuid', { required: true }),
        'POST /messages body channel_uuid is required now',
      ],
      [
        { ...now, 'POST /messages body': { ...now['POST /messages body']!, more: read('!') } },
        'POST /messages body more is required now',
      ],
      [{ ...now, 'GET /channels query all': { '': read('!') } }, 'GET /channels query all is required now'],
      [
        at('PATCH /store/products/{product_uuid} body', 'stock', { nullable: false }),
        'PATCH /store/products/{product_uuid} body stock takes no null any more',
      ],
    ];
    for (const [newer, what] of cases) expect(changes(then, newer)).to.include(what);
  });
});
