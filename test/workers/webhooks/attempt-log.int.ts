/** The log of a webhook attempt: the parts of a receiver's answer that it keeps, and those that it leaves out. */
import { expect } from 'chai';
import { openedForEach } from '../../support/opened.js';
import type { DeliveryAttemptDoc } from '../../../read-models/delivery-attempts.js';
import { answer, createHarness, failure, type Answer } from './harness.js';

describe('the log of webhook attempts', () => {
  const h = openedForEach(createHarness);

  async function attemptAt(respond: Answer): Promise<DeliveryAttemptDoc> {
    h.respond(respond);
    const [attempt] = await h.attempts((await h.attempted()).deliveryId);
    return attempt!;
  }

  it('keeps no cookies of a receiver, and every other header, of a success and of a failure', async () => {
    for (const status of [200, 500]) {
      const headers = { 'set-cookie': 'session=secret; HttpOnly', 'x-request-id': 'r1', server: 'nginx' };
      const attempt = await attemptAt(() => answer(status, headers));
      expect(attempt.response_headers, `status ${status}`).to.deep.equal({
        'x-request-id': 'r1',
        server: 'nginx',
      });
      expect(JSON.stringify(attempt)).to.not.contain('session=secret');
    }
  });

  it('keeps a thousand characters of a success, and the whole text of a failure', async () => {
    const bodyText = 'é'.repeat(3_000);
    const success = await attemptAt(() => ({ ...answer(200), bodyText }));
    expect(success.response_body).to.equal('é'.repeat(1_000));
    const failed = await attemptAt(() => ({ ...answer(500), bodyText }));
    expect(failed.response_body).to.equal(bodyText);
  });

  it('says when the request began, how long it took, and from when on the next one is due', async () => {
    const begun = h.clock.now();
    const endpoint = h.addEndpoint();
    h.respond(
      () =>
        new Promise((resolve) => {
          h.clock.after(2_000, () => resolve(answer(500, {}, 2_000)));
        }),
    );
    h.start();
    const [delivery] = await h.enqueue(endpoint);
    await h.clock.advance(2_000);
    const [attempt] = await h.attempts(delivery!.deliveryId);
    expect(attempt).to.include({
      at: new Date(begun).toISOString(),
      duration_ms: 2_000,
      address: '127.0.0.1',
      // Five seconds after the answer, not after the request.
      next_attempt_at: new Date(begun + 7_000).toISOString(),
    });
    expect(attempt!.key_fingerprint).to.not.equal('');
  });

  it('names what went wrong: the kind of a failure and its words, a redirect and where it points', async () => {
    const timeout = await attemptAt(() => failure('timeout'));
    expect(timeout).to.include({ failure: 'timeout', message: 'timeout: made by the test', status: null });
    const moved = await attemptAt(() => answer(301, { location: 'https://new.example/' }));
    expect(moved.message).to.contain('redirects are not followed').and.contain('https://new.example/');
    const created = await attemptAt(() => answer(400, { location: 'https://new.example/' }));
    expect(created).to.include({ failure: 'http_status', message: 'status 400' });
  });

  it('signs with the whole second in which the attempt began', async () => {
    await h.clock.advance(999);
    await attemptAt(() => answer(200));
    const { headers, at } = h.sent[0]!;
    expect(at % 1_000).to.equal(999);
    expect(headers['Service-Timestamp']).to.equal(String((at - 999) / 1_000));
  });
});
