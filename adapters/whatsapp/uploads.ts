import { Agent, FormData, request } from 'undici';
import { isObject } from '../../domain/kernel/json.js';
import type { Clock } from '../../ports/clock.js';
import type { ProviderUploads } from '../../ports/provider-uploads.js';
import { codeOf } from '../../ports/thrown.js';
import { withTimeout } from '../../ports/waiting.js';
import { systemClock } from '../clock/system.js';
import { readGraphError } from './graph-error.js';

export interface WhatsAppUploadsOptions {
  /** `https://graph.facebook.com`, or the sandbox's address; a path prefix is kept. */
  readonly baseUrl: string;
  /** Such as `v25.0`. */
  readonly graphVersion: string;
  /** One deadline over the whole call; default 120,000 ms. */
  readonly totalMs?: number;
  /** Default: the machine's clock. */
  readonly clock?: Clock;
}

/** Uploads over the WhatsApp Cloud API (`POST /{phone_number_id}/media`). */
export function createWhatsAppUploads(options: WhatsAppUploadsOptions): ProviderUploads {
  const { clock = systemClock, totalMs = 120_000 } = options;
  const base = new URL(options.baseUrl);
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/, '')}/${options.graphVersion}`;
  const agent = new Agent({ connections: 8, connect: { timeout: 10_000 }, keepAliveTimeout: 4_000 });
  return {
    async upload({ phoneNumberId, accessToken }, { bytes, mimeType }) {
      const form = new FormData();
      form.set('messaging_product', 'whatsapp');
      form.set('type', mimeType);
      // The name is not shown to anybody: a document's name goes with the message.
      form.set('file', new Blob([Uint8Array.from(bytes)], { type: mimeType }), 'file');
      try {
        return await withTimeout(clock, totalMs, async (signal) => {
          const answer = await request(`${prefix}/${encodeURIComponent(phoneNumberId)}/media`, {
            dispatcher: agent,
            method: 'POST',
            headers: { authorization: `Bearer ${accessToken}`, accept: 'application/json' },
            body: form,
            signal,
          });
          const body: unknown = parsed(await answer.body.text());
          const error = readGraphError(body, answer.statusCode, answer.headers, clock.now());
          if (error !== null) return { ok: false as const, error, reason: `error ${error.code}` };
          const id = isObject(body) ? body['id'] : null;
          return typeof id === 'string' && id !== ''
            ? { ok: true as const, value: { id } }
            : {
                ok: false as const,
                error: null,
                reason: `HTTP ${answer.statusCode} without an id of the file`,
              };
        });
      } catch (error) {
        const name = error instanceof Error ? error.name : 'the connection failed';
        return { ok: false, error: null, reason: codeOf(error) ?? name };
      }
    },

    close: () => agent.close(),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
