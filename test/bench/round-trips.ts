/** Loaded before the product. The bench asks for the counts over the channel between parent and child. */
import { countOnTheWire } from './wire-counter.js';

const { counts } = countOnTheWire();

process.on('message', (message) => {
  if (message === 'round-trips') process.send?.(Object.fromEntries(counts));
});
process.channel?.unref();
