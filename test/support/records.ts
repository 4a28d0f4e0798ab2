import { START, type EventStore, type Position, type StoredRecord } from '../../ports/event-store.js';

/** Reads all records after `mark`, page by page. */
export async function recordsSince(
  store: Pick<EventStore, 'readAll'>,
  mark: Position = START,
): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (let after = mark; ;) {
    const page = await store.readAll({ after, limit: 1_000 });
    records.push(...page.records);
    if (page.atEnd) return records;
    after = page.next;
  }
}
