/** Starts a sync in the background; callers follow its progress. */
import type { ChannelUuid } from '../../domain/kernel/ids.js';
import { loadHeldChannel } from '../provisioning/channels.js';
import type { Caller } from '../provisioning/common.js';
import type { TemplateSyncProgress } from '../../read-models/template-syncs.js';
import { readProgress } from './progress.js';
import { syncTemplates, type TemplateSyncDeps } from './sync.js';
import { errorOf } from '../../ports/thrown.js';

/** A sync that made progress within this time is still running in some process, and is joined. */
const ALIVE_MS = 10_000;

/** @throws Refusal as `syncTemplates`, if it fails before the first progress */
export async function beginTemplateSync(
  app: TemplateSyncDeps,
  input: { readonly channelUuid: ChannelUuid },
  caller: Caller,
): Promise<TemplateSyncProgress> {
  const { companyUuid, wabaId } = await loadHeldChannel(app, input.channelUuid);
  const known = (await readProgress(app.readModels, companyUuid, wabaId))?.doc;
  const agoMs = known === undefined ? Infinity : app.clock.now() - Date.parse(known.updated_at);
  // A time in the future comes from a clock that was set back since; the account's lease decides then.
  if (known?.state === 'running' && agoMs >= 0 && agoMs < ALIVE_MS) return known;
  return new Promise((resolve, reject) => {
    let begun = false;
    const onProgress = (progress: TemplateSyncProgress): void => {
      begun = true;
      resolve(progress);
    };
    syncTemplates(app, input, caller, { onProgress }).catch((error: unknown) => {
      reject(errorOf(error));
      if (begun)
        app.logger.warn({ err: error, channel_uuid: input.channelUuid }, 'a template sync broke off');
    });
  });
}
