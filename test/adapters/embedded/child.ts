/**
 * A child process for tests: `child.ts <command> <dataDir> [n]`.
 *
 * - `open`: opens the store and prints `open`, or the error's message, on stdout; runs until it is killed.
 * - `append`: appends in a loop, eight at a time, with a topic message and a key each. Prints the event id of each
 *   acknowledged append.
 * - `commits <n>`: n appends, each awaited, so that each has a transaction of its own; prints the number of commits.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { createSecretBox } from '../../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../../adapters/embedded/open.js';
import { meta } from '../../conformance/support.js';
import { notes, relay } from './notes.js';

const [command, dataDir, count] = process.argv.slice(2);
const say = (line: string): void => void writeSync(1, `${line}\n`);

async function main(): Promise<void> {
  const store = await openEmbedded({
    dataDir: dataDir!,
    secretBox: createSecretBox(Buffer.alloc(32, 7)),
    inline: { projections: [notes], relay },
  });
  const append = async (n: number): Promise<string> => {
    const eventId = randomUUID();
    const subject = randomUUID();
    const key = await store.personalKeys.keyFor(subject, 'c');
    const data = { n, key: key.keyId };
    await store.eventStore.append(`note-${subject}`, 'no_stream', [
      { eventId, type: 'Noted', data, meta: meta() },
    ]);
    return eventId;
  };
  if (command === 'open') {
    say('open');
    setInterval(() => undefined, 1_000);
  } else if (command === 'append') {
    const loop = async (): Promise<never> => {
      for (let n = 0; ; n += 1) say(await append(n));
    };
    await Promise.all(Array.from({ length: 8 }, loop));
  } else {
    const before = store.stats().commits;
    for (let n = 0; n < Number(count); n += 1) await append(n);
    say(String(store.stats().commits - before));
    await store.close();
  }
}

main().catch((error: Error) => {
  say(`${error.name}: ${error.message}`);
  process.exitCode = 1;
});
