/**
 * Writes what a contract promises, for the test that compares later versions with it:
 * `git show COMMIT:api/openapi.yaml | npx tsx test/tools/freeze-contract.ts > test/fixtures/contract/1.8.0.json`
 */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { shapesOf, written } from '../support/contract/shapes.js';

const document = parse(readFileSync(0, 'utf8')) as Record<string, unknown>;
const shapes: string[] = [];
const places: Record<string, number> = {};
for (const [place, shape] of Object.entries(shapesOf(document))) {
  const fields = Object.entries(shape).map(([path, field]) => [path, written(field)]);
  const text = JSON.stringify(Object.fromEntries(fields));
  if (!shapes.includes(text)) shapes.push(text);
  places[place] = shapes.indexOf(text);
}
const lines = [
  '{"shapes": [',
  shapes.join(',\n'),
  '], "places": {',
  Object.entries(places)
    .map(([place, shape]) => `${JSON.stringify(place)}: ${shape}`)
    .join(',\n'),
  '}}',
];
process.stdout.write(`${lines.join('\n')}\n`);
