/** Address and credentials of Kafka, from environment settings. */

export interface KafkaSettings {
  /** `host:port`. */
  readonly brokers: readonly string[];
  readonly tls: boolean;
  readonly sasl: Sasl | null;
}

export interface Sasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: string;
}

const MECHANISMS: readonly Sasl['mechanism'][] = ['plain', 'scram-sha-256', 'scram-sha-512'];
const CREDENTIALS = ['KAFKA_SASL_MECHANISM', 'KAFKA_USERNAME', 'KAFKA_PASSWORD'];

/**
 * KAFKA_BROKERS: `host:port,host:port`. KAFKA_TLS: `on` or `off` (the default; certificates of a private authority go
 * into NODE_EXTRA_CA_CERTS). KAFKA_SASL_MECHANISM, KAFKA_USERNAME and KAFKA_PASSWORD: all three or none.
 * @throws Error with one sentence that names the variable and the values it accepts, never a password
 */
export function readKafkaSettings(env: Readonly<Record<string, string | undefined>>): KafkaSettings {
  return { brokers: readBrokers(text(env, 'KAFKA_BROKERS')), tls: readTls(env), sasl: readSasl(env) };
}

function readBrokers(given: string | null): readonly string[] {
  if (given === null)
    throw new Error('KAFKA_BROKERS is not set. It takes host:port, or several with commas.');
  return given
    .split(',')
    .map((broker) => broker.trim())
    .map((broker) => {
      const port = Number(/^(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(broker)?.[1]);
      if (port >= 1 && port <= 65_535) return broker;
      throw new Error(
        broker.includes('@') || broker.includes('://')
          ? 'KAFKA_BROKERS takes host:port with commas between, no URLs; a user goes into KAFKA_USERNAME and KAFKA_PASSWORD.'
          : `KAFKA_BROKERS must be host:port, with commas between; it has "${broker}".`,
      );
    });
}

function readTls(env: Readonly<Record<string, string | undefined>>): boolean {
  const given = text(env, 'KAFKA_TLS')?.toLowerCase() ?? 'off';
  if (given !== 'on' && given !== 'off') throw new Error(`KAFKA_TLS must be on or off; it is "${given}".`);
  return given === 'on';
}

function readSasl(env: Readonly<Record<string, string | undefined>>): Sasl | null {
  const missing = CREDENTIALS.filter((name) => text(env, name) === null);
  if (missing.length === CREDENTIALS.length) return null;
  const [given, username] = [text(env, 'KAFKA_SASL_MECHANISM')?.toLowerCase(), text(env, 'KAFKA_USERNAME')];
  const password = env['KAFKA_PASSWORD'];
  if (missing.length > 0 || given === undefined || username === null || password === undefined) {
    throw new Error(
      `${missing.join(' and ')} missing: ${CREDENTIALS.join(', ')} go together, or not at all.`,
    );
  }
  const mechanism = MECHANISMS.find((known) => known === given);
  if (mechanism === undefined) {
    throw new Error(`KAFKA_SASL_MECHANISM must be one of ${MECHANISMS.join(', ')}; it is "${given}".`);
  }
  return { mechanism, username, password };
}

function text(env: Readonly<Record<string, string | undefined>>, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}
