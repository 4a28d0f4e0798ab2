import { expect } from 'chai';
import { changedByKeys, deadEndpoints } from '../../../runtime/doctor/webhooks.js';
import { deliveries } from '../../../read-models/deliveries.js';
import { webhookEndpoints, type WebhookEndpointDoc } from '../../../read-models/webhook-endpoints.js';
import { webhookHealth } from '../../../read-models/webhook-health.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { makeApp } from '../../support/app.js';
import { openedForEach } from '../../support/opened.js';

const DAY_MS = 86_400_000;
const clock = manualClock();
const ago = (ms: number): string => new Date(clock.now() - ms).toISOString();
const endpoint = (uuid: string, changed_by: string, ageMs: number): WebhookEndpointDoc => ({
  endpoint_uuid: uuid,
  integration_uuid: 'integration',
  company_uuid: 'company',
  url: 'https://erp.example.com/hook',
  event_types: null,
  enabled: true,
  disabled_reason: null,
  changed_by,
  created_at: ago(ageMs),
  updated_at: ago(ageMs),
});

describe('doctor: endpoints that keys changed', () => {
  it('are named for a week, with the key; those that an operator changed are not', () => {
    const found = changedByKeys({ clock }, [
      endpoint('mine', 'admin', 0),
      endpoint('old', 'key:aaaa', 7 * DAY_MS + 1),
      endpoint('recent', 'key:bbbb', 7 * DAY_MS),
    ]);
    expect(found).to.have.length(1);
    expect(found[0]).to.include({ check: 'webhooks', status: 'warn' });
    expect(found[0]?.message).to.include('1 webhook endpoints').and.include('recent by key:bbbb.');
    expect(changedByKeys({ clock }, [endpoint('mine', 'admin', 0)])).to.deep.equal([]);
  });

  it('are counted, and five of them are named', () => {
    const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((uuid) => endpoint(uuid, 'key:bbbb', 0));
    const [found] = changedByKeys({ clock }, all);
    expect(found?.message).to.include('6 webhook endpoints').and.include('e by key:bbbb and more.');
  });
});

describe('doctor: failing endpoints', () => {
  const made = openedForEach(() => makeApp({ parts: { clock } }));

  async function failing(uuid: string, sinceMs: number, enabled = true): Promise<void> {
    const { readModels } = made.app;
    const doc = { ...endpoint(uuid, 'admin', 0), enabled };
    await readModels.write(webhookEndpoints.name, [{ id: uuid, doc, version: '99999999999999999999' }]);
    const health = {
      endpoint_uuid: uuid,
      integration_uuid: 'integration',
      company_uuid: 'company',
      failing: 1,
      last_success_at: null,
      last_failure_at: ago(0),
      last_failure: 'timeout',
      failing_since: ago(sinceMs),
      resting_until: null,
    } as const;
    await readModels.write(webhookHealth.name, [{ id: uuid, doc: health, version: '0000000001' }]);
  }

  it('are named after five minutes, the longest failing first, unless they are paused', async () => {
    const { app } = made;
    for (const spec of [deliveries, webhookHealth]) await app.readModels.define(spec);
    await failing('recent', 299_000);
    await failing('paused', 3_600_000, false);
    expect((await deadEndpoints(app)).map(({ status }) => status)).to.deep.equal(['ok']);
    await failing('hour', 3_600_000);
    await failing('day', DAY_MS);
    const found = await deadEndpoints(app);
    expect(found.map(({ message }) => message.split(' ')[3])).to.deep.equal(['day', 'hour']);
    expect(found[0]?.message).to.include('timeout. 0 deliveries wait');
    expect(found[0]?.todo).to.include('recado webhooks redeliver-failed day');
  });
});
