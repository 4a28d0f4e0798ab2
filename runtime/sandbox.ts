/**
 * `npm run sandbox`: the WhatsApp sandbox as a process of its own, for deployments of several processes.
 * WHATSAPP_API_URL of all of them must point to it. Its data is lost when it ends.
 */
import pino from 'pino';
import { startSandbox } from '../sandbox/sandbox.js';
import { loadMasterKey } from '../adapters/crypto/master-key.js';
import { ConfigError, readSandboxConfig } from './config.js';
import { deriveSecrets } from './secrets.js';

async function main(): Promise<void> {
  const config = readSandboxConfig(process.env);
  const secrets =
    config.masterKey === null
      ? null
      : deriveSecrets(loadMasterKey({ given: config.masterKey, dataDir: '.' }).key);
  const appSecret = config.appSecret ?? secrets?.whatsappAppSecret;
  if (appSecret === undefined) {
    throw new ConfigError(
      'Set RECADO_MASTER_KEY or WHATSAPP_APP_SECRET to what the Recado processes have: the sandbox signs its webhooks with it.',
    );
  }
  const verifyToken = config.verifyToken ?? secrets?.whatsappVerifyToken;
  const logger = pino({ base: null }, pino.destination(2));
  const sandbox = await startSandbox({
    host: config.host,
    port: config.port,
    appSecret,
    ...(verifyToken === undefined ? {} : { verifyToken }),
    webhookUrl: config.webhookUrl,
    // Processes with the same master key may control it: `recado sandbox …`.
    ...(secrets === null ? {} : { controlToken: secrets.sandboxAccessToken }),
    logger,
  });
  process.stdout.write(
    `The WhatsApp sandbox is up. Set WHATSAPP_API_URL=${sandbox.url} in every Recado process.\nIts webhooks go to ${config.webhookUrl}\n`,
  );
  const stop = (): void => void sandbox.close().then(() => process.exit(0));
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

main().catch((error: unknown) => {
  const text = error instanceof Error ? (error instanceof ConfigError ? error.message : error.stack) : error;
  process.stderr.write(`${String(text)}\n`);
  process.exit(1);
});
