/** Read behind GET /channels. */
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { ReadModels } from '../../ports/read-models.js';
import { channels } from '../../read-models/channels.js';
import type { ChannelSource } from '../resources/channel.js';

/** The contract's own limit of the list, which is not paged (spec §4). */
const MAX_CHANNELS = 1_000;

/** Oldest first. */
export async function listChannels(
  readModels: ReadModels,
  companyUuid: CompanyUuid,
): Promise<readonly ChannelSource[]> {
  const { documents } = await readModels.find(channels.name, {
    index: 'by_company',
    equals: [companyUuid],
    order: 'asc',
    limit: MAX_CHANNELS,
  });
  return documents.map((document) => document.doc);
}
