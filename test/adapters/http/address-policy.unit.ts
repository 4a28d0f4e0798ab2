import { expect } from 'chai';
import {
  classifyAddress,
  inspectUrl,
  mistakeInUrl,
  PUBLIC_PORTS,
} from '../../../adapters/http/address-policy.js';

const none = { allowPrivate: 'none', publicPorts: new Set(PUBLIC_PORTS) } as const;
const loopback = { ...none, allowPrivate: 'loopback' } as const;
const all = { ...none, allowPrivate: 'all' } as const;

describe('address policy', () => {
  const classes: Readonly<Record<string, readonly string[]>> = {
    public: ['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111', '2a00:1450:4001:800::200e'],
    loopback: ['127.0.0.1', '127.255.255.254', '::1'],
    private: [
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '100.64.0.1',
      'fc00::1',
      'fd12:3456::1',
    ],
    forbidden: [
      '0.0.0.0',
      '0.1.2.3',
      '169.254.169.254',
      '192.0.0.1',
      '192.0.2.1',
      '192.88.99.1',
      '198.18.0.1',
      '198.51.100.1',
      '203.0.113.1',
      '224.0.0.1',
      '240.0.0.1',
      '255.255.255.255',
      '::',
      '::7f00:1',
      '::5efe:7f00:1',
      '::ffff:127.0.0.1',
      '::ffff:8.8.8.8',
      '::ffff:0:127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b::a9fe:a9fe',
      '64:ff9b:1::7f00:1',
      '100::1',
      '2001::1',
      '2001:db8::1',
      '2001:10::1',
      '2001:20::1',
      '2002:7f00:1::',
      '3fff::1',
      '5f00::1',
      'fe80::1',
      'fec0::1',
      'ff02::1',
      'not an address',
    ],
  };
  for (const [kind, addresses] of Object.entries(classes)) {
    for (const address of addresses) {
      it(`calls ${address} ${kind}`, () => expect(classifyAddress(address)).to.equal(kind));
    }
  }

  describe('URLs refused everywhere', () => {
    for (const url of [
      'ftp://example.com/',
      'file:///etc/passwd',
      'https://user@example.com/',
      'https://user:secret@example.com/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[fe80::1]/',
      'http://0.0.0.0/',
      'not a url',
      '',
    ]) {
      it(url === '' ? '(empty)' : url, () => {
        for (const policy of [none, loopback, all]) expect(inspectUrl(url, policy).ok).to.equal(false);
      });
    }
  });

  describe('spellings of 127.0.0.1', () => {
    for (const url of [
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0177.0.0.1/',
      'http://127.1/',
      'http://127.0.0.1./',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://a.localhost/',
      'http://[::1]/',
    ]) {
      it(`${url} is loopback`, () => {
        expect(inspectUrl(url, none)).to.deep.include({ ok: false, failure: 'blocked_address' });
        expect(inspectUrl(url, loopback).ok).to.equal(true);
      });
    }
    for (const url of [
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://[::7f00:1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://[64:ff9b::127.0.0.1]/',
      'http://[2002:7f00:1::]/',
    ]) {
      it(`${url} is refused under every policy`, () => {
        for (const policy of [none, loopback, all]) expect(inspectUrl(url, policy).ok).to.equal(false);
      });
    }
  });

  it('opens only web ports to public addresses and any port to allowed local ones', () => {
    expect(inspectUrl('https://example.com/hook', none).ok).to.equal(true);
    expect(inspectUrl('https://example.com:8443/hook', none).ok).to.equal(true);
    expect(inspectUrl('https://example.com:6379/', none)).to.deep.include({ failure: 'invalid_url' });
    expect(inspectUrl('http://8.8.8.8:53/', all)).to.deep.include({ failure: 'invalid_url' });
    expect(inspectUrl('http://127.0.0.1:6379/', none).ok).to.equal(false);
    expect(inspectUrl('http://127.0.0.1:6379/', loopback).ok).to.equal(true);
    expect(inspectUrl('http://10.0.0.1:9000/', loopback).ok).to.equal(false);
    expect(inspectUrl('http://10.0.0.1:9000/', all).ok).to.equal(true);
    expect(inspectUrl('http://receiver.test:9000/', none).ok).to.equal(false);
    const named = inspectUrl('http://receiver.test:9000/', loopback);
    expect(named.ok && named.target.localOnly).to.equal(true);
  });

  describe('addresses that somebody sets', () => {
    const mistake = (url: string, policy: Parameters<typeof mistakeInUrl>[1] = none) =>
      mistakeInUrl(url, policy);
    for (const [url, reason] of [
      ['https://shop.example.com/a#b', 'a fragment'],
      ['https://shop.example.com/#', 'a fragment'],
      ['https://shop.example.com/a b', 'without spaces'],
      [' https://shop.example.com/', 'written as'],
      ['https://shop.example.com/\na', 'without spaces'],
      ['https:shop.example.com', 'written as'],
      ['https:///shop.example.com', 'written as'],
      ['https:/\\shop.example.com', 'written as'],
      ['https://shop.example.com:0/', 'port 0'],
      ['https://127.0.0.1:0/', 'port 0'],
      ['https://shop..com/', 'no name'],
      ['https://*.example.com/', 'no name'],
      ['https://-a.example.com/', 'no name'],
      [`https://${'a'.repeat(64)}.com/`, 'no name'],
      [`https://${'a.'.repeat(127)}com/`, 'no name'],
    ] as const) {
      it(`refuses ${JSON.stringify(url.slice(0, 40))} everywhere`, () => {
        for (const policy of [none, loopback, all]) expect(mistake(url, policy)).to.include(reason);
      });
    }

    for (const url of [
      'https://shop.example.com/a?b=c',
      'HTTPS://SHOP.EXAMPLE.COM',
      'https://shop_x.example.com./',
      'https://exämple.com/',
      'https://1.1.1.1/x',
      'https://[2606:4700::1111]/x',
    ]) {
      it(`accepts ${url}`, () => expect(mistake(url)).to.equal(null));
    }

    it('accepts hosts without a dot, and plain http, only where the network is the own', () => {
      expect(mistake('https://shop/hook')).to.include('without a dot').and.include('WEBHOOK_ALLOW_PRIVATE');
      for (const policy of [loopback, all]) {
        for (const url of ['http://shop:3000/hook', 'http://localhost:3000/', 'http://[::1]:3000/']) {
          expect(mistake(url, policy), url).to.equal(null);
        }
      }
      expect(mistake('http://shop.example.com/')).to.include('plain http');
      expect(mistake('http://shop.example.com/', loopback)).to.include('only to this machine');
      expect(mistake('http://erp.internal/', all)).to.equal(null);
    });
  });
});
