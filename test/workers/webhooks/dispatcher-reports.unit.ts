/** Reports of each attempt to operators: log, metrics and traces. */
import { expect } from 'chai';
import type { AttemptNotice } from '../../../workers/webhooks/options.js';
import { fakeTracing, TRACEPARENT } from '../../support/fakes/tracing.js';
import { atOnce } from '../../support/fakes/manual-clock.js';
import { answer, failure } from './dispatching.js';
import { createMemoryHarness, type MemoryHarness } from './memory-harness.js';

describe('the webhook dispatcher reports', () => {
  let h: MemoryHarness;
  beforeEach(async () => {
    h = await createMemoryHarness();
  });

  const seconds = (begun: number): readonly number[] => h.sent.map(({ at }) => (at - begun) / 1_000);
  const fieldsOf = (message: string) => h.logged(message).map(({ level, fields }) => [level, fields]);

  describe('a request', () => {
    for (const [result, status, error] of [
      [answer(204), 204, undefined],
      [answer(299), 299, undefined],
      [answer(300), 300, 'status 300'],
      [failure('connect'), undefined, 'connect'],
    ] as const) {
      it(`within a span, which the receiver may continue: ${error ?? status}`, async () => {
        const { tracing, begun, ended } = fakeTracing();
        h.respond(() => result);
        const { delivery, endpoint } = await h.first({ tracing });
        expect(begun).to.deep.equal([
          {
            name: 'webhook delivery',
            kind: 'client',
            correlationId: 'trace',
            attributes: {
              'recado.delivery_id': delivery.deliveryId,
              'recado.event_type': delivery.eventType,
              'recado.endpoint_uuid': endpoint.uuid,
              'recado.attempt': 1,
            },
          },
        ]);
        expect(ended).to.deep.equal([{ attributes: { 'http.response.status_code': status }, error }]);
        expect(h.sent[0]!.headers).to.include({ traceparent: TRACEPARENT, 'Service-Attempt': '1' });
      });
    }

    it('without a span where it belongs to no trace, or no collector is set', async () => {
      const { tracing, begun } = fakeTracing();
      await h.enqueue(h.addEndpoint());
      await h.enqueue(h.addEndpoint());
      h.start({ tracing });
      await h.clock.advance(0);
      expect(begun).to.deep.equal([]);
      expect(h.sent.map(({ headers }) => 'traceparent' in headers)).to.deep.equal([false, false]);
    });
  });

  describe('an attempt', () => {
    for (const [result, told] of [
      [answer(204, {}, 7.4), { step: 'delivered', status: 204, failure: null }],
      [answer(500, {}, 7.4), { step: 'retry', status: 500, failure: 'http_status' }],
      [failure('timeout', 7.4), { step: 'retry', status: null, failure: 'timeout' }],
    ] as const) {
      it(`in the log and to the metrics: ${told.step}, ${told.status ?? told.failure}`, async () => {
        const notices: AttemptNotice[] = [];
        h.respond(() => result);
        const { delivery, endpoint } = await h.first({ onAttempt: (notice) => void notices.push(notice) });
        const common = { step: told.step, status: told.status, failure: told.failure };
        expect(fieldsOf('webhook attempt')).to.deep.equal([
          [
            'info',
            {
              delivery_id: delivery.deliveryId,
              event_id: delivery.eventId,
              correlation_id: 'trace',
              endpoint_uuid: endpoint.uuid,
              duration_ms: 7,
              ...common,
            },
          ],
        ]);
        expect(notices).to.deep.equal([
          {
            endpointUuid: endpoint.uuid,
            companyUuid: delivery.companyUuid,
            durationMs: 7.4,
            lagMs: 0,
            ...common,
          },
        ]);
      });
    }

    it('with the time that it was overdue, which is never below zero', async () => {
      const lags: number[] = [];
      await h.enqueue(h.addEndpoint());
      await h.clock.advance(3_000);
      const dispatcher = h.start({ onAttempt: ({ lagMs }) => void lags.push(lagMs) });
      await h.clock.advance(0);
      expect(lags).to.deep.equal([3_000]);
      await atOnce(dispatcher.stop());
      await h.enqueue(h.addEndpoint());
      h.start({
        onAttempt: ({ lagMs }) => void lags.push(lagMs),
        dueTimes: {
          ...h.store.dueTimes,
          async claim(request) {
            const claimed = await h.store.dueTimes.claim(request);
            h.clock.stepWall(-5_000);
            return claimed;
          },
        },
      });
      await h.clock.advance(0);
      expect(lags).to.deep.equal([3_000, 0]);
    });

    it('whose row another process took over, and leaves it to that one', async () => {
      const hanging = h.hang();
      const { delivery } = await h.first();
      const now = h.clock.now() + 60_000;
      await h.clock.advance(60_000);
      await h.store.dueTimes.claim({
        queue: 'webhook',
        lane: delivery.endpointUuid,
        now,
        limit: 1,
        leaseMs: 60_000,
      });
      hanging[0]!(answer(500));
      await h.clock.advance(0);
      expect(fieldsOf('webhook delivery was taken over by another holder')).to.deep.equal([
        ['debug', { delivery_id: delivery.deliveryId }],
      ]);
      await h.clock.advance(10_000);
      expect(h.sent, 'no second attempt by this process').to.have.length(1);
    });

    it('that a fault of ours broke off, and makes it again when its claim has run out', async () => {
      const error = new Error('a hook that throws');
      let faults = 1;
      const onAttempt = (): void => {
        if (faults-- > 0) throw error;
      };
      const { delivery, dispatcher, begun } = await h.first({ onAttempt, limits: { pollMs: 1_000 } });
      expect(fieldsOf('webhook attempt broke off')).to.deep.equal([
        ['error', { err: error, delivery_id: delivery.deliveryId }],
      ]);
      expect(dispatcher.stats().inFlight).to.equal(0);
      await h.clock.advance(60_000);
      expect(seconds(begun)).to.deep.equal([0, 45]);
    });

    it('that no store takes, which is tried again and not sent again', async () => {
      let away = true;
      const write: typeof h.store.readModels.write = (...args) =>
        away ? Promise.reject(new Error('disk full')) : h.store.readModels.write(...args);
      const { delivery, dispatcher } = await h.first({ readModels: { ...h.store.readModels, write } });
      await h.clock.advance(20_000);
      expect(dispatcher.stats().unrecorded).to.equal(1);
      away = false;
      await h.clock.advance(10_000);
      expect(h.sent).to.have.length(1);
      expect(await h.delivery(delivery.deliveryId)).to.include({ status: 'delivered' });
      const [line] = h.logged('webhook attempts could not be recorded; trying again');
      expect(line).to.deep.include({ level: 'error' });
      expect(line!.fields['err']).to.be.an('error');
    });
  });
});
