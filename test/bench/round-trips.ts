/** Loaded before the product. The bench reads the counts over the IPC channel. */
import { countOnTheWire } from './wire-counter.js';

const { counts } = countOnTheWire();

process.on('message', (message) => {
  if (message === 'round-trips') process.send?.(Object.fromEntries(counts));
});
process.channel?.unref();
