/**
 * Events that arrived, one file each in the folder INBOX, named by the event's id. An event that arrives twice is kept once
 * and handled once. Remove the files of handled events after four days: until then an event may come again.
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';

const { INBOX = 'inbox' } = process.env;
await mkdir(INBOX, { recursive: true });

/** Returns once the event is on the disk: only then may 200 be answered. */
export async function keep(event) {
  const draft = `${INBOX}/${randomUUID()}.draft`;
  try {
    const file = await open(draft, 'wx');
    await file.writeFile(JSON.stringify(event));
    await file.sync();
    await file.close();
    await link(draft, `${INBOX}/${event.id}.json`);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error; // it is here already
  } finally {
    await rm(draft, { force: true });
  }
}

let working = Promise.resolve();
/** Handles what is kept and not handled, one event after the other; also what an earlier process left. */
export function work(handle) {
  working = working.then(async () => {
    const names = new Set(await readdir(INBOX));
    const waiting = [...names].filter((name) => name.endsWith('.json') && !names.has(`${name}.done`));
    for (const name of waiting) {
      await handle(JSON.parse(await readFile(`${INBOX}/${name}`, 'utf8')));
      // If the process ends before this line, the event is handled again: give what you send the event's id as its key.
      await writeFile(`${INBOX}/${name}.done`, '');
    }
  });
  working = working.catch((error) => console.error(`it is tried again with the next event: ${error}`));
}

/** Your own work goes here. */
export function handle({ id, type, data }) {
  if (type === 'message.received') {
    const { content, type: kind } = data.message;
    console.log(`${id}: ${data.contact?.phone} wrote: ${content.text ?? kind}`);
  } else if (type === 'order.created') console.log(`${id}: order ${data.order.number}: ${data.order.total}`);
  else console.log(`${id}: ${type}`); // a later release may have more types
}
