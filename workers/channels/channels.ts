/** The channels that background work maintains: all except those that an operator took off. */
import type { ReadModels } from '../../ports/read-models.js';
import { channels, type ChannelDoc } from '../../read-models/channels.js';

export type WatchedChannel = Pick<
  ChannelDoc,
  'uuid' | 'company_uuid' | 'waba_id' | 'status' | 'quality_rating' | 'taken_off'
>;

const PAGE = 200;

/**
 * Ordered by account, so that the numbers of one account are adjacent. With `wabaId`, only the channels of that
 * account.
 */
export async function* watchedChannels(
  readModels: ReadModels,
  wabaId?: string,
): AsyncGenerator<WatchedChannel> {
  let after: readonly (string | number | null)[] | undefined;
  do {
    const page = await readModels.find(channels.name, {
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
