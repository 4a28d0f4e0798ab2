/** Determines the contacts of an erasure, and their keys and claims, while the first key still exists. */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { ContactEvent } from '../../domain/contact/events.js';
import type { Contact } from '../../domain/contact/state.js';
import { erasureAggregate } from '../../domain/erasure/decide.js';
import { isObject } from '../../domain/kernel/json.js';
import type { Erasure } from '../../domain/erasure/state.js';
import { deriveId, type ContactUuid } from '../../domain/kernel/ids.js';
import { contactStream, erasureStream } from '../../domain/streams.js';
import type { Position, StoredRecord } from '../../ports/event-store.js';
import { subjectOfKey } from '../../ports/personal-keys.js';
import { contacts } from '../../read-models/contacts.js';
import { directCommand, type App } from '../app.js';
import { subjectOf } from '../people/subject.js';
import { identitiesOf } from '../people/primary-contact.js';
import type { Caller } from '../provisioning/common.js';
import { allDocuments } from '../provisioning/documents.js';
import { streamsOf } from './streams.js';

/** Maximum rounds: each handles contacts that were merged into the person's while those were being closed. */
const ROUNDS = 20;

/** Id of the nth erasure of a contact; each erasure is a process of its own. */
export const erasureId = (contactUuid: ContactUuid, nth: number): string =>
  deriveId('erasure', contactUuid, nth);

/** All erasures of a contact, oldest first: the completed ones, and one that may be in progress. */
export async function erasuresOf(
  app: Pick<App, 'executor'>,
  contactUuid: ContactUuid,
): Promise<readonly (Erasure & { readonly uuid: string })[]> {
  const found: (Erasure & { readonly uuid: string })[] = [];
  for (;;) {
    const uuid = erasureId(contactUuid, found.length);
    const { state } = await app.executor.load(erasureAggregate, uuid);
    if (!state.exists) return found;
    found.push({ ...state, uuid });
  }
}

export const erasureName = (uuid: string): string => erasureStream.toName(uuid);

export interface Closed {
  readonly uuids: readonly string[];
  /** Position of the last `ContactErased` event; null when all contacts were closed before. */
  readonly position: Position | null;
  /** Those that were not closed before. */
  readonly newly: readonly string[];
  /** False when the read models do not show the closed contacts yet: some may be missing here. */
  readonly complete: boolean;
}

/**
 * Marks each contact of the person as erased. From then on no data is added to them, and no merge transfers any. Their
 * streams up to that point are complete.
 *
 * @param shown waits until the read models show the history up to a position, or its end for null; false when they lag
 */
export async function closeContacts(
  app: Pick<App, 'executor' | 'newId' | 'readModels' | 'store'>,
  erasure: Erasure,
  reason: string,
  caller: Caller,
  shown: (position: Position | null) => Promise<boolean>,
): Promise<Closed> {
  const closed = new Set<string>();
  const newly: string[] = [];
  let position: Position | null = null;
  let open: readonly string[] = erasure.contactUuids;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const uuid of open) {
      const done = await app.executor.execute(
        contactAggregate,
        uuid,
        { type: 'EraseContact', reason },
        directCommand(app, { company: erasure.companyUuid, ...caller }),
      );
      if (done.position !== null) newly.push(uuid);
      position = done.position ?? position;
      closed.add(uuid);
    }
    const complete = await shown(position);
    open = [...(await mergedWith(app, closed))].filter((uuid) => !closed.has(uuid));
    if (!complete || open.length === 0) return { uuids: [...closed], position, newly, complete };
  }
  throw new Error(`contact ${erasure.contactUuid} is merged faster than it can be erased`);
}

/**
 * Contacts that are one person with the closed ones. The survivor's stream names those that it absorbed. Before that, a
 * merge that was interrupted is recorded only in the stream of the contact that it closed: the read model names its
 * survivor.
 */
async function mergedWith(
  app: Pick<App, 'executor' | 'readModels' | 'store'>,
  closed: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const uuid of closed) {
    const { state } = await app.executor.load(contactAggregate, uuid);
    for (const one of state.absorbed) found.add(one);
    const survivor = survivorAtErasure(await app.store.read(contactStream.toName(uuid)));
    if (survivor !== null) found.add(survivor);
  }
  for await (const { id, doc } of allDocuments(app, contacts.name, 'by_company', [UNLISTED])) {
    if (doc.merged_into !== null && closed.has(doc.merged_into)) found.add(id);
  }
  return found;
}

/** `listed_in` of all contacts that were merged into others. */
const UNLISTED = null;

/**
 * The contact that this one was merged into before it was erased: its data may have been transferred by then. A contact
 * that is merged after its erasure transfers nothing.
 */
function survivorAtErasure(records: readonly StoredRecord[]): string | null {
  const lastOf = (type: ContactEvent['type']): number => records.findLastIndex((one) => one.type === type);
  const merged = lastOf('ContactMergedInto');
  if (merged === -1 || merged > lastOf('ContactErased')) return null;
  return String(records[merged]?.data['contact_uuid']);
}

export interface Scope {
  readonly contactUuids: readonly string[];
  readonly subjects: readonly string[];
  readonly identities: readonly string[];
}

/**
 * Sends are sealed under the subject derived from the phone, before the contact is known. An erasure by an earlier
 * release may have destroyed the key of the event that names the other subjects. Those are found by the key ids in the
 * sealed events.
 */
export async function scopeOf(
  app: Pick<App, 'codec' | 'executor' | 'indexSecret' | 'readModels' | 'store'>,
  erasure: Erasure,
  contactUuids: readonly string[],
): Promise<Scope> {
  const { companyUuid } = erasure;
  const subjects = new Set<string>();
  const identities = new Set<string>();
  for (const uuid of contactUuids) {
    const records = await app.store.read(contactStream.toName(uuid));
    for (const contact of await statesOf(app, records)) {
      subjects.add(contact.subject);
      for (const who of [...contact.phoneKeys, ...contact.userIds]) {
        subjects.add(subjectOf(app.indexSecret, companyUuid, who));
      }
      for (const { stream, kind } of identitiesOf(app, contact)) {
        if (kind === 'external_id') identities.add(stream);
      }
    }
    for (const subject of sealedUnder(records)) subjects.add(subject);
    for (const earlier of await erasuresOf(app, uuid)) for (const one of earlier.subjects) subjects.add(one);
  }
  const streams = await streamsOf(app, companyUuid, new Set(contactUuids), () => false);
  for (const stream of [
    ...streams.messages,
    ...streams.operations,
    ...streams.orders,
    ...streams.executions,
  ]) {
    for (const subject of sealedUnder(await app.store.read(stream))) subjects.add(subject);
  }
  return { contactUuids, subjects: [...subjects], identities: [...identities] };
}

/** The state after each event: data that an erasure removed is present in the states before it. */
async function statesOf(
  app: Pick<App, 'codec'>,
  records: readonly StoredRecord[],
): Promise<readonly Contact[]> {
  const states: Contact[] = [];
  let state = contactAggregate.initial;
  for (const { event } of await app.codec.decodeAll<ContactEvent>(records)) {
    state = contactAggregate.evolve(state, event);
    states.push(state);
  }
  return states;
}

function sealedUnder(records: readonly StoredRecord[]): readonly string[] {
  return records.flatMap(({ data }) => {
    const key = isObject(data['sealed']) ? data['sealed']['key'] : undefined;
    return (typeof key === 'string' ? subjectOfKey(key) : undefined) ?? [];
  });
}
