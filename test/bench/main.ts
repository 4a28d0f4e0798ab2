/** `npm run bench [accept|pipeline]`: figures as ratios taken in one run, because the machine is never quiet. */
import { benchAccept } from './accept.js';
import { benchCost } from './cost.js';
import { benchPipeline } from './pipeline.js';

const benches: Readonly<Record<string, () => Promise<void>>> = {
  accept: benchAccept,
  pipeline: benchPipeline,
  cost: benchCost,
};

const wanted = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const names = wanted.length === 0 ? Object.keys(benches) : wanted;
for (const name of names) {
  const bench = benches[name];
  if (!bench) {
    console.error(`There is no bench "${name}". There are: ${Object.keys(benches).join(', ')}.`);
    process.exit(2);
  }
  await bench();
}
process.exit(0);
