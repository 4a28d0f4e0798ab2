/**
 * Files of the Cloud API, against the sandbox: two steps, an expiring address, and a token that goes only to the API.
 */
import { expect } from 'chai';
import { createWhatsAppMedia } from '../../../adapters/whatsapp/media.js';
import type { MediaFault } from '../../../sandbox/media-files.js';
import { startSandbox } from '../../../sandbox/sandbox.js';
import type { Sandbox } from '../../../sandbox/types.js';
import type { ProviderMedia } from '../../../ports/provider-media.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { eventually } from '../../support/e2e/eventually.js';
import { closedPort } from '../../support/closed-port.js';
import { opened } from '../../support/opened.js';
import { steppingClock } from '../../support/fakes/stepping-clock.js';
import { APP_SECRET } from '../../sandbox/support.js';
import { CREDENTIALS } from './support.js';
import { serve } from '../../support/servers.js';

const BYTES = Buffer.from('%PDF-1.4 the invoice');

describe('files of the Cloud API', () => {
  const nobody = opened(closedPort);
  let sandbox: Sandbox;
  let media: ProviderMedia;
  const clock = manualClock();
  const time = steppingClock();

  before(async () => {
    sandbox = await startSandbox({ appSecret: APP_SECRET, webhookUrl: null, clock, slowAnswerMs: 60_000 });
    media = createWhatsAppMedia({
      baseUrl: sandbox.url,
      graphVersion: 'v25.0',
      // The short limit ends the slow downloads; everything else must finish within these limits.
      timeouts: { describeMs: 20_000, downloadMs: 3_000 },
      clock: time,
    });
  });
  after(async () => {
    await media.close();
    await sandbox.close();
  });

  function file(...faults: MediaFault[]) {
    const kept = sandbox.media.put({ bytes: BYTES, mimeType: 'application/pdf' });
    sandbox.media.script(kept.id, faults);
    return kept;
  }
  async function fetched(id: string, maxBytes = 1024) {
    const described = await media.describe(CREDENTIALS, id);
    if (!described.ok) return described;
    const { url, size } = described.value;
    return media.download(CREDENTIALS, url, { maxBytes, expectedBytes: size });
  }

  it('are described, then downloaded', async () => {
    const { id, sha256 } = file();
    const described = await media.describe(CREDENTIALS, id);
    expect(described.ok && described.value).to.include({
      mimeType: 'application/pdf',
      sha256: Buffer.from(sha256, 'base64').toString('hex'),
      size: BYTES.length,
    });
    const got = await fetched(id);
    expect(got.ok && got.value).to.deep.equal({ bytes: BYTES, contentType: 'application/pdf' });
  });

  for (const [fault, expected] of [
    ['unknown', 'gone'],
    ['unauthorized', 'refused'],
    ['unavailable', 'unavailable'],
    ['expired', 'gone'],
    ['slow', 'unavailable'],
    ['cut', 'unavailable'],
    ['endless', 'too_large'],
    ['elsewhere', 'unsafe_url'],
  ] as const) {
    it(`${fault}: ${expected}, and right the next time`, async () => {
      const { id } = file(fault);
      const first = fetched(id);
      if (fault === 'slow') {
        await eventually(() => sandbox.media.asked(id).byAddress === 1);
        await time.advance(3_000);
      }
      expect(await first).to.include({ ok: false, fault: expected });
      expect(await fetched(id)).to.include({ ok: true });
    });
  }

  it('follow a move to the same host', async () => {
    expect(await fetched(file('moved').id)).to.include({ ok: true });
    expect(await fetched(file('moved', 'moved', 'moved', 'moved').id)).to.include({ fault: 'unavailable' });
  });

  it('end with their address, after five minutes', async () => {
    const { id } = file();
    const described = await media.describe(CREDENTIALS, id);
    const url = described.ok ? described.value.url : '';
    await clock.advance(300_000);
    const late = await media.download(CREDENTIALS, url, { maxBytes: 1024, expectedBytes: null });
    expect(late).to.include({ ok: false, fault: 'gone' });
    expect(await fetched(id)).to.include({ ok: true });
  });

  it('are cut off at the first byte too many, whatever was announced', async () => {
    const { id } = file();
    const { length } = BYTES;
    expect(await fetched(id, length)).to.include({ ok: true });
    expect(await fetched(id, length - 1)).to.include({ fault: 'too_large' });
  });

  it('are whole when they turn out larger than announced', async () => {
    const { id } = sandbox.media.put({ bytes: BYTES, mimeType: 'application/pdf', size: 3 });
    const got = await fetched(id);
    expect(got.ok && got.value.bytes.equals(BYTES)).to.equal(true);
  });

  it('never take the token to another host', async () => {
    const tokens: (string | undefined)[] = [];
    const thief = await serve((req, res) => {
      tokens.push(req.headers.authorization);
      res.end('thanks');
    });
    const at = `127.0.0.1:${thief.port}`;
    for (const url of [
      `http://${at}/`,
      `http://lookaside.fbsbx.com@${at}/`,
      'http://lookaside.fbsbx.com/',
      'https://lookaside.fbsbx.com:8443/',
      'https://fbsbx.com.evil.example/',
      'https://evilfbsbx.com/',
      'file:///etc/passwd',
      'not an address',
    ]) {
      const got = await media.download(CREDENTIALS, url, { maxBytes: 1024, expectedBytes: null });
      expect(got, url).to.include({ ok: false, fault: 'unsafe_url' });
    }
    await thief.close();
    expect(tokens).to.deep.equal([]);
    expect(sandbox.media.strayTokens).to.deep.equal([]);
  });

  it('say nothing of the token or the address when nobody answers', async () => {
    const absent = createWhatsAppMedia({
      baseUrl: `http://${nobody.address}`,
      graphVersion: 'v25.0',
    });
    const got = await absent.describe(CREDENTIALS, 'an-id');
    expect(got).to.deep.equal({
      ok: false,
      fault: 'unavailable',
      reason: 'ECONNREFUSED',
      retryAfterSeconds: null,
    });
    await absent.close();
  });
});
