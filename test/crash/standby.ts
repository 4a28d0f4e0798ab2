/**
 * `node --import …/standby.js …/main.js`: loads the product's modules and contracts, then waits for a message on the
 * IPC channel before main.js runs. The next process is prepared this way while the current one still runs, which keeps
 * rounds short.
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
