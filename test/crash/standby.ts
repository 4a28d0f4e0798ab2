/**
 * `node --import …/standby.js …/main.js`: loads the product's modules and contracts, then waits for a word on the IPC channel before
 * main.js runs. The next process gets ready this way while the one before it still lives, so that rounds are short.
 */
import { loadContract } from '../../api/contract.js';
import '../../runtime/start.js';

loadContract('public');
loadContract('admin');

await new Promise<void>((resolve) => {
  process.once('message', () => {
    process.disconnect();
    resolve();
  });
  process.send?.('loaded');
});
