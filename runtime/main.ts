/** `npm start`. */
import pino from 'pino';
import { messageOf } from '../ports/thrown.js';
import { DatabaseRefused } from '../adapters/embedded/database.js';
import { DataFolderInUse } from '../adapters/embedded/lock.js';
import { createLog } from './log.js';
import { rolesFrom } from './arguments.js';
import { banner } from './banner.js';
import { ConfigError, readConfig, type Config } from './config.js';
import { keepHeapSmall } from './heap.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { start, type Running } from './start.js';
import { unavailableAtStart } from './unavailable-at-start.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const complain = (text: string): void => void process.stderr.write(`${text}\n`);

// Files are readable by their owner only, regardless of the shell's umask.
process.umask(0o077);

/** Errors that an operator can correct; a stack trace would only hide the message. */
const SENTENCES = [ConfigError, DataFolderInUse, DatabaseRefused];

async function main(): Promise<void> {
  let config: Config;
  let running: Running;
  try {
    config = readConfig(
      { ...process.env, ...rolesFrom(process.argv.slice(2)) },
      process.stdout.isTTY ?? false,
    );
    const logger = createLog(config.logLevel, pino.destination({ fd: 2, sync: false, minLength: 4096 }));
    // eslint-disable-next-line no-restricted-globals -- it must not keep the process alive
    setInterval(() => logger.flush(), 500).unref();
    process.on('exit', () => logger.flush());
    process.on('unhandledRejection', (error) => logger.error({ err: error }, 'unhandled rejection'));
    running = await start(config, logger);
  } catch (error) {
    if (SENTENCES.some((kind) => error instanceof kind)) complain(messageOf(error));
    else if (error instanceof StoreUnavailable)
      complain(unavailableAtStart(error, process.env['EVENTSTORE_URL']?.trim() ? 'servers' : 'embedded'));
    else complain(error instanceof Error ? (error.stack ?? error.message) : String(error));
    process.exit(1);
  }
  say(banner(running));

  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) process.exit(130);
    stopping = true;
    complain(`${signal}: finishing what is under way. Once more to leave at once.`);
    // After Ctrl-C no load balancer needs notice by /readyz.
    running.stop(signal === 'SIGINT' ? { noticeMs: 0 } : {}).then(
      () => process.exit(0),
      (error: unknown) => {
        complain(String(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
}

keepHeapSmall();
await main();
