/**
 * `node --import …/standby.js …/main.js`: loads the product's modules, then waits for a word on the IPC channel before
 * main.js runs. The next process gets ready this way while the one before it still lives, so that rounds are short.
 */
import '../../runtime/start.js';

await new Promise<void>((resolve) => {
  process.once('message', () => {
    process.disconnect();
    resolve();
  });
  process.send?.('loaded');
});
