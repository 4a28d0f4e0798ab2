/** All settings from the environment, read once and checked. */
import { messageOf } from '../ports/thrown.js';
import { readKafkaSettings, type KafkaSettings } from '../adapters/kafka/settings.js';
import { readS3Settings } from '../adapters/blobs/s3-settings.js';
import type { S3Options } from '../adapters/blobs/s3.js';
import { readTranscriptionSettings, type TranscriptionSettings } from '../adapters/transcription/settings.js';
import { readOidcSettings, type OidcSettings } from '../adapters/oidc/settings.js';
import { hostInUrl } from './host-in-url.js';
import { ROLES, type Role } from './roles.js';

/** Addresses of EventStoreDB, MongoDB and Kafka. */
export interface RealStack {
  readonly eventStoreUrl: string;
  readonly mongoUrl: string;
  /** Prefix of all stream names, for a cluster that several deployments share; empty for none. */
  readonly streamPrefix: string;
  readonly kafka: KafkaSettings & {
    readonly prefix: string;
    readonly partitions: number;
    /** Null: the cluster's own setting. */
    readonly replication: number | null;
  };
  /** How long a start waits for servers that do not answer yet. */
  readonly connectTimeoutMs: number;
  /** A topic message that no consumer has handled for this long is published again. */
  readonly overdueMs: number;
  /** How long the answer to a write waits until the read models include it. */
  readonly ownWritesWaitMs: number;
}

export interface Config {
  /** Null: the embedded store, everything in this process. */
  readonly realStack: RealStack | null;
  readonly roles: ReadonlySet<Role>;
  /** Null: images and media are stored in a folder under DATA_DIR. */
  readonly s3: S3Options | null;
  readonly host: string;
  readonly port: number;
  /** Separate address of the admin API and the metrics; null: the same address as everything else. */
  readonly operators: { readonly host: string; readonly port: number } | null;
  readonly dataDir: string;
  /** Null: the console is off. `hosts`: names under which it is served, besides those of this machine and PUBLIC_URL. */
  readonly console: { readonly hosts: readonly string[] } | null;
  /** Address under which browsers reach the console; null: PUBLIC_URL, or the admin API's own where that has one. */
  readonly consoleUrl: string | null;
  /** Null: people sign in by password only. */
  readonly oidc: OidcSettings | null;
  readonly demo: boolean;
  /** Graph base URL; null starts the built-in sandbox. */
  readonly whatsappApiUrl: string | null;
  readonly whatsappGraphVersion: string;
  readonly whatsappAppSecret: string | null;
  readonly whatsappVerifyToken: string | null;
  /** URL under which others reach this process; null derives it from host and port. */
  readonly publicUrl: string | null;
  /** Number of proxies before this process that each add the caller's address to X-Forwarded-For. */
  readonly trustedProxies: number;
  readonly allowPrivate: 'none' | 'loopback' | 'all';
  readonly masterKey: string | null;
  readonly adminToken: string | null;
  readonly pacingWindowMs: number;
  readonly reconcileWindowMs: number;
  readonly channelRate: number;
  readonly paceRecipients: boolean;
  readonly rateLimits: { readonly reads: number; readonly sends: number };
  readonly providerTimeoutMs: number;
  readonly rawWebhookDays: number;
  /** A history is being imported: no background work runs, and only the admin API and the probes are served. */
  readonly historyImport: boolean;
  /** How long ended webhook deliveries are kept, and parked work. */
  readonly deliveryLogDays: number;
  readonly parkedMessageDays: number;
  /** Whether the first start on a file of an earlier release may rewrite it, which takes time and disk space. */
  readonly upgradeVacuum: boolean;
  /** The only folder for backups; null: `backups` under DATA_DIR. */
  readonly backupDir: string | null;
  /** OTLP-over-HTTP collector of traces; null: tracing is off. */
  readonly otlpEndpoint: string | null;
  readonly otlpServiceName: string;
  /** From 0 to 1. */
  readonly traceRatio: number;
  /** Null: audio messages get no transcript. */
  readonly transcription: TranscriptionSettings | null;
  readonly logLevel: string;
  /** Validates each response against the contract. For tests: it costs time. */
  readonly validateResponses: boolean;
}

/** Addresses that only programs on this machine reach. */
export const LOOPBACK: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);

/** The message is a sentence for the operator; it is printed without a stack trace. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

type Env = Readonly<Record<string, string | undefined>>;

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const REAL_STACK = ['EVENTSTORE_URL', 'MONGODB_URL', 'KAFKA_BROKERS'];

/** @throws ConfigError with the name of the variable and its allowed values */
export function readConfig(env: Env, isTty: boolean): Config {
  const realStack = readRealStack(env);
  const roles = readRoles(env, realStack !== null);
  const historyImport = flag(env, 'HISTORY_IMPORT', false);
  const demo = historyImport ? false : flag(env, 'DEMO', realStack === null);
  const whatsappApiUrl = baseUrl(env, 'WHATSAPP_API_URL');
  if (demo && !roles.has('api')) {
    throw new ConfigError('DEMO=on needs a process with the role api: it is the one that makes the demo.');
  }
  if (whatsappApiUrl === null && roles.size < ROLES.length) {
    throw new ConfigError(
      'WHATSAPP_API_URL is not set. Processes that share the work must talk to one provider: set it to https://graph.facebook.com, or to a sandbox of your own (npm run sandbox).',
    );
  }
  return {
    realStack,
    roles,
    s3: explained(() => readS3Settings(env)),
    host: host(env, 'HOST', '127.0.0.1'),
    port: number(env, 'PORT', 8080, { min: 0, max: 65_535 }),
    operators: readOperators(env),
    dataDir: text(env, 'DATA_DIR') ?? './data',
    console: readConsole(env, demo),
    consoleUrl: baseUrl(env, 'CONSOLE_URL'),
    oidc: readOidc(env, demo, roles),
    demo,
    whatsappApiUrl,
    whatsappGraphVersion: text(env, 'WHATSAPP_GRAPH_VERSION') ?? 'v25.0',
    whatsappAppSecret: text(env, 'WHATSAPP_APP_SECRET'),
    whatsappVerifyToken: text(env, 'WHATSAPP_VERIFY_TOKEN'),
    publicUrl: baseUrl(env, 'PUBLIC_URL'),
    trustedProxies: number(env, 'TRUSTED_PROXIES', 0, { min: 0, max: 10 }),
    allowPrivate: flag(env, 'WEBHOOK_ALLOW_PRIVATE', false) ? 'all' : demo ? 'loopback' : 'none',
    masterKey: text(env, 'RECADO_MASTER_KEY'),
    adminToken: adminToken(env),
    pacingWindowMs: 1000 * number(env, 'PACING_WINDOW_SECONDS', 900, { min: 1, max: 86_400 }),
    reconcileWindowMs: 1000 * number(env, 'RECONCILE_WINDOW_SECONDS', 900, { min: 1, max: 86_400 }),
    channelRate: rate(env, 'CHANNEL_RATE_PER_SECOND', 60),
    paceRecipients: flag(env, 'RECIPIENT_PACING', true),
    rateLimits: {
      reads: rate(env, 'RATE_LIMIT_READS_PER_MINUTE', 600),
      sends: rate(env, 'RATE_LIMIT_SENDS_PER_MINUTE', 300),
    },
    providerTimeoutMs: 1000 * number(env, 'WHATSAPP_TIMEOUT_SECONDS', 30, { min: 1, max: 60 }),
    historyImport,
    rawWebhookDays: number(env, 'RAW_WEBHOOK_DAYS', 30, { min: 1, max: 3650 }),
    deliveryLogDays: number(env, 'DELIVERY_LOG_DAYS', 30, { min: 4, max: 3650 }),
    parkedMessageDays: number(env, 'PARKED_MESSAGE_DAYS', 90, { min: 1, max: 3650 }),
    upgradeVacuum: flag(env, 'UPGRADE_VACUUM', true),
    backupDir: text(env, 'BACKUP_DIR'),
    otlpEndpoint: url(env, 'OTEL_EXPORTER_OTLP_ENDPOINT'),
    otlpServiceName: text(env, 'OTEL_SERVICE_NAME') ?? 'recado',
    traceRatio: number(env, 'OTEL_TRACES_SAMPLER_ARG', 1, { min: 0, max: 1 }),
    transcription: explained(() => readTranscriptionSettings(env)),
    logLevel: oneOf(env, 'LOG_LEVEL', LOG_LEVELS, isTty ? 'warn' : 'info'),
    validateResponses: flag(env, 'VALIDATE_RESPONSES', false),
  };
}

function readOperators(env: Env): Config['operators'] {
  if (text(env, 'ADMIN_PORT') === null) {
    if (text(env, 'ADMIN_HOST') === null) return null;
    throw new ConfigError(
      'ADMIN_HOST is set and ADMIN_PORT is not. Set ADMIN_PORT too: the port on which the admin API and the metrics are served.',
    );
  }
  const port = number(env, 'ADMIN_PORT', 0, { min: 0, max: 65_535 });
  if (port !== 0 && port === number(env, 'PORT', 8080, { min: 0, max: 65_535 })) {
    throw new ConfigError(`ADMIN_PORT and PORT are both ${port}. Give the admin API a port of its own.`);
  }
  return { host: host(env, 'ADMIN_HOST', '127.0.0.1'), port };
}

export interface SandboxConfig {
  readonly host: string;
  readonly port: number;
  /** URL of the API processes for provider webhooks. */
  readonly webhookUrl: string;
  readonly appSecret: string | null;
  readonly verifyToken: string | null;
  readonly masterKey: string | null;
}

/**
 * The settings of `npm run sandbox`.
 * @throws ConfigError
 */
export function readSandboxConfig(env: Env): SandboxConfig {
  return {
    host: host(env, 'SANDBOX_HOST', '127.0.0.1'),
    port: number(env, 'SANDBOX_PORT', 8090, { min: 0, max: 65_535 }),
    webhookUrl: url(env, 'SANDBOX_WEBHOOK_URL') ?? 'http://127.0.0.1:8080/providers/whatsapp/webhooks',
    appSecret: text(env, 'WHATSAPP_APP_SECRET'),
    verifyToken: text(env, 'WHATSAPP_VERIFY_TOKEN'),
    masterKey: text(env, 'RECADO_MASTER_KEY'),
  };
}

function readRealStack(env: Env): RealStack | null {
  const set = REAL_STACK.filter((name) => text(env, name) !== null);
  if (set.length === 0) return null;
  const [eventStoreUrl, mongoUrl] = [text(env, 'EVENTSTORE_URL'), text(env, 'MONGODB_URL')];
  if (set.length < REAL_STACK.length || eventStoreUrl === null || mongoUrl === null) {
    const missing = REAL_STACK.filter((name) => !set.includes(name));
    throw new ConfigError(
      `${set.join(' and ')} ${set.length > 1 ? 'are' : 'is'} set, ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not. Set all three to run on EventStoreDB, MongoDB and Kafka, or none of them to run on the embedded store.`,
    );
  }
  if (text(env, 'RECADO_MASTER_KEY') === null) {
    throw new ConfigError(
      'RECADO_MASTER_KEY is not set. Every process of a deployment needs the same one; make it once with: openssl rand -base64 32',
    );
  }
  return {
    eventStoreUrl,
    mongoUrl,
    streamPrefix: streamPrefix(env),
    kafka: {
      ...explained(() => readKafkaSettings(env)),
      prefix: name(env, 'KAFKA_TOPIC_PREFIX', 'recado.'),
      partitions: number(env, 'KAFKA_PARTITIONS', 12, { min: 1, max: 1000 }),
      replication:
        text(env, 'KAFKA_REPLICATION') === null
          ? null
          : number(env, 'KAFKA_REPLICATION', 3, { min: 1, max: 20 }),
    },
    connectTimeoutMs: 1000 * number(env, 'CONNECT_TIMEOUT_SECONDS', 30, { min: 1, max: 3600 }),
    overdueMs: 1000 * number(env, 'REPUBLISH_AFTER_SECONDS', 300, { min: 1, max: 86_400 }),
    ownWritesWaitMs: 1000 * number(env, 'OWN_WRITES_WAIT_SECONDS', 2, { min: 0, max: 60 }),
  };
}

/** Adapters read their own settings; their error messages are for the operator as well. */
function explained<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new ConfigError(messageOf(error));
  }
}

/** Reads a setting that becomes part of names on the servers. */
function name(env: Env, variable: string, fallback: string): string {
  const value = text(env, variable) ?? fallback;
  if (/^[A-Za-z0-9._-]{0,100}$/.test(value) && !value.startsWith('$')) return value;
  throw new ConfigError(
    `${variable} must be letters, digits, dots, hyphens and underscores; it is "${value}".`,
  );
}

/**
 * Exactly one dot, at the end: no deployment's prefix can then be the beginning of another's, and a filter by prefix
 * excludes all events of other deployments.
 */
function streamPrefix(env: Env): string {
  const value = text(env, 'EVENTSTORE_STREAM_PREFIX') ?? '';
  if (value === '' || /^[A-Za-z0-9_-]{1,99}\.$/.test(value)) return value;
  throw new ConfigError(
    `EVENTSTORE_STREAM_PREFIX must be letters, digits, hyphens and underscores with a dot at its end, such as "shop.", and each deployment on a cluster needs its own; it is "${value}".`,
  );
}

function readRoles(env: Env, realStack: boolean): ReadonlySet<Role> {
  const given = text(env, 'ROLES');
  if (given === null) return new Set(ROLES);
  const names = given.split(',').map((name) => name.trim().toLowerCase());
  const unknown = names.find((name) => !ROLES.some((role) => role === name));
  if (unknown !== undefined) {
    throw new ConfigError(
      `ROLES must be some of ${ROLES.join(', ')}, with commas between; it has "${unknown}".`,
    );
  }
  const roles = new Set(names.flatMap((name) => ROLES.find((role) => role === name) ?? []));
  if (!realStack && roles.size < ROLES.length) {
    throw new ConfigError(
      `ROLES=${given}: with the embedded store one process does everything. Set EVENTSTORE_URL, MONGODB_URL and KAFKA_BROKERS to share the work, or leave ROLES out.`,
    );
  }
  return roles;
}

function text(env: Env, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

const ADMIN_TOKEN_LENGTH = 16;

/** It opens everything of every company, and nothing slows down who guesses it long enough. The value is never repeated. */
function adminToken(env: Env): string | null {
  const value = text(env, 'RECADO_ADMIN_TOKEN');
  if (value === null || new RegExp(`^[!-~]{${ADMIN_TOKEN_LENGTH},}$`).test(value)) return value;
  throw new ConfigError(
    `RECADO_ADMIN_TOKEN must be at least ${ADMIN_TOKEN_LENGTH} letters, digits or signs of ASCII, without spaces: it opens the whole admin API. Make one with: openssl rand -hex 32. Without the setting, Recado derives one from the master key.`,
  );
}

function oneOf(env: Env, name: string, values: readonly string[], fallback: string): string {
  const value = text(env, name)?.toLowerCase() ?? fallback;
  if (values.includes(value)) return value;
  throw new ConfigError(`${name} must be one of ${values.join(', ')}; it is "${value}".`);
}

/** A name or an address, without scheme and port: it becomes part of published URLs. */
function host(env: Env, name: string, fallback: string): string {
  const value = text(env, name) ?? fallback;
  const inUrl = value.includes(':') ? `[${value}]` : value;
  if (!/[/@?#]/.test(value) && URL.canParse(`http://${inUrl}`)) return value;
  throw new ConfigError(`${name} must be a host name or an IP address; it is "${value}".`);
}

function number(env: Env, name: string, fallback: number, range: { min: number; max: number }): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const parsed = Number(value);
  if (!Number.isFinite(parsed) || parsed < range.min || parsed > range.max) {
    throw new ConfigError(`${name} must be a number from ${range.min} to ${range.max}; it is "${value}".`);
  }
  return parsed;
}

/** `off` removes the limit. */
function rate(env: Env, name: string, fallback: number): number {
  return text(env, name) === 'off' ? Infinity : number(env, name, fallback, { min: 0.1, max: 1_000_000 });
}

function flag(env: Env, name: string, fallback: boolean): boolean {
  const value = text(env, name)?.toLowerCase();
  if (value === undefined) return fallback;
  if (['on', 'true', '1', 'yes'].includes(value)) return true;
  if (['off', 'false', '0', 'no'].includes(value)) return false;
  throw new ConfigError(`${name} must be on or off; it is "${value}".`);
}

function url(env: Env, name: string): string | null {
  const value = text(env, name);
  if (value === null) return null;
  try {
    const parsed = new URL(value);
    if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') throw new Error('scheme');
    return value.replace(/\/+$/, '');
  } catch {
    throw new ConfigError(`${name} must be an http(s) address; it is "${value}".`);
  }
}

/** An address to which paths are appended: behind a query or a fragment they would belong to that. */
function baseUrl(env: Env, name: string): string | null {
  const value = url(env, name);
  if (value === null || !/[?#]/.test(value)) return value;
  throw new ConfigError(`${name} must be an address without a query or a fragment; it is "${value}".`);
}

/** On by default only in a demo that listens on this machine alone. */
function readConsole(env: Env, demo: boolean): Config['console'] {
  const local = LOOPBACK.has(host(env, 'HOST', '127.0.0.1'));
  if (!flag(env, 'CONSOLE', demo && local)) return null;
  const hosts = text(env, 'CONSOLE_HOSTS') ?? '';
  return {
    hosts: hosts
      .split(',')
      .map((name) => name.trim().toLowerCase())
      .filter((name) => name !== ''),
  };
}

/** Codes and cookies must not cross a network in the clear, and the provider sends browsers to one address only. */
function readOidc(env: Env, demo: boolean, roles: ReadonlySet<Role>): OidcSettings | null {
  const oidc = explained(() => readOidcSettings(env));
  if (oidc === null || !roles.has('api')) return oidc;
  if (readConsole(env, demo) === null) {
    throw new ConfigError('OIDC_ISSUER is set, and the console is off. Set CONSOLE=on too.');
  }
  const apart = readOperators(env);
  const own = `http://${hostInUrl(apart?.host ?? host(env, 'HOST', '127.0.0.1'))}`;
  const home = baseUrl(env, 'CONSOLE_URL') ?? (apart === null ? baseUrl(env, 'PUBLIC_URL') : null) ?? own;
  const { protocol, hostname } = new URL(home);
  if (protocol === 'https:' || LOOPBACK.has(hostname.replace(/^\[|\]$/g, ''))) return oidc;
  throw new ConfigError(
    `OIDC_ISSUER is set, and browsers would come back to ${home}. Set CONSOLE_URL to the https address of the console, such as https://console.example.com.`,
  );
}
