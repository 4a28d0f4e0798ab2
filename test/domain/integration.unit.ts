import { expect } from 'chai';
import { integrationAggregate } from '../../domain/integration/decide.js';
import { integrationCommandExamples, integrationEventExamples } from '../support/examples/integration.js';
import { exampleIds } from '../support/examples/example.js';
import { fold } from '../../domain/kernel/decider.js';
import { given } from '../support/decider.js';

const events = integrationEventExamples;
const { registered, keyIssued, keyRevoked, endpointAdded, endpointDisabled, endpointRemoved } = events;
const commands = integrationCommandExamples;
const stranger = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c10ff';
/** Names that every JavaScript object inherits: an id from a URL must not match them. */
const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const integration = given(integrationAggregate, registered);
const withEndpoint = given(integrationAggregate, registered, endpointAdded);
const withKey = given(integrationAggregate, registered, keyIssued);
const withRevokedKey = given(integrationAggregate, registered, keyIssued, keyRevoked);

describe('integration', () => {
  it('is registered once', () => {
    given(integrationAggregate).when(commands.register.command).then(registered);
    integration.when(commands.register.command).thenNothing();
  });

  it('refuses everything else before that', () => {
    for (const { command } of Object.values(commands)) {
      if (command.type === 'RegisterIntegration') continue;
      given(integrationAggregate).when(command).thenRefused('not_found', { resource: 'integration' });
    }
  });

  describe('API keys', () => {
    it('are issued once each, kept as a hash', () => {
      integration.when(commands.issueKey.command).then(keyIssued);
      withKey.when(commands.issueKey.command).thenNothing();
    });

    it('are revoked once, and a revoked one is not issued again', () => {
      withKey.when(commands.revokeKey.command).then(keyRevoked);
      withRevokedKey.when(commands.revokeKey.command).thenNothing();
      withRevokedKey.when(commands.issueKey.command).thenNothing();
    });

    it('that do not exist are not revoked, whatever their id', () => {
      for (const keyId of ['unknown', ...inherited]) {
        withKey.when({ type: 'RevokeApiKey', keyId }).thenRefused('not_found', { resource: 'api_key' });
      }
    });

    it('may have any id', () => {
      for (const keyId of inherited) {
        const issue = { ...commands.issueKey.command, keyId };
        const issued = { ...keyIssued, data: { ...keyIssued.data, key_id: keyId } };
        integration.when(issue).then(issued);
        given(integrationAggregate, registered, issued).when(issue).thenNothing();
        given(integrationAggregate, registered, issued)
          .when({ type: 'RevokeApiKey', keyId })
          .then({ type: 'ApiKeyRevoked', data: { key_id: keyId } });
      }
    });
  });

  describe('webhook endpoints', () => {
    const change = { type: 'ChangeWebhookEndpoint', endpointUuid: exampleIds.endpoint } as const;

    it('are added once', () => {
      integration.when(commands.addEndpoint.command).then(endpointAdded);
      withEndpoint.when(commands.addEndpoint.command).thenNothing();
    });

    it('are refused above a limit that the command names', () => {
      const { command } = commands.addEndpoint;
      integration.when({ ...command, limit: 1 }).then(endpointAdded);
      withEndpoint.when({ ...command, limit: 1 }).thenNothing();
      withEndpoint
        .when({ ...command, endpointUuid: stranger, limit: 1 })
        .thenRefused('webhook_limit_reached', { limit: 1 });
    });

    it('take changes to one field and keep the others', () => {
      const added = endpointAdded.data;
      const changedTo = (fields: Partial<typeof added>) =>
        ({ type: 'WebhookEndpointChanged', data: { ...added, ...fields } }) as const;
      withEndpoint
        .when({ ...change, url: 'https://new.example.com/' })
        .then(changedTo({ url: 'https://new.example.com/' }));
      withEndpoint.when({ ...change, enabled: false }).then(changedTo({ enabled: false }));
      withEndpoint.when({ ...change, eventTypes: [] }).then(changedTo({ event_types: [] }));
      withEndpoint.when({ ...change, eventTypes: null }).then(events.endpointChanged);
      withEndpoint.when(change).thenNothing();
      withEndpoint
        .when({ ...change, url: added.url, enabled: true, eventTypes: added.event_types })
        .thenNothing();
    });

    it('that do not exist refuse a change and a test', () => {
      for (const endpointUuid of [stranger, ...inherited]) {
        withEndpoint.when({ ...change, endpointUuid }).thenRefused('not_found', { resource: 'webhook' });
        withEndpoint
          .when({ type: 'TestWebhookEndpoint', endpointUuid, testUuid: exampleIds.test })
          .thenRefused('not_found', { resource: 'webhook' });
      }
    });

    it('are switched off once, and by Recado only while on', () => {
      const disable = commands.disableEndpoint.command;
      withEndpoint.when(disable).then(endpointDisabled);
      given(integrationAggregate, registered, endpointAdded, endpointDisabled).when(disable).thenNothing();
      integration.when(disable).thenNothing();
      given(integrationAggregate, registered, endpointAdded, endpointDisabled)
        .when({ ...change, enabled: true })
        .then({ type: 'WebhookEndpointChanged', data: endpointAdded.data });
    });

    it('are removed once', () => {
      const remove = commands.removeEndpoint.command;
      withEndpoint.when(remove).then(endpointRemoved);
      given(integrationAggregate, registered, endpointAdded, endpointRemoved).when(remove).thenNothing();
      integration.when(remove).thenNothing();
      given(integrationAggregate, registered, endpointAdded, endpointRemoved)
        .when(change)
        .thenRefused('not_found');
    });

    it('removed one by one, leave the others', () => {
      const second = { ...endpointAdded, data: { ...endpointAdded.data, endpoint_uuid: stranger } };
      const state = fold(integrationAggregate, [registered, endpointAdded, second, endpointRemoved]);
      expect(Object.keys(state.endpoints)).to.deep.equal([stranger]);
    });

    it('are tested once per test', () => {
      const test = commands.testEndpoint.command;
      withEndpoint.when(test).then(events.testRequested);
      given(integrationAggregate, registered, endpointAdded, events.testRequested).when(test).thenNothing();
      given(integrationAggregate, registered, endpointAdded, events.testRequested)
        .when({ ...test, testUuid: stranger })
        .then({
          type: 'WebhookTestRequested',
          data: { endpoint_uuid: exampleIds.endpoint, test_uuid: stranger },
        });
    });
  });

  describe('webhook secret', () => {
    const rotate = commands.rotateSecret.command;

    it('keeps the old one for the overlap (spec §6: 24 hours)', () => {
      integration.when(rotate).then(events.secretRotated);
      given(integrationAggregate, registered, events.secretRotated).when(rotate).thenNothing();
    });

    it('drops the old one at once when asked to', () => {
      integration.when({ ...rotate, graceSeconds: 0 }).then({
        type: 'WebhookSecretRotated',
        data: { secret_sealed: 'sealed:second', previous_secret_sealed: null, previous_expires_at: null },
      });
    });

    it('rotated again, keeps only the one before', () => {
      given(integrationAggregate, registered, events.secretRotated)
        .when({ ...rotate, secretSealed: 'sealed:third', graceSeconds: 60 })
        .then({
          type: 'WebhookSecretRotated',
          data: {
            secret_sealed: 'sealed:third',
            previous_secret_sealed: 'sealed:second',
            previous_expires_at: '2026-03-02T12:01:00.000Z',
          },
        });
    });
  });
});
