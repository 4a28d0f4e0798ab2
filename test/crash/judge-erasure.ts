/** Data of an erased person must not be readable anywhere: in the history, in read models, in any file. */
import type { Facts } from './facts.js';

export function judgeErasures({ forgotten, folder }: Facts): readonly string[] {
  const found: string[] = [];
  const events = folder.events.map(({ event, record }) => [record.stream, JSON.stringify(event)] as const);
  for (const { contactUuid, words } of forgotten) {
    const say = (word: string, where: string): void =>
      void found.push(`${word} of the erased contact ${contactUuid} can be read in ${where}`);
    for (const word of words) {
      // The body of a provider webhook is sealed under the key of its day, which is destroyed with that day.
      for (const [stream, text] of events) if (text.includes(word)) say(word, stream);
      for (const [name, text] of folder.documents) if (text.includes(word)) say(word, name);
      for (const file of folder.filesWith(word)) say(word, file);
    }
  }
  return found;
}

/** Streams of erased contacts: integrators need not have received the events in them. */
export function erasedStreams({ folder }: Pick<Facts, 'folder'>): ReadonlySet<string> {
  const gone = new Set<string>();
  const streams = new Set<string>();
  for (const { event, record } of folder.events)
    if (event.type === 'ContactErased') gone.add(record.stream.slice('contact-'.length));
  for (const { event, record } of folder.events)
    if (gone.has(String(event.data['contact_uuid']))) streams.add(record.stream);
  return streams;
}
