import { expect } from 'chai';
import { readOidcSettings } from '../../../adapters/oidc/settings.js';
import { ConfigError, readConfig } from '../../../runtime/config.js';

const SET = {
  OIDC_ISSUER: 'https://login.loja.example/realms/loja',
  OIDC_CLIENT_ID: 'recado',
  OIDC_CLIENT_SECRET: 'a secret',
};

describe('settings of the identity provider', () => {
  it('are all or none, and the button has the host of the issuer where no name is set', () => {
    expect(readOidcSettings({ OIDC_ISSUER: ' ' })).to.equal(null);
    expect(readOidcSettings(SET)).to.deep.equal({
      issuer: SET.OIDC_ISSUER,
      clientId: 'recado',
      clientSecret: 'a secret',
      name: 'login.loja.example',
    });
    expect(readOidcSettings({ ...SET, OIDC_NAME: ' Loja ID ' })?.name).to.equal('Loja ID');
  });

  it('that are set in part are refused, with what is missing', () => {
    for (const name of Object.keys(SET)) {
      const rest = { ...SET, [name]: '' };
      expect(() => readOidcSettings(rest), name).to.throw(`${name} is not. Set all of OIDC_ISSUER`);
    }
    expect(() => readOidcSettings({ OIDC_NAME: 'Loja ID' })).to.throw('OIDC_NAME is set, OIDC_ISSUER and');
  });

  it('name an https address, or a provider on this machine', () => {
    for (const issuer of ['http://localhost:8080/realms/x', 'http://127.0.0.1:1', 'http://[::1]:1']) {
      expect(readOidcSettings({ ...SET, OIDC_ISSUER: issuer })?.issuer).to.equal(issuer);
    }
    const wrong = [
      'http://login.loja.example',
      'login.loja.example',
      'ftp://x',
      'https://x?a=1',
      'https://u@x',
    ];
    for (const issuer of wrong) {
      expect(() => readOidcSettings({ ...SET, OIDC_ISSUER: issuer }), issuer).to.throw(
        'OIDC_ISSUER must be the https',
      );
    }
    expect(() => readOidcSettings({ ...SET, OIDC_NAME: 'x'.repeat(41) })).to.throw(
      'OIDC_NAME is written on a button',
    );
  });

  const config = (env: Readonly<Record<string, string>>) => readConfig({ ...SET, ...env }, false);

  it('need the console, and an address of it to which a browser may come back with a code', () => {
    expect(config({}).oidc?.clientId).to.equal('recado');
    expect(() => config({ CONSOLE: 'off' })).to.throw(
      ConfigError,
      'OIDC_ISSUER is set, and the console is off.',
    );
    const open = { CONSOLE: 'on', HOST: '0.0.0.0' };
    expect(config(open).oidc, 'back to this machine').not.to.equal(null);
    expect(() => config({ ...open, HOST: '10.0.0.1' })).to.throw(
      ConfigError,
      'browsers would come back to http://10.0.0.1. Set CONSOLE_URL',
    );
    for (const plain of ['http://recado.example', 'http://10.0.0.1:8080']) {
      expect(() => config({ ...open, PUBLIC_URL: plain }), plain).to.throw(ConfigError, plain);
      expect(() => config({ ...open, CONSOLE_URL: plain }), plain).to.throw(ConfigError, plain);
    }
    const https = 'https://recado.example';
    expect(config({ ...open, PUBLIC_URL: https }).oidc).not.to.equal(null);
    expect(config({ ...open, CONSOLE_URL: https }).consoleUrl).to.equal(https);
    // Of the admin API with an address of its own, PUBLIC_URL says nothing.
    const apart = { ...open, PUBLIC_URL: https, ADMIN_PORT: '9090' };
    expect(config(apart).oidc, 'this machine only').not.to.equal(null);
    expect(() => config({ ...apart, ADMIN_HOST: '10.0.0.1' })).to.throw(ConfigError, 'http://10.0.0.1');
  });

  it('say nothing of the secret when they are wrong', () => {
    for (const wrong of [{ OIDC_ISSUER: 'x' }, { OIDC_CLIENT_ID: '' }, { CONSOLE: 'off' }]) {
      expect(() => config(wrong))
        .to.throw(ConfigError)
        .with.property('message')
        .not.to.include('a secret');
    }
  });
});
