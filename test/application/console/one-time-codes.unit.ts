import { expect } from 'chai';
import {
  codeOf,
  enrolmentUri,
  newRecoveryCodes,
  newSecret,
  recoveryDigest,
  stepOf,
} from '../../../application/console/one-time-codes.js';

/** `12345678901234567890` in base 32: the secret of RFC 6238, appendix B. */
const RFC = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('codes of an authenticator app', () => {
  it('are those of RFC 6238', () => {
    for (const [seconds, code] of [
      [59, '287082'],
      [1111111109, '081804'],
      [1111111111, '050471'],
      [1234567890, '005924'],
      [2000000000, '279037'],
      [20000000000, '353130'],
    ] as const) {
      expect(codeOf(RFC, seconds * 1000), String(seconds)).to.equal(code);
    }
  });

  it('count half a minute before and after, and once', () => {
    const now = 1_111_111_111_000;
    const step = stepOf(RFC, '050 471', now, 0)!;
    expect(step).to.equal(Math.floor(now / 30_000));
    for (const ms of [-30_000, 0, 30_000])
      expect(stepOf(RFC, '050471', now + ms, 0), String(ms)).to.equal(step);
    for (const ms of [-60_000, 60_000]) expect(stepOf(RFC, '050471', now + ms, 0), String(ms)).to.equal(null);
    expect(stepOf(RFC, '050471', now, step), 'used').to.equal(null);
    for (const wrong of ['', '05047', '0504711', '050472', 'abcdef']) {
      expect(stepOf(RFC, wrong, now, 0), wrong).to.equal(null);
    }
  });

  it('come of secrets of 160 random bits, which an app reads from an address', () => {
    const secret = newSecret();
    expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(newSecret()).not.to.equal(secret);
    const uri = new URL(enrolmentUri(secret, 'ana@loja.example'));
    expect([uri.protocol, uri.searchParams.get('secret')]).to.deep.equal(['otpauth:', secret]);
    expect(uri.href).to.include('ana%40loja.example');
  });
});

describe('recovery codes', () => {
  it('are ten different ones, known again however they are typed', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).to.equal(10);
    for (const code of codes) expect(code).to.match(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/);
    const [code = ''] = codes;
    expect(recoveryDigest(` ${code.toUpperCase().replaceAll('-', ' ')}`)).to.equal(recoveryDigest(code));
    expect(recoveryDigest(code)).not.to.include(code);
  });
});
