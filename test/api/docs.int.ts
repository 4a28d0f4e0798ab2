import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import express from 'express';
import type { Browser } from 'playwright-core';
import { loadContract, operationsOf } from '../../api/contract.js';
import { docsRouter, openapiJsonHandler } from '../../api/docs-page.js';
import { launchBrowser, openPage, skipWithoutBrowser } from '../support/browser.js';
import { projectFile } from '../support/root.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';

const VIEWER = '/docs/assets/scalar-api-reference-1.46.4.js';
// The viewer's schema library tries `new Function('')` once, inside try/catch, and works without it when it is refused.
const EVAL_PROBE = 'script-src eval';
const contract = loadContract();
const ORIGIN = 'https://recado.example.com';

describe('the reference page', () => {
  const server = opened(() => {
    const app = express();
    app.get('/api/v1/openapi.json', openapiJsonHandler(contract));
    app.use('/docs', docsRouter(contract, { path: '/docs', title: 'Recado API reference', origin: ORIGIN }));
    return serve(app);
  });

  it('serves the contract as JSON without authentication, and 304 for the tag it gave', async () => {
    const first = await fetch(`${server.origin}/api/v1/openapi.json`);
    expect(first.status).to.equal(200);
    expect(first.headers.get('content-type')).to.match(/^application\/json/);
    expect(await first.text()).to.equal(contract.json);
    const etag = first.headers.get('etag') ?? '';
    // fetch requests gzip, and the compressed response has another ETag.
    expect(etag).to.equal(contract.etag.replace(/"$/, '-gzip"'));
    const again = await fetch(`${server.origin}/api/v1/openapi.json`, { headers: { 'if-none-match': etag } });
    expect(again.status).to.equal(304);
    const other = await fetch(`${server.origin}/api/v1/openapi.json`, {
      headers: { 'if-none-match': '"other"' },
    });
    expect(other.status).to.equal(200);
    // An unread body would keep its connection open.
    await other.body?.cancel();
  });

  it('serves the page under its own policy, without inline scripts', async () => {
    const answer = await fetch(`${server.origin}/docs`);
    expect(answer.status).to.equal(200);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.to.include("script-src 'self';");
    const html = await answer.text();
    const scripts = [...html.matchAll(/<script([^>]*)>([^<]*)<\/script>/g)];
    expect(scripts).to.have.length(2);
    for (const [, attributes, body] of scripts) {
      expect(attributes).to.match(/src="\/docs\/assets\//);
      expect(body).to.equal('');
    }
  });

  it('serves the contract as a Postman collection too', async () => {
    const answer = await fetch(`${server.origin}/docs/postman.json`);
    expect(answer.headers.get('content-type')).to.match(/^application\/json/);
    const collection = await answer.json();
    expect(collection).to.have.nested.property('info.schema').that.includes('v2.1.0');
    expect(collection).to.have.nested.property('variable[0].value', `${ORIGIN}/api/v1`);
  });

  it('serves the viewer unchanged, cached for good under its versioned name', async () => {
    const answer = await fetch(`${server.origin}${VIEWER}`);
    expect(answer.headers.get('cache-control')).to.include('immutable');
    const sum = createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
    const readme = readFileSync(projectFile('api/docs/vendor/README.md'), 'utf8');
    expect(readme).to.include(sum);
  });

  describe('in Chromium', () => {
    let browser: Browser | undefined;

    before(async function () {
      skipWithoutBrowser(this);
      browser = await launchBrowser();
    });

    after(async () => {
      await browser?.close();
    });

    it('shows every operation, asks no other host for anything and breaks no rule of its policy', async function () {
      this.timeout(180_000);
      if (!browser) throw new Error('no browser');
      const page = await openPage(browser, { viewport: { width: 1400, height: 900 } });
      const foreign: string[] = [];
      const failures: string[] = [];
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith(`${server.origin}/`) && !/^(data|blob):/.test(url)) foreign.push(url);
      });
      page.on('console', (message) => {
        if (message.type() === 'error') failures.push(message.text());
      });
      page.on('pageerror', (error) => failures.push(String(error)));
      // Collects violations of the policy, including those that are not logged.
      await page.addInitScript({
        content: `window.refused = [];
          addEventListener('securitypolicyviolation', (e) => refused.push(e.violatedDirective + ' ' + e.blockedURI));`,
      });

      await page.goto(`${server.origin}/docs`);
      await page.getByRole('heading', { name: contract.document.info.title }).first().waitFor();
      const headings = page.getByRole('heading');
      await headings.filter({ hasText: 'An order was created' }).waitFor({ state: 'attached' });
      const shown = (await headings.allInnerTexts()).map((text) => text.trim());
      const summaries = operationsOf(contract.document).map(({ method, path }) =>
        String(contract.document.paths[path]?.[method.toLowerCase()]?.['summary']),
      );
      expect(shown).to.include.members(summaries);
      const shot = process.env['DOCS_SCREENSHOT'];
      if (shot) await page.screenshot({ path: shot });

      expect(foreign).to.deep.equal([]);
      const refused = await page.evaluate<string[]>('refused');
      expect(refused.filter((violation) => violation !== EVAL_PROBE)).to.deep.equal([]);
      expect(failures).to.deep.equal([]);
      await page.close();
    });
  });
});
