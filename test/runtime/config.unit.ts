import { expect } from 'chai';
import { ConfigError, readConfig } from '../../runtime/config.js';

describe('configuration', () => {
  it('of an empty environment is a demo on the loopback address', () => {
    expect(readConfig({}, true)).to.include({ host: '127.0.0.1', port: 8080, demo: true, logLevel: 'warn' });
    expect(readConfig({}, false).logLevel).to.equal('info');
  });

  it('takes host names, addresses of both families, and empty as unset', () => {
    for (const host of ['0.0.0.0', '::', '::1', 'localhost', 'recado.internal']) {
      expect(readConfig({ HOST: host }, false).host).to.equal(host);
    }
    expect(readConfig({ HOST: ' ', LOG_LEVEL: '' }, false)).to.include({
      host: '127.0.0.1',
      logLevel: 'info',
    });
  });

  const wrong: Readonly<Record<string, string>> = {
    PORT: 'http',
    HOST: '999.1.1.1',
    DEMO: 'maybe',
    LOG_LEVEL: 'loud',
    WHATSAPP_API_URL: 'graph.facebook.com',
    CHANNEL_RATE_PER_SECOND: '-1',
    EVENTSTORE_URL: 'esdb://localhost',
    ADMIN_HOST: '127.0.0.1',
    ADMIN_PORT: '8080',
  };
  for (const [name, value] of Object.entries(wrong)) {
    it(`says what is wrong with ${name}`, () => {
      expect(() => readConfig({ [name]: value }, false)).to.throw(ConfigError, name);
    });
  }

  it('refuses an admin token that could be guessed or not be sent, and does not repeat it', () => {
    for (const token of ['x', 'hunter2', '123456789012345', 'admin token of the shop', 'senha-da-loja-é-ã']) {
      expect(() => readConfig({ RECADO_ADMIN_TOKEN: token }, false), token)
        .to.throw(ConfigError, 'RECADO_ADMIN_TOKEN must be at least 16')
        .with.property('message')
        .that.includes('openssl rand -hex 32')
        .and.does.not.include(token === 'x' ? '"x"' : token);
    }
    for (const token of ['1234567890123456', 'a'.repeat(64)]) {
      expect(readConfig({ RECADO_ADMIN_TOKEN: token }, false).adminToken).to.equal(token);
    }
    expect(readConfig({ RECADO_ADMIN_TOKEN: ' ' }, false).adminToken).to.equal(null);
  });

  it('gives operators an address of their own where they have a port', () => {
    expect(readConfig({}, false).operators).to.equal(null);
    expect(readConfig({ ADMIN_PORT: '9090' }, false).operators).to.deep.equal({
      host: '127.0.0.1',
      port: 9090,
    });
    expect(readConfig({ ADMIN_PORT: '9090', ADMIN_HOST: '10.0.0.1' }, false).operators).to.deep.equal({
      host: '10.0.0.1',
      port: 9090,
    });
  });

  it('refuses a host with a scheme, a port or a path', () => {
    for (const host of ['http://x', 'x:8080', 'x/y', 'a@b']) {
      expect(() => readConfig({ HOST: host }, false), host).to.throw(ConfigError, 'HOST');
    }
  });
});
