import { expect } from 'chai';
import { silentLogger } from '../../ports/logger.js';
import { createProxyWatch, proxyFindings } from '../../runtime/proxies.js';

describe('TRUSTED_PROXIES and what comes in', () => {
  /** The warnings after these requests, which are the same in the log and in the doctor's findings. */
  function warned(trusted: number, requests: readonly (readonly [url: string, forwarded?: string])[]) {
    const log: string[] = [];
    const watch = createProxyWatch(trusted, { ...silentLogger, warn: (_, text) => void log.push(text) });
    for (const [url, forwarded] of requests)
      watch.saw({ url, headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded } });
    expect(watch.warnings()).to.deep.equal(log);
    const statuses = proxyFindings(watch).map(({ status }) => status);
    expect(statuses).to.deep.equal(log.length === 0 ? ['ok'] : log.map(() => 'warn'));
    return log;
  }

  it('fit, with and without a proxy', () => {
    expect(warned(0, [['/api/v1/messages']])).to.deep.equal([]);
    expect(warned(1, [['/loja/a', '203.0.113.1']])).to.deep.equal([]);
    expect(warned(1, [['/loja/a', '198.51.100.7, 203.0.113.1']])).to.deep.equal([]);
    expect(warned(2, [['/robots.txt', '198.51.100.7, 203.0.113.1']])).to.deep.equal([]);
  });

  it('warn once of a proxy that is not counted', () => {
    const log = warned(0, [
      ['/loja/a', '203.0.113.1'],
      ['/api/v1/messages', '203.0.113.2'],
    ]);
    expect(log).to.have.length(1);
    expect(log[0]).to.match(/TRUSTED_PROXIES is 0/);
  });

  it('warn once of requests that passed fewer proxies than are trusted', () => {
    const log = warned(2, [
      ['/loja/a', '203.0.113.1'],
      ['/loja/b', '203.0.113.1'],
    ]);
    expect(log).to.have.length(1);
    expect(log[0]).to.match(/1 instead of 2/);
    expect(warned(1, [['/api/v1/messages']])[0]).to.match(/0 instead of 1/);
  });

  it('say nothing of probes and operators, who come past the proxy', () => {
    const paths = ['/healthz', '/readyz', '/metrics', '/admin/v1/status', '/api/v10'];
    expect(
      warned(
        1,
        paths.map((path) => [path]),
      ),
    ).to.deep.equal([]);
  });
});
