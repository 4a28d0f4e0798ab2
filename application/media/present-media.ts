/** The file of a message in the API and in webhooks: fields of `content`, beside those from WhatsApp. */
import type { MessageDoc } from '../../read-models/messages.js';
import type { MediaLinks } from './links.js';

/** The fields of a `messages` document used here. */
export type MediaSource = Pick<MessageDoc, 'uuid' | 'company_uuid' | 'media'>;

export interface PresentedMedia {
  readonly media_status: 'pending' | 'stored' | 'failed';
  readonly media_error: { readonly code: string; readonly message: string } | null;
  /** Size in bytes. */
  readonly size: number | null;
  readonly url: string | null;
  readonly url_expires_at: string | null;
}

/** Null for messages without a file. */
export type PresentMedia = (message: MediaSource) => PresentedMedia | null;

const QUARTER_MS = 900_000;
const LIFE_IN_ANSWERS_MS = 3_600_000;
const LIFE_IN_WEBHOOKS_MS = 7 * 86_400_000;

/**
 * Links for API responses: valid for at least an hour, and identical for a quarter of an hour. So a page that is
 * fetched again finds its images in the cache.
 */
export function mediaInAnswers(links: MediaLinks, now: () => number): PresentMedia {
  return (message) =>
    present(links, message, Math.ceil(now() / QUARTER_MS) * QUARTER_MS + LIFE_IN_ANSWERS_MS, false);
}

/**
 * Links for webhooks: valid for seven days after the event, longer than a delivery is retried. Included while the file
 * is still being fetched too, because a body never changes and `message.received` comes first.
 *
 * @param occurredAt ISO 8601; the only clock used, so that a rebuilt body is identical
 */
export const mediaInWebhooks =
  (links: MediaLinks, occurredAt: string): PresentMedia =>
  (message) =>
    present(links, message, Date.parse(occurredAt) + LIFE_IN_WEBHOOKS_MS, true);

function present(
  links: MediaLinks,
  { uuid, company_uuid, media }: MediaSource,
  expiresAt: number,
  whilePending: boolean,
): PresentedMedia | null {
  if (!media) return null;
  const given = media.status === 'stored' || (whilePending && media.status === 'pending');
  const until = Math.floor(expiresAt / 1000) * 1000;
  return {
    media_status: media.status,
    media_error: media.error,
    size: media.size,
    url: given ? links.urlFor({ companyUuid: company_uuid, messageUuid: uuid }, until) : null,
    url_expires_at: given ? new Date(until).toISOString() : null,
  };
}
