/** The admin API and the metrics on an address of their own (ADMIN_HOST, ADMIN_PORT). */
import { expect } from 'chai';
import { run } from '../cli/run.js';
import { startProduct } from '../support/e2e/product.js';
import { TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { opened } from '../support/opened.js';

describe('operators with an address of their own', function () {
  this.timeout(TEST_TIMEOUT_MS);
  if (process.env['RECADO_E2E_STACK'] === 'real') return;
  const product = opened(() => startProduct({ ADMIN_PORT: '0', DEMO: 'on' }));

  const statusOf = async (path: string, base: string): Promise<number> => {
    const answer = await fetch(base + path, { redirect: 'manual' });
    await answer.body?.cancel();
    return answer.status;
  };
  const INSIDE = ['/metrics', '/admin/v1/openapi.json', '/docs/admin', '/docs/admin/openapi.json'];
  const PUBLIC = ['/api/v1/openapi.json', '/docs', '/docs/openapi.json', '/robots.txt', '/inbox'];

  it('find what is theirs there, and nobody finds it elsewhere', async () => {
    const { url, operatorsUrl } = product.running;
    expect(operatorsUrl).not.to.equal(url);
    for (const path of INSIDE) {
      expect(await statusOf(path, operatorsUrl), path).to.equal(200);
      expect(await statusOf(path, url), path).to.equal(404);
    }
    expect(await statusOf('/admin/v1/status', operatorsUrl)).to.equal(401);
    expect(await statusOf('/admin/v1/status', url)).to.equal(404);
  });

  it('find nothing there of what is for everybody', async () => {
    const { url, operatorsUrl } = product.running;
    for (const path of PUBLIC) {
      // It leads to the console.
      expect(await statusOf(path, url), path).to.equal(path === '/inbox' ? 302 : 200);
      expect(await statusOf(path, operatorsUrl), path).to.equal(404);
    }
  });

  it('ask for health at both', async () => {
    const { url, operatorsUrl } = product.running;
    for (const base of [url, operatorsUrl]) {
      for (const path of ['/healthz', '/readyz']) expect(await statusOf(path, base), path).to.equal(200);
    }
  });

  it('are found by the command line', async () => {
    const ran = await run(['status', '--json'], { env: { RECADO_DATA_DIR: product.dataDir } });
    expect(ran.code, ran.stderr).to.equal(0);
  });
});

describe('addresses', function () {
  this.timeout(TEST_TIMEOUT_MS);
  if (process.env['RECADO_E2E_STACK'] === 'real') return;
  const product = opened(() => startProduct({}));

  it('are not found in another case, which a proxy may let pass', async () => {
    for (const path of ['/ADMIN/v1/status', '/Metrics', '/API/v1/channels', '/Docs', '/docs/Admin']) {
      const answer = await fetch(product.running.url + path);
      await answer.body?.cancel();
      expect(answer.status, path).to.equal(404);
    }
  });

  it('of the documentation for operators show the admin contract', async () => {
    const page = await (await fetch(`${product.running.url}/docs/admin`)).text();
    expect(page).to.include('Recado admin API reference').and.to.include('/docs/admin/assets/init.js');
    const script = await (await fetch(`${product.running.url}/docs/admin/assets/init.js`)).text();
    expect(script).to.include("url: '/docs/admin/openapi.json'");
    for (const path of ['/docs/admin/openapi.json', '/admin/v1/openapi.json']) {
      const { paths } = (await (await fetch(product.running.url + path)).json()) as { paths: object };
      expect(Object.keys(paths), path).to.include('/companies');
    }
  });
});
