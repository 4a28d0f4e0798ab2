/** The channels that are looked after: every one that no operator took off. */
import type { ReadModels } from '../../ports/read-models.js';

export interface WatchedChannel {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly waba_id: string;
  readonly status: string;
  readonly quality_rating: string | null;
  readonly taken_off: boolean;
}

const PAGE = 200;

/** By account, so that the numbers of one follow each other; those of one account only where it is given. */
export async function* watchedChannels(
  readModels: ReadModels,
  wabaId?: string,
): AsyncGenerator<WatchedChannel> {
  let after: readonly (string | number | null)[] | undefined;
  do {
    const page = await readModels.find<WatchedChannel>('channels', {
      index: 'by_waba_id',
      equals: wabaId === undefined ? [] : [wabaId],
      order: 'asc',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const { doc } of page.documents) if (!doc.taken_off) yield doc;
    after = page.next ?? undefined;
  } while (after !== undefined);
}
