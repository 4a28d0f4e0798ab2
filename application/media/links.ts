/**
 * Addresses under which integrators fetch the files of messages: signed, expiring, bound to a company and a message.
 * They identify the message, not the file. So one can be issued before the file is stored, and it stops working when
 * the message is deleted or its person erased.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { CompanyUuid } from '../../domain/kernel/ids.js';

export interface MediaRef {
  readonly companyUuid: CompanyUuid;
  readonly messageUuid: string;
}

export interface MediaLinks {
  /** Absolute URL. Deterministic, in every process. `expiresAt` in ms since the epoch, truncated to seconds. */
  urlFor(ref: MediaRef, expiresAt: number): string;
  /** Null when this deployment did not sign it, or when it was altered. */
  read(token: string): (MediaRef & { readonly expiresAt: number }) | null;
}

const UUID_BYTES = 16;
const EXPIRY_BYTES = 6;
const BODY_BYTES = 2 * UUID_BYTES + EXPIRY_BYTES;
const MAC_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{94}$/;

/** @param publicUrl called each time: the port may be known only once the server listens */
export function createMediaLinks(secret: Uint8Array, publicUrl: () => string): MediaLinks {
  const sign = (body: Uint8Array): Buffer => createHmac('sha256', secret).update(body).digest();
  return {
    urlFor({ companyUuid, messageUuid }, expiresAt) {
      const body = Buffer.alloc(BODY_BYTES);
      body.write(companyUuid.replaceAll('-', ''), 0, 'hex');
      body.write(messageUuid.replaceAll('-', ''), UUID_BYTES, 'hex');
      body.writeUIntBE(Math.floor(expiresAt / 1000), 2 * UUID_BYTES, EXPIRY_BYTES);
      return `${publicUrl()}/media/${Buffer.concat([body, sign(body)]).toString('base64url')}`;
    },
    read(token) {
      if (!TOKEN.test(token)) return null;
      const bytes = Buffer.from(token, 'base64url');
      // The last character carries spare bits: only one encoding of a token is valid.
      if (bytes.length !== BODY_BYTES + MAC_BYTES || bytes.toString('base64url') !== token) return null;
      const body = bytes.subarray(0, BODY_BYTES);
      if (!timingSafeEqual(sign(body), bytes.subarray(BODY_BYTES))) return null;
      return {
        companyUuid: uuidAt(body, 0),
        messageUuid: uuidAt(body, UUID_BYTES),
        expiresAt: 1000 * body.readUIntBE(2 * UUID_BYTES, EXPIRY_BYTES),
      };
    },
  };
}

function uuidAt(bytes: Buffer, start: number): string {
  const hex = bytes.subarray(start, start + UUID_BYTES).toString('hex');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
