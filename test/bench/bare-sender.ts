/** The baseline of `bench webhooks`: posts a body to endpoints with undici, and nothing else, in a separate process. */
import { Pool } from 'undici';
import { inFlight } from './waits.js';

export interface BareWork {
  readonly urls: readonly string[];
  /** Posts to each of them. */
  readonly each: number;
  /** To one of them at a time. */
  readonly most: number;
  readonly body: string;
}

process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'urls' in message) void post(message as BareWork);
});
// What is loaded first lets a process end that has only its IPC channel.
process.channel?.ref();
console.log('bare sender is up');

async function post({ urls, each, most, body }: BareWork): Promise<void> {
  await Promise.all(
    urls.map(async (url) => {
      const { origin, pathname } = new URL(url);
      const pool = new Pool(origin, { connections: most });
      await inFlight(each, most, async () => {
        const answer = await pool.request({
          path: pathname,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        });
        await answer.body.dump();
      });
      await pool.destroy();
    }),
  );
  process.send?.('done');
}
