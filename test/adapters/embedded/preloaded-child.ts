/** `preloaded-child.ts <path>`: makes a database, has a thread copy its log and a process clear its slack. */
import { openDatabase } from '../../../adapters/embedded/database.js';
import { createLogCopier } from '../../../adapters/embedded/log-copier.js';
import { clearSlack } from '../../../adapters/embedded/slack.js';

// The thread does not keep its process alive.
const alive = setInterval(() => undefined, 1_000);
const path = process.argv[2]!;
const db = openDatabase(path);
db.exec('CREATE TABLE filler (bytes)');
const copier = createLogCopier(path);
await copier.copy();
const [pages] = db.pragma('wal_checkpoint(NOOP)') as { log: number; checkpointed: number }[];
console.log(`left in the log: ${pages!.log - pages!.checkpointed}`);
await copier.close();
console.log(`pages with slack: ${JSON.stringify(await clearSlack(path))}`);
db.close();
clearInterval(alive);
