/** What a process talks to beside its stores: WhatsApp, the addresses of others, and a collector of traces. */
import { createCrowdSender } from '../adapters/http/crowd-sender.js';
import { createImageFetcher } from '../adapters/http/image-fetcher.js';
import { createWhatsAppProvider } from '../adapters/whatsapp/client.js';
import { createWhatsAppMedia } from '../adapters/whatsapp/media.js';
import { createWhatsAppUploads } from '../adapters/whatsapp/uploads.js';
import type { Clock } from '../ports/clock.js';
import type { Logger } from '../ports/logger.js';
import type { Tracing } from '../ports/tracing.js';
import type { Config } from './config.js';
import { packageVersion } from './version.js';

export async function openOutside(config: Config, providerUrl: string, clock: Clock, logger: Logger) {
  const { whatsappGraphVersion: graphVersion, providerTimeoutMs, allowPrivate } = config;
  const provider = createWhatsAppProvider({
    baseUrl: providerUrl,
    graphVersion,
    timeouts: { totalMs: providerTimeoutMs },
    clock,
    logger,
  });
  const providerMedia = createWhatsAppMedia({
    baseUrl: providerUrl,
    graphVersion,
    timeouts: { describeMs: providerTimeoutMs },
    clock,
  });
  const providerUploads = createWhatsAppUploads({ baseUrl: providerUrl, graphVersion, clock });
  const sender = createCrowdSender({
    allowPrivate,
    clock,
    onGone: (reason) =>
      logger.warn(
        { err: reason },
        'the thread that sends webhooks ended; until the next start the server sends them itself',
      ),
  });
  const imageFetcher = createImageFetcher({ allowPrivate, clock });
  const tracing = await openTracing(config, logger);

  return {
    provider,
    providerMedia,
    providerUploads,
    sender,
    imageFetcher,
    tracing,
    async close(): Promise<void> {
      await Promise.all([
        provider.close(),
        providerMedia.close(),
        providerUploads.close(),
        sender.close(),
        imageFetcher.close(),
        tracing?.close(),
      ]);
    },
  };
}

/** Loads the tracing libraries only when a collector is configured. */
async function openTracing(config: Config, logger: Logger): Promise<Tracing | null> {
  if (config.otlpEndpoint === null) return null;
  const { createTracing } = await import('../adapters/tracing/otlp.js');
  return createTracing({
    endpoint: config.otlpEndpoint,
    ratio: config.traceRatio,
    serviceName: config.otlpServiceName,
    version: packageVersion(),
    roles: [...config.roles].join(),
    logger,
  });
}
