/**
 * The lanes of a webhook: its parts that are each processed in order. All updates of one number share a lane, except
 * its history, which may be long and is not current. Lanes are named by the number's id, which is not personal.
 */
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import { id, list, record, text } from './json.js';

/** For updates without a number: templates, the account as a whole, and anything not understood. */
export const ACCOUNT_LANE = 'account';
const HISTORY = '/history';
/** Maximum number of lanes of one webhook. Meta's accounts have 25 numbers at most. */
const MOST_LANES = 50;

/** Lanes of a body parsed from JSON. Never empty; `parseProviderWebhook` may find updates for more or fewer lanes. */
export function lanesOf(body: unknown): readonly string[] {
  const lanes = list(record(body)?.['entry'])
    .flatMap((entry) => list(record(entry)?.['changes']))
    .map((item) => {
      const change = record(item);
      const metadata = record(record(change?.['value'])?.['metadata']);
      const field = text(change?.['field']);
      return laneOf(id(metadata?.['phone_number_id']), field === 'history' || field === 'smb_app_state_sync');
    });
  const different = [...new Set(lanes)].slice(0, MOST_LANES);
  return different.length > 0 ? different : [ACCOUNT_LANE];
}

export const laneOfUpdate = (update: ProviderUpdate): string =>
  laneOf(
    'phoneNumberId' in update ? update.phoneNumberId : null,
    update.kind === 'history' || update.kind === 'address_book',
  );

export const isHistoryLane = (lane: string): boolean => lane.endsWith(HISTORY);

function laneOf(phoneNumberId: string | null, history: boolean): string {
  if (phoneNumberId === null || !/^\d{1,32}$/.test(phoneNumberId)) return ACCOUNT_LANE;
  return history ? phoneNumberId + HISTORY : phoneNumberId;
}
