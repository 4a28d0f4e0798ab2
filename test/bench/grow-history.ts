/**
 * Fills a data folder with history by repeating the events of a few messages under other identifiers. It uses the
 * codec, the store and its inline projections, so that keys, read models and search grow as well. Every stream and
 * person is new; phones and texts repeat.
 */
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { createSecretBox } from '../../adapters/crypto/secret-box.js';
import { openEmbedded } from '../../adapters/embedded/open.js';
import { createCodec, type RecordedEvent } from '../../application/codec.js';
import { createRegistry } from '../../domain/catalog.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { START, type StoredRecord } from '../../ports/event-store.js';
import { projections } from '../../projections/catalog.js';
import { inlineForm } from '../../projections/runner.js';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const PAGE = 1_000;
/** Number of concurrent appends; they share commits. */
const AT_ONCE = 200;

/**
 * @param keep identifiers that are not replaced: company, integration, channel
 * @param from position number of the first event that is repeated
 * @returns the number of events afterwards
 */
export async function growTo(
  dataDir: string,
  events: number,
  options: { readonly keep: readonly string[]; readonly from: number },
): Promise<number> {
  const embedded = await openEmbedded({
    dataDir,
    secretBox: createSecretBox(loadMasterKey({ dataDir }).key),
  });
  try {
    const { eventStore: store } = embedded;
    const codec = createCodec(createRegistry(), embedded.personalKeys);
    const pattern = await codec.decodeAll(await readFrom(store, options.from));
    await embedded.useInline({ projections: projections.map((projection) => inlineForm(projection, codec)) });
    const behind = embedded.stats().behind;
    if (behind.length > 0) throw new Error(`read models that did not follow: ${behind.join(', ')}`);
    const keep = new Set(options.keep);
    const streams = byStream(pattern);
    let head = store.sequenceOf(await store.head());
    for (let copy = head; head < events; copy += 1) {
      const rename = renamer(copy, keep);
      let underWay: Promise<unknown>[] = [];
      for (const [stream, recorded] of streams) {
        const records = recorded.map(async ({ event, record }) =>
          codec.encode(
            { ...event, data: JSON.parse(rename(JSON.stringify(event.data))) as typeof event.data },
            rename(record.eventId),
            JSON.parse(rename(JSON.stringify(record.meta))) as typeof record.meta,
            rename(keyOf(record)),
          ),
        );
        const appended = Promise.all(records).then((ready) =>
          store.append(rename(stream), 'no_stream', ready),
        );
        underWay.push(appended);
        if (underWay.length >= AT_ONCE) {
          await Promise.all(underWay);
          underWay = [];
        }
      }
      await Promise.all(underWay);
      head = store.sequenceOf(await store.head());
    }
    return head;
  } finally {
    await embedded.close();
  }
}

function byStream(records: readonly RecordedEvent[]): ReadonlyMap<string, readonly RecordedEvent[]> {
  const streams = new Map<string, RecordedEvent[]>();
  for (const recorded of records) {
    const { stream } = recorded.record;
    const known = streams.get(stream);
    if (known) known.push(recorded);
    else streams.set(stream, [recorded]);
  }
  return streams;
}

/** Reads whole streams only: a stream that began before `from` would be incomplete. */
async function readFrom(
  store: Awaited<ReturnType<typeof openEmbedded>>['eventStore'],
  from: number,
): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  const began = new Set<string>();
  let after = START;
  for (;;) {
    const page = await store.readAll({ after, limit: PAGE });
    for (const record of page.records) {
      if (store.sequenceOf(record.position) < from) continue;
      if (record.revision === 0) began.add(record.stream);
      if (began.has(record.stream)) found.push(record);
    }
    if (page.atEnd) return found;
    after = page.next;
  }
}

function renamer(copy: number, keep: ReadonlySet<string>): (text: string) => string {
  const names = new Map<string, string>();
  return (text) =>
    text.replaceAll(UUID, (uuid) => {
      if (keep.has(uuid)) return uuid;
      let name = names.get(uuid);
      if (name === undefined) names.set(uuid, (name = deriveId(copy, uuid)));
      return name;
    });
}

/** The person for whom the event is sealed, identified by the key. */
const keyOf = ({ data }: StoredRecord): string =>
  `grown-${(data['sealed'] as { readonly key: string } | undefined)?.key ?? 'nobody'}`;
