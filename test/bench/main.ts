/**
 * `npm run bench [-- [real] [name …]]`: figures are ratios within one run, because the machine is never idle. `real`
 * (or RECADO_BENCH_STACK=real) runs the benches on EventStoreDB, MongoDB and Kafka.
 */
import { benchAccept } from './accept.js';
import { benchAppend } from './append.js';
import { benchAppendStream } from './append-stream.js';
import { benchBacklog } from './backlog.js';
import { benchCatalog } from './catalog.js';
import { benchConsole } from './console.js';
import { benchCost } from './cost.js';
import { benchCustomers } from './customers.js';
import { benchExport } from './export.js';
import { benchFloor } from './floor.js';
import { benchFlows } from './flows.js';
import { benchGrowth } from './growth.js';
import { benchIntake } from './intake.js';
import { benchLatency } from './latency.js';
import { benchLoop } from './loop.js';
import { benchMemory } from './memory.js';
import { benchPipeline } from './pipeline.js';
import { benchRebuild } from './rebuild.js';
import { benchScale } from './scale.js';
import { benchSearch } from './search.js';
import { embeddedStack, findRealStack, type Stack } from './stack.js';
import { benchStart } from './start.js';
import { benchTemplates } from './templates.js';
import { benchWebhooks } from './webhooks.js';
import { benchWrites } from './writes.js';

interface Bench {
  readonly run: (stack: Stack) => Promise<void>;
  /**
   * Whether the bench runs only when it is named: it takes too long, or needs something that the stack does not have.
   */
  readonly onlyByName: (stack: Stack) => boolean;
}

const always = (run: Bench['run']): Bench => ({ run, onlyByName: () => false });
const byName = (run: Bench['run']): Bench => ({ run, onlyByName: () => true });

const benches: Readonly<Record<string, Bench>> = {
  accept: always(benchAccept),
  pipeline: always(benchPipeline),
  cost: always(benchCost),
  console: byName(benchConsole),
  scale: { run: benchScale, onlyByName: ({ kind }) => kind === 'embedded' },
  intake: byName(benchIntake),
  append: byName(benchAppend),
  'append-stream': byName(benchAppendStream),
  backlog: byName(benchBacklog),
  catalog: byName(benchCatalog),
  customers: byName(benchCustomers),
  rebuild: byName(benchRebuild),
  export: byName(benchExport),
  floor: byName(benchFloor),
  flows: byName(benchFlows),
  loop: byName(benchLoop),
  growth: byName(benchGrowth),
  memory: byName(benchMemory),
  search: byName(benchSearch),
  latency: byName(benchLatency),
  start: byName(benchStart),
  templates: byName(benchTemplates),
  webhooks: byName(benchWebhooks),
  writes: byName(benchWrites),
};

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const real = asked.includes('real') || process.env['RECADO_BENCH_STACK'] === 'real';
const wanted = asked.filter((argument) => argument !== 'real');
const unknown = wanted.filter((name) => !(name in benches));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`);
  process.exit(2);
}

let failed = false;
try {
  const stack = real ? await findRealStack() : embeddedStack;
  for (const line of stack.said) console.log(line);
  try {
    for (const [name, { run, onlyByName }] of Object.entries(benches)) {
      if (wanted.length === 0 ? !onlyByName(stack) : wanted.includes(name)) await run(stack);
    }
  } finally {
    await stack.close();
  }
} catch (error) {
  failed = true;
  console.error(error instanceof Error ? error.message : String(error));
}
process.exit(failed ? 1 : 0);
