/** The whole product while its machine's clock is set forwards and backwards, by an hour and by two days. */
import { expect } from 'chai';
import { createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import type { DrivenClock } from '../support/e2e/driven-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { callsOf, freshKey, startProduct, type Product } from '../support/e2e/product.js';
import { REAL_STACK } from '../support/e2e/stack.js';
import { steppingClock } from '../support/fakes/stepping-clock.js';
import { opened } from '../support/opened.js';

const HOUR = 3_600_000;
const BACK = [-HOUR, -48 * HOUR];
const STEPS = [HOUR, 48 * HOUR, ...BACK];
const caller = { actor: 'test' };
const titleOf = (step: number): string => `set ${step < 0 ? 'back' : 'on'} by ${Math.abs(step) / HOUR} h`;

const settable = () => ({ ...steppingClock(), driven: true }) satisfies DrivenClock;

async function readyz(product: Product) {
  const answer = await fetch(`${product.running.url}/readyz`);
  const { status, parts } = (await answer.json()) as { status: string; parts: Record<string, string> };
  return { code: answer.status, status, clock: parts['clock'] };
}

let people = 0;
const somebody = (): string => `+55119710${String((people += 1)).padStart(5, '0')}`;

async function succeeds(product: Product, uuid: string): Promise<void> {
  const { status, error } = await product.settled(uuid, 60_000);
  expect(error?.code ?? status).to.equal('succeeded');
  expect(callsOf(product.sandbox, uuid)).to.have.length(1);
}

// Not on the real stack: there the clock is the machine's, and the product follows MongoDB's clock.
(REAL_STACK ? describe.skip : describe)('when the clock is set', function () {
  this.timeout(TEST_TIMEOUT_MS);

  describe('under a running product', () => {
    const clock = settable();
    const product = opened(() => startProduct({ CHANNEL_RATE_PER_SECOND: '1' }, undefined, { clock }));
    const acceptedTogether = (count: number) =>
      Promise.all(Array.from({ length: count }, () => product.accepted(somebody())));

    for (const step of STEPS) {
      it(`a channel sends at its pace: ${titleOf(step)}`, async () => {
        await succeeds(product, await product.accepted(somebody()));
        clock.stepWall(step);
        const from = clock.monotonic();
        const uuids = await acceptedTogether(4);
        for (const uuid of uuids) await succeeds(product, uuid);
        expect(clock.monotonic() - from).to.be.at.least(2_900);
        expect(product.errors).to.deep.equal([]);
      });
    }

    for (const step of STEPS) {
      it(`the wait of a flow ends at its date, once: ${titleOf(step)}`, async () => {
        const phone = somebody();
        const blocks = {
          wait: { type: 'wait', for: '20s', next: 'hi' },
          hi: { type: 'send_text', text: 'Oi', next: null },
        };
        const companyUuid = product.running.credentials['company_uuid']!;
        const definition = { schema: 1, start: 'wait', blocks };
        const { flowUuid } = await createFlow(product.app, { companyUuid, name: 'F', definition }, caller);
        await publishFlow(product.app, flowUuid, caller);
        const answer = await product.ask('POST', `/flows/${flowUuid}/executions`, {
          headers: { 'idempotency-key': freshKey() },
          json: { recipient: { phone } },
        });
        const { uuid } = answer.body.data as { uuid: string };
        await eventually(async () => (await product.operation(uuid)).status === 'waiting', { clock });
        const calls = () =>
          product.sandbox.calls.filter(({ body }) => String(body['to']).replace('+', '') === phone.slice(1));
        clock.stepWall(step);
        if (step < 0) {
          await clock.advance(30_000);
          expect((await product.operation(uuid)).status).to.equal('waiting');
          expect(calls()).to.deep.equal([]);
          // Sets the clock back to the right time.
          clock.stepWall(-step);
        }
        expect((await product.settled(uuid)).result?.status).to.equal('completed');
        expect(calls()).to.have.length(1);
        expect(product.errors).to.deep.equal([]);
      });
    }

    for (const step of BACK) {
      it(`what waits for its channel is sent, once: ${titleOf(step)}`, async () => {
        const before = product.sandbox.totals().calls;
        const uuids = await acceptedTogether(4);
        await eventually(() => product.sandbox.totals().calls > before, { clock });
        clock.stepWall(step);
        for (const uuid of uuids) await succeeds(product, uuid);
        expect(product.errors).to.deep.equal([]);
      });
    }
  });

  it('a restart finds the pace of the channel and of the recipient again', async () => {
    const clock = settable();
    const phone = somebody();
    let product = await startProduct({}, undefined, { clock });
    try {
      const burst = await Promise.all(Array.from({ length: 45 }, () => product.accepted(phone)));
      for (const uuid of burst) await succeeds(product, uuid);
      for (const step of STEPS) {
        await product.stop();
        clock.stepWall(step);
        product = await startProduct({}, product.dataDir, { clock });
        await succeeds(product, await product.accepted(somebody()));
        if (step < 0) await succeeds(product, await product.accepted(phone));
        expect(product.errors, titleOf(step)).to.deep.equal([]);
      }
    } finally {
      await product.close();
    }
  });

  it('/readyz says so until the time has caught up', async () => {
    const clock = settable();
    const product = await startProduct({}, undefined, { clock });
    try {
      expect(await readyz(product)).to.deep.equal({ code: 200, status: 'ready', clock: 'ok' });
      clock.stepWall(-HOUR);
      const { code, status, clock: said } = await readyz(product);
      expect({ code, status }).to.deep.equal({ code: 200, status: 'degraded' });
      expect(said).to.match(/^dates are stored that lie up to \d+ s in the future$/);
      clock.stepWall(HOUR);
      expect(await readyz(product)).to.deep.equal({ code: 200, status: 'ready', clock: 'ok' });
    } finally {
      await product.close();
    }
  });
});
