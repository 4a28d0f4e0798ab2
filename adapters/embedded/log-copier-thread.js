/** The thread of log-copier.ts: copies the write-ahead log on request, with a connection of its own. */
import { createRequire } from 'node:module';
import { parentPort, workerData } from 'node:worker_threads';

/** Pages that may be left: the server's thread copies them when it starts the log over. */
const FEW = 64;
/** A busy server writes on meanwhile: each round has less left to copy than the one before. */
const ROUNDS = 5;

const Database = createRequire(import.meta.url)(workerData.driver);
const db = new Database(workerData.path, { fileMustExist: true });
db.pragma('synchronous = FULL');

function copyLog() {
  let before = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const [pages] = db.pragma('wal_checkpoint(PASSIVE)');
    const left = pages.log - pages.checkpointed;
    if (left <= FEW || left >= before) return;
    before = left;
  }
}

parentPort.on('message', (asked) => {
  if (asked === 'close') {
    db.close();
    parentPort.close();
    return;
  }
  let failure = null;
  try {
    copyLog();
  } catch (error) {
    failure = String(error.message);
  }
  parentPort.postMessage(failure);
});
