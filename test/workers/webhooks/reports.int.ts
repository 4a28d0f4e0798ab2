/** The webhook dispatcher's reports of its attempts to operators: log, metrics and traces. */
import { expect } from 'chai';
import type { AttemptNotice } from '../../../workers/webhooks/options.js';
import { secretFingerprint } from '../../../domain/policies/webhook-signature.js';
import { deferred } from '../../conformance/support.js';
import { fakeTracing, TRACEPARENT } from '../../support/fakes/tracing.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { answer, createHarness, failure } from './harness.js';

describe('reports of the webhook dispatcher', () => {
  const h = openedForEach(createHarness);

  for (const [result, told] of [
    [answer(204, {}, 7.4), { step: 'delivered', status: 204, failure: null, durationMs: 7.4 }],
    [answer(500, {}, 7.4), { step: 'retry', status: 500, failure: 'http_status', durationMs: 7.4 }],
    [failure('connect', 7.4), { step: 'retry', status: null, failure: 'connect', durationMs: 7.4 }],
  ] as const) {
    const what = `${told.step}, ${told.status ?? told.failure}`;

    it(`an attempt is one line of the log and one of the metrics: ${what}`, async () => {
      const notices: AttemptNotice[] = [];
      const endpoint = h.addEndpoint();
      h.respond(() => result);
      const [delivery] = await h.enqueue(endpoint, 1, { correlationId: 'trace' });
      const dispatcher = h.start({ onAttempt: (notice) => void notices.push(notice) });
      await turns();
      expect(h.logged('webhook attempt')).to.deep.equal([
        {
          level: 'info',
          message: 'webhook attempt',
          fields: {
            delivery_id: delivery!.deliveryId,
            event_id: delivery!.eventId,
            correlation_id: 'trace',
            endpoint_uuid: endpoint.uuid,
            step: told.step,
            status: told.status,
            failure: told.failure,
            duration_ms: 7,
          },
        },
      ]);
      const { companyUuid } = delivery!;
      expect(notices).to.deep.equal([{ endpointUuid: endpoint.uuid, companyUuid, lagMs: 0, ...told }]);
      await dispatcher.idle();
    });
  }

  for (const [result, status, error] of [
    [answer(299), 299, undefined],
    [answer(300), 300, 'status 300'],
    [failure('timeout'), undefined, 'timeout'],
  ] as const) {
    it(`an attempt is a span, which the receiver may go on from: ${error ?? status}`, async () => {
      const { tracing, begun, ended } = fakeTracing();
      const endpoint = h.addEndpoint();
      h.respond(() => result);
      const [delivery] = await h.enqueue(endpoint, 1, { correlationId: 'trace' });
      const dispatcher = h.start({ tracing });
      await turns();
      await dispatcher.idle();
      expect(begun).to.deep.equal([
        {
          name: 'webhook delivery',
          kind: 'client',
          correlationId: 'trace',
          attributes: {
            'recado.delivery_id': delivery!.deliveryId,
            'recado.event_type': 'message.received',
            'recado.endpoint_uuid': endpoint.uuid,
            'recado.attempt': 1,
          },
        },
      ]);
      expect(ended).to.deep.equal([{ attributes: { 'http.response.status_code': status }, error }]);
      expect(h.header('traceparent')).to.deep.equal([TRACEPARENT]);
    });
  }

  it('an attempt of no trace is no span, and without a collector no header names one', async () => {
    const { tracing, begun } = fakeTracing();
    await h.enqueue(h.addEndpoint());
    const traced = h.start({ tracing });
    await traced.idle();
    await traced.stop();
    await h.enqueue(h.addEndpoint(), 1, { correlationId: 'trace' });
    await h.start().idle();
    expect(begun).to.deep.equal([]);
    expect(h.sent.map(({ headers }) => 'traceparent' in headers)).to.deep.equal([false, false]);
  });

  it('a clock that was set back makes no lag below zero', async () => {
    const notices: AttemptNotice[] = [];
    await h.enqueue(h.addEndpoint());
    let claimed = false;
    const now = (): number => h.clock.now() - (claimed && h.sent.length === 0 ? 5_000 : 0);
    const claim: typeof h.store.dueTimes.claim = async (request) => {
      const entries = await h.store.dueTimes.claim(request);
      claimed = true;
      return entries;
    };
    const dispatcher = h.start({
      clock: { ...h.clock, now },
      dueTimes: { ...h.store.dueTimes, claim },
      onAttempt: (notice) => void notices.push(notice),
    });
    await turns();
    await dispatcher.idle();
    expect(notices.map(({ lagMs }) => lagMs)).to.deep.equal([0]);
  });

  it('a row that another process took over meanwhile is noted, and left to that one', async () => {
    const hanging = h.hang();
    const [delivery] = await h.enqueue(h.addEndpoint());
    const slow = h.start();
    await turns();
    await h.clock.advance(46_000);
    h.respond(() => answer(200));
    await h.start().idle();
    expect(h.logged('webhook delivery was taken over by another holder')).to.deep.equal([]);
    hanging[0]!(answer(500));
    await turns();
    await slow.idle();
    const fields = { delivery_id: delivery!.deliveryId };
    expect(h.logged('webhook delivery was taken over by another holder')).to.deep.equal([
      { level: 'debug', message: 'webhook delivery was taken over by another holder', fields },
    ]);
    expect(await h.rows()).to.equal(0);
  });

  it('an endpoint that can not be asked for, or has no secret, is named', async () => {
    const unknown = h.addEndpoint('https://unknown.example/');
    const error = new Error('not loaded');
    await h.enqueue(unknown);
    const first = h.start({ endpoints: { get: () => Promise.reject(error) } });
    await turns();
    await first.stop();
    expect(h.logged('webhook endpoint is not known now').map(({ fields }) => fields)).to.deep.equal([
      { err: error, endpoint_uuid: unknown.uuid },
    ]);
    const bare = h.addEndpoint('https://bare.example/');
    bare.secrets = [];
    await h.enqueue(bare);
    h.start();
    await turns();
    expect(h.logged('webhook endpoint has no secret to sign with').map(({ fields }) => fields)).to.deep.equal(
      [{ endpoint_uuid: bare.uuid }],
    );
  });

  it('a gone endpoint that can not be disabled is named; one that answers something else is left as it is', async () => {
    const error = new Error('away');
    const asked: string[] = [];
    const onGone = async ({ endpoint_uuid }: { readonly endpoint_uuid: string }): Promise<void> => {
      asked.push(endpoint_uuid);
      throw error;
    };
    const dispatcher = h.start({ onGone });
    const fine = h.addEndpoint('https://fine.example/');
    const gone = h.addEndpoint('https://gone.example/');
    h.respond(({ url }) => answer(url === gone.url ? 410 : 200));
    await h.enqueue(fine);
    await h.enqueue(gone);
    await turns();
    await dispatcher.idle();
    expect(asked).to.deep.equal([gone.uuid]);
    expect(h.logged('gone endpoint could not be disabled').map(({ fields }) => fields)).to.deep.equal([
      { err: error, endpoint_uuid: gone.uuid },
    ]);
  });

  it('an attempt that a fault of ours breaks off is named, and made again when its lease ends', async () => {
    const error = new Error('a hook that throws');
    let faults = 1;
    const [delivery] = await h.enqueue(h.addEndpoint());
    const dispatcher = h.start({
      onAttempt: () => {
        if (faults-- > 0) throw error;
      },
    });
    await turns();
    expect(dispatcher.stats().inFlight).to.equal(0);
    expect(h.logged('webhook attempt broke off').map(({ fields }) => fields)).to.deep.equal([
      { err: error, delivery_id: delivery!.deliveryId },
    ]);
    await h.clock.advance(46_000);
    await h.start().idle();
    expect(await h.delivery(delivery!.deliveryId)).to.include({ status: 'delivered', attempts: 1 });
  });

  it('an endpoint that is looked up while the process ends is sent nothing: its row is due as it was', async () => {
    const endpoint = h.addEndpoint();
    const [secret] = endpoint.secrets;
    const lookedUp = deferred();
    const asked = deferred();
    const [delivery] = await h.enqueue(endpoint);
    const ending = h.start({
      endpoints: {
        async get() {
          asked.resolve();
          await lookedUp.promise;
          return {
            endpoint_uuid: endpoint.uuid,
            integration_uuid: 'i',
            company_uuid: 'c',
            url: endpoint.url,
            enabled: true,
            secrets: () => [{ secret: secret!, fingerprint: secretFingerprint(secret!) }],
          };
        },
      },
    });
    await asked.promise;
    const stopping = ending.stop();
    lookedUp.resolve();
    await stopping;
    expect(h.sent).to.deep.equal([]);
    await h.start().idle();
    expect(h.header('Service-Delivery-Id')).to.deep.equal([delivery!.deliveryId]);
  });
});
