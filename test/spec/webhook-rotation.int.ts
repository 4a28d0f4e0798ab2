/** The 24 hours in which two webhook secrets are valid, to the millisecond (spec §6, Signature verification; §8). */
import { expect } from 'chai';
import { rotateWebhookSecret } from '../../application/provisioning/integrations.js';
import { addWebhookEndpoint } from '../../application/provisioning/webhooks.js';
import { createEndpointDirectory, validWebhookSecrets } from '../../workers/webhooks/endpoint-directory.js';
import { makeApi } from '../support/api/make-api.js';
import { makeWorld } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { refusalOf } from '../application/provisioning/workspace.js';

const OVERLAP_MS = 24 * 3_600_000;

describe('rotation of a webhook secret by the specification', () => {
  const api = opened(makeApi);

  it('deliveries carry the previous secret’s signature for 24 hours, and not a moment longer', async () => {
    const { integration: integrationUuid } = await makeWorld(api.app);
    let now = Date.parse('2026-11-21T12:00:00.000Z');
    const app = { ...api.app, clock: { ...api.app.clock, now: () => now } };
    const by = { actor: 'test' };
    const url = 'https://example.com/hook';
    const { endpointUuid } = await addWebhookEndpoint(app, { integrationUuid, url }, by);
    const [previous] = await validWebhookSecrets(app, integrationUuid);
    const rotated = await rotateWebhookSecret(app, { integrationUuid }, by);
    const { webhookSecret: current, previousExpiresAt } = rotated;
    // Measured by the clock that signs: the overlap begins when the rotation is recorded.
    const until = Date.parse(previousExpiresAt!);
    const endpoint = (await createEndpointDirectory(app).get(endpointUuid, integrationUuid))!;
    const secrets = (): readonly string[] => endpoint.secrets().map(({ secret }) => secret);
    for (const [at, expected] of [
      [until - OVERLAP_MS, [current, previous]],
      [until - 1, [current, previous]],
      [until, [current]],
      [until + 1, [current]],
    ] as const) {
      now = at;
      expect(secrets(), new Date(at).toISOString()).to.deep.equal(expected);
      expect(await validWebhookSecrets(app, integrationUuid)).to.deep.equal(expected);
    }
  });

  it('repeated takes no secret away before its own overlap ends, and is bounded', async () => {
    const { integration: integrationUuid } = await makeWorld(api.app);
    let now = Date.now();
    const app = { ...api.app, clock: { ...api.app.clock, now: () => now } };
    const rotate = (graceSeconds?: number) =>
      rotateWebhookSecret(app, { integrationUuid, graceSeconds }, { actor: 'test' });
    const endpointUrl = 'https://example.com/hook';
    const added = await addWebhookEndpoint(app, { integrationUuid, url: endpointUrl }, { actor: 'test' });
    const signing = async () =>
      (await createEndpointDirectory(app).get(added.endpointUuid, integrationUuid))!
        .secrets()
        .map(({ secret }) => secret);
    const [first] = await validWebhookSecrets(app, integrationUuid);
    const week = await rotate(7 * 86_400);
    const hour = await rotate(3_600);
    const day = await rotate();
    expect(await signing()).to.deep.equal([day, hour, week].map((made) => made.webhookSecret).concat(first!));
    const refusal = await refusalOf(rotate());
    expect(refusal.code).to.equal('secret_rotation_limit_reached');
    expect(refusal.details).to.deep.equal({ limit: 3, possible_at: hour.previousExpiresAt });
    // Each by its own overlap: that of the second ends first, though it was replaced later.
    now = Date.parse(hour.previousExpiresAt!);
    expect(await signing()).to.deep.equal([day.webhookSecret, hour.webhookSecret, first]);
    expect(await validWebhookSecrets(app, integrationUuid)).to.deep.equal(await signing());
    now = Date.parse(day.previousExpiresAt!);
    expect(await signing()).to.deep.equal([day.webhookSecret, first]);
    // After a leak, all are dropped.
    const { webhookSecret: only } = await rotate(0);
    expect(await signing()).to.deep.equal([only]);
    expect(await validWebhookSecrets(app, integrationUuid)).to.deep.equal([only]);
  });
});
