/** Documents by id; one unreadable document does not prevent reading the others. */
import {
  UnreadableDocument,
  type Document,
  type ReadModels,
  type StoredDocument,
} from '../ports/read-models.js';

export type ReadEach = ReadonlyMap<string, StoredDocument<Document> | UnreadableDocument>;

export async function readEach(
  readModels: Pick<ReadModels, 'get' | 'getMany'>,
  address: string,
  ids: readonly string[],
): Promise<ReadEach> {
  try {
    const found = await readModels.getMany(address, ids);
    return new Map(found.map((document) => [document.id, document]));
  } catch (error) {
    if (!(error instanceof UnreadableDocument)) throw error;
    return oneByOne(readModels, address, ids);
  }
}

async function oneByOne(
  readModels: Pick<ReadModels, 'get'>,
  address: string,
  ids: readonly string[],
): Promise<ReadEach> {
  const found = new Map<string, StoredDocument<Document> | UnreadableDocument>();
  for (const id of ids) {
    try {
      const document = await readModels.get(address, id);
      if (document) found.set(id, document);
    } catch (error) {
      if (!(error instanceof UnreadableDocument)) throw error;
      found.set(id, error);
    }
  }
  return found;
}
