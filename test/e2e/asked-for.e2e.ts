/** What is asked of the server is in the history and in the audit, whichever stores it has. */
import { expect } from 'chai';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { startProduct } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';

interface Entry {
  readonly type: string;
  readonly stream: string;
  readonly company_uuid: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe('what is asked of the server', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = opened(async () => {
    const started = await startProduct({ CONSOLE: 'on' });
    return Object.assign(started, { close: () => started.stop() });
  });
  const audited = (query: string, count: number) =>
    eventually(
      async () => {
        const found = await product.admin<readonly Entry[]>('GET', `/audit?limit=100${query}`);
        const asked = found.filter(({ type }) => type === 'UpkeepRequested');
        return asked.length >= count ? asked : undefined;
      },
      { what: `${count} acts in the audit` },
    );

  it('is recorded once for each call, also of many at once', async () => {
    await Promise.all(
      Array.from({ length: 10 }, () => product.admin('POST', '/session/links', undefined, 201)),
    );
    await product.admin('DELETE', '/projections/orders/versions/77', undefined, 409);
    const asked = await audited('', 11);
    expect(asked).to.have.length(11);
    expect(asked[0]!.details).to.deep.equal({
      operation: 'dropProjectionVersion',
      name: 'orders',
      version: '77',
    });
    expect(new Set(asked.map(({ stream }) => stream)).size).to.equal(1);
    const events = await product.admin<readonly Entry[]>(
      'GET',
      `/events?stream=${asked[0]!.stream}&limit=100`,
    );
    expect(events).to.have.length(11);
  });

  it('is of the company whose webhooks it is about', async () => {
    const at = `/companies/${product.company}`;
    const { uuid } = await product.admin<{ readonly uuid: string }>('POST', `${at}/integrations`, {
      name: 'ERP',
    });
    const endpoint = await product.admin<{ readonly uuid: string }>(
      'POST',
      `/integrations/${uuid}/webhooks`,
      { url: 'https://hooks.example/recado', enabled: false },
    );
    await product.admin('POST', `/webhooks/${endpoint.uuid}/redeliver-failed`, { dry_run: true });
    const [asked, ...others] = await audited(`&company=${product.company}`, 1);
    expect(others).to.deep.equal([]);
    expect(asked).to.deep.include({
      company_uuid: product.company,
      details: { operation: 'redeliverFailed', endpoint_uuid: endpoint.uuid },
    });
  });
});
