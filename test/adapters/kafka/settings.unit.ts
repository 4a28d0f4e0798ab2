import { expect } from 'chai';
import { readKafkaSettings } from '../../../adapters/kafka/settings.js';

describe('kafka: settings', () => {
  const refusal = (env: Record<string, string>): string => {
    try {
      readKafkaSettings({ KAFKA_BROKERS: 'a:1', ...env });
    } catch (error) {
      return (error as Error).message;
    }
    throw new Error('it should have been refused');
  };
  const login = { KAFKA_SASL_MECHANISM: 'SCRAM-SHA-512', KAFKA_USERNAME: 'u', KAFKA_PASSWORD: 's3cret' };

  it('reads brokers, and takes plain text without a login for granted', () => {
    expect(readKafkaSettings({ KAFKA_BROKERS: ' a.b-c:9092, 10.0.0.1:1,[::1]:65535 ' })).to.deep.equal({
      brokers: ['a.b-c:9092', '10.0.0.1:1', '[::1]:65535'],
      tls: false,
      sasl: null,
    });
  });

  it('reads TLS and a login', () => {
    expect(readKafkaSettings({ KAFKA_BROKERS: 'a:1', KAFKA_TLS: 'ON', ...login })).to.deep.equal({
      brokers: ['a:1'],
      tls: true,
      sasl: { mechanism: 'scram-sha-512', username: 'u', password: 's3cret' },
    });
  });

  for (const brokers of ['a', 'a:', ':1', 'a:0', 'a:65536', 'a:1,,b:2', 'a:1 b:2']) {
    it(`refuses the brokers "${brokers}"`, () => {
      expect(refusal({ KAFKA_BROKERS: brokers })).to.match(/^KAFKA_BROKERS must be host:port/);
    });
  }

  it('refuses a URL without repeating it, as it may hold a password', () => {
    const said = refusal({ KAFKA_BROKERS: 'sasl://u:s3cret@a:1' });
    expect(said).to.match(/no URLs/);
    expect(said).not.to.include('s3cret');
  });

  it('names what is missing, and what is not known', () => {
    expect(() => readKafkaSettings({})).to.throw('KAFKA_BROKERS is not set');
    expect(refusal({ KAFKA_TLS: 'yes' })).to.equal('KAFKA_TLS must be on or off; it is "yes".');
    expect(refusal({ KAFKA_USERNAME: 'u' })).to.match(/^KAFKA_SASL_MECHANISM and KAFKA_PASSWORD missing/);
    expect(refusal({ ...login, KAFKA_SASL_MECHANISM: 'gssapi' })).to.match(
      /must be one of plain, scram-sha-256/,
    );
  });
});
