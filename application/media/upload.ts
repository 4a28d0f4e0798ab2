/**
 * Hands a file to WhatsApp for a message that somebody is about to send. WhatsApp keeps it for 30 days; here only its id
 * is kept. Once a message with it was sent, the file is fetched, sealed and stored like one that a customer sent.
 */
import { createHash } from 'node:crypto';
import { channelAggregate } from '../../domain/channel/decide.js';
import { deriveSecretId, type ChannelUuid, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ProviderUploads } from '../../ports/provider-uploads.js';
import { versionAfter } from '../../ports/versions.js';
import { mediaUploads, type MediaUploadDoc } from '../../read-models/media-uploads.js';
import type { App } from '../app.js';
import { credentialsOf } from '../provisioning/channels.js';
import { providerRefusal } from '../provisioning/common.js';
import { removeEnded } from '../remove-ended.js';
import { refuseOtherBytes, refuseTooLarge, type SendableKind } from './sendable.js';

/** A day less than WhatsApp keeps it. */
const LIFE_MS = 29 * 86_400_000;
const REMOVED_AT_ONCE = 50;

export interface FileToSend {
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  readonly kind: SendableKind;
  readonly mimeType: string;
  readonly bytes: Buffer;
}

/**
 * The same file for the same channel is uploaded once: a repeated call answers with the same upload.
 * @throws Refusal validation_failed, payload_too_large, channel_not_connected, provider_rejected, provider_unavailable
 */
export async function uploadFile(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels' | 'secrets'>,
  uploads: ProviderUploads,
  { companyUuid, channelUuid, kind, mimeType, bytes }: FileToSend,
): Promise<MediaUploadDoc> {
  refuseTooLarge(kind, bytes.length);
  refuseOtherBytes(kind, mimeType, bytes);
  const { state: channel } = await app.executor.load(channelAggregate, channelUuid);
  if (channel.status === 'disconnected')
    throw new Refusal('channel_not_connected', 'The channel of this conversation is not connected.');
  const digest = createHash('sha256').update(bytes).digest('hex');
  const uuid = deriveSecretId(app.indexSecret, 'upload', channelUuid, kind, mimeType, digest);
  const known = await app.readModels.get(mediaUploads.name, uuid);
  if (known && !hasEnded(app, known.doc)) return known.doc;
  const read = await uploads.upload(credentialsOf(app, channel), { bytes, mimeType });
  if (!read.ok) throw providerRefusal(read);
  const now = app.clock.now();
  const doc: MediaUploadDoc = {
    upload_uuid: uuid,
    company_uuid: companyUuid,
    channel_uuid: channelUuid,
    kind,
    mime_type: mimeType,
    size: bytes.length,
    media_id: read.value.id,
    expires_at: new Date(now + LIFE_MS).toISOString(),
  };
  await app.readModels.write(mediaUploads.name, [
    { id: uuid, doc, version: versionAfter(known?.version, now) },
  ]);
  await removeEnded(app, mediaUploads.name, 'by_end', (one) => hasEnded(app, one), REMOVED_AT_ONCE);
  return doc;
}

/**
 * @param kind null: any
 * @throws Refusal validation_failed for an upload of another channel, of another kind, or one that has ended
 */
export async function uploadedFile(
  app: Pick<App, 'readModels' | 'clock'>,
  uuid: string,
  {
    channelUuid,
    kind,
    path,
  }: { readonly channelUuid: ChannelUuid; readonly kind: string | null; readonly path: string },
): Promise<MediaUploadDoc> {
  const doc = (await app.readModels.get(mediaUploads.name, uuid.toLowerCase()))?.doc;
  const fits = doc?.channel_uuid === channelUuid && (kind === null || doc.kind === kind);
  if (doc && fits && !hasEnded(app, doc)) return doc;
  const message = `There is no such upload ${kind === null ? '' : `of the kind ${kind} `}for this channel. Upload the file again.`;
  throw new Refusal('validation_failed', message, { fields: [{ path, code: 'upload_not_found', message }] });
}

const hasEnded = ({ clock }: Pick<App, 'clock'>, { expires_at }: MediaUploadDoc): boolean =>
  Date.parse(expires_at) <= clock.now();
