/**
 * Crashes between two records of one send. Each test writes the records that precede the crash and checks the next
 * start.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSandbox } from '../../sandbox/sandbox.js';
import type { Sandbox } from '../../sandbox/types.js';
import { loadMasterKey } from '../../adapters/crypto/master-key.js';
import { directCommand, type App } from '../../application/app.js';
import { acceptSend } from '../../application/send/accept.js';
import { messageAggregate, outboundMessageId } from '../../domain/message/decide.js';
import {
  operationAggregate,
  type AttemptOutcome,
  type OperationCommand,
} from '../../domain/operation/decide.js';
import { silentLogger } from '../../ports/logger.js';
import { messages, type MessageDoc } from '../../read-models/messages.js';
import { operations, type OperationDoc } from '../../read-models/operations.js';
import { composeCore, type Core } from '../../runtime/compose.js';
import { startWorkersRole } from '../../runtime/workers-role.js';
import { readConfig, type Config } from '../../runtime/config.js';
import { makeDemo, type DemoCredentials } from '../../runtime/demo/demo.js';
import { createMetrics } from '../../runtime/metrics.js';
import { deriveSecrets } from '../../runtime/secrets.js';
import { RECONCILE_QUEUE } from '../../application/send/queue.js';
import { startReconciler } from '../../workers/sending/reconcile.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { callsOf, DEMO_NUMBER, freshKey } from '../support/e2e/product.js';

const WINDOW_MS = 30_000;

describe('a send that was interrupted', function () {
  this.timeout(TEST_TIMEOUT_MS);
  let sandbox: Sandbox;
  let dataDir: string;
  let config: Config;
  let core: Core;
  let demo: DemoCredentials;

  beforeEach(async () => {
    sandbox = await startSandbox({ appSecret: 'secret', webhookUrl: null });
    dataDir = await mkdtemp(join(tmpdir(), 'recado-interrupted-'));
    config = readConfig({ DATA_DIR: dataDir, RECONCILE_WINDOW_SECONDS: String(WINDOW_MS / 1000) }, false);
    const { key } = loadMasterKey({ dataDir });
    core = await composeCore(config, {
      masterKey: key,
      secrets: deriveSecrets(key),
      providerUrl: sandbox.url,
      logger: silentLogger,
    });
    demo = await makeDemo(core.app, {
      baseUrl: 'http://127.0.0.1:9',
      adminToken: 'unused',
      sandbox: {
        phoneNumberId: DEMO_NUMBER,
        wabaId: sandbox.phoneNumbers[0]!.wabaId,
        accessToken: 'token',
        templates: [],
      },
    });
  });
  afterEach(async () => {
    await core.close();
    await sandbox.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  async function accept(): Promise<string> {
    const { operation } = await acceptSend(core.app, {
      companyUuid: demo.company_uuid,
      integrationUuid: demo.integration_uuid,
      keyId: 'test',
      keyOwner: demo.integration_uuid,
      actor: 'key:test',
      idempotencyKey: freshKey(),
      requestId: 'test',
      method: 'POST',
      route: '/messages',
      body: { recipient: { phone: '+5511987650001' }, type: 'text', content: { text: 'Oi' } },
    });
    return operation.uuid;
  }

  async function command(operationUuid: string, what: OperationCommand): Promise<void> {
    const context = directCommand(core.app, { company: demo.company_uuid, actor: 'test' });
    await core.app.executor.execute(operationAggregate, operationUuid, what, context);
  }

  /** Records the attempt and its message; the provider may or may not have been called. */
  async function attempt(operationUuid: string): Promise<void> {
    const { app } = core;
    const uuid = app.newId();
    await command(operationUuid, {
      type: 'BeginAttempt',
      contactUuid: uuid,
      conversationUuid: uuid,
      messageUuid: outboundMessageId(operationUuid),
      channelIntervalMs: 0,
    });
    await app.executor.execute(
      messageAggregate,
      outboundMessageId(operationUuid),
      {
        type: 'QueueMessage',
        data: {
          company_uuid: demo.company_uuid,
          channel_uuid: demo.channel_uuid,
          conversation_uuid: uuid,
          contact_uuid: uuid,
          type: 'text',
          content: { text: 'Oi' },
          operation_uuid: operationUuid,
          text: 'Oi',
        },
      },
      directCommand(app, { company: demo.company_uuid, actor: 'test' }, app.newId()),
    );
  }

  const outcome = (operationUuid: string, what: AttemptOutcome): Promise<void> =>
    command(operationUuid, { type: 'RecordOutcome', attempt: 1, outcome: what });
  const operation = async (uuid: string): Promise<OperationDoc> =>
    (await core.app.readModels.get(operations.name, uuid))!.doc;
  const message = async (operationUuid: string): Promise<MessageDoc> =>
    (await core.app.readModels.get(messages.name, outboundMessageId(operationUuid)))!.doc;

  async function withWorkers(look: () => Promise<void>): Promise<void> {
    const workers = await startWorkersRole(core, config, createMetrics());
    try {
      await look();
    } finally {
      await workers.stop();
    }
  }

  it('before the attempt is sent', async () => {
    const uuid = await accept();
    await withWorkers(async () => {
      await eventually(async () => (await operation(uuid)).status === 'succeeded');
    });
    expect(callsOf(sandbox, uuid)).to.have.length(1);
  });

  it('between the attempt and its outcome is not sent, now or later', async () => {
    const uuid = await accept();
    await attempt(uuid);
    await withWorkers(async () => {
      await eventually(async () => (await core.app.dueTimes.count(RECONCILE_QUEUE)) === 1);
      await eventually(async () => (await core.app.dueTimes.count('send')) === 0);
    });
    expect((await operation(uuid)).status).to.equal('processing');
    expect(callsOf(sandbox, uuid)).to.have.length(0);
  });

  it('after the operation failed, before its message did: the message fails too', async () => {
    const uuid = await accept();
    await attempt(uuid);
    await outcome(uuid, { kind: 'failed', code: 'recipient_unreachable', message: 'No.', details: {} });
    expect((await message(uuid)).status).to.equal('queued');
    await withWorkers(async () => {
      await eventually(async () => (await message(uuid)).status === 'failed');
    });
    expect((await message(uuid)).error?.code).to.equal('recipient_unreachable');
    expect(callsOf(sandbox, uuid)).to.have.length(0);
  });

  it('after the operation succeeded, before its message did: the message is sent too', async () => {
    const uuid = await accept();
    await attempt(uuid);
    await outcome(uuid, { kind: 'accepted', providerMessageId: 'wamid.1', held: false });
    await withWorkers(async () => {
      await eventually(async () => (await message(uuid)).status === 'sent');
    });
    expect((await message(uuid)).provider_message_id).to.equal('wamid.1');
    expect(callsOf(sandbox, uuid)).to.have.length(0);
  });

  it('and followed by a long outage is not given up before the provider could tell', async () => {
    const uuid = await accept();
    await attempt(uuid);
    const clock = manualClock(Date.now());
    const past = clock.now() - 3_600_000;
    await outcome(uuid, { kind: 'unknown', reason: 'cut off', reconcileUntil: new Date(past).toISOString() });
    const payload = {
      correlation_id: uuid,
      event_id: uuid,
      company: demo.company_uuid,
      subject: uuid,
      deadline: past,
    };
    await core.app.dueTimes.schedule([
      { queue: RECONCILE_QUEUE, id: uuid, lane: demo.channel_uuid, dueAt: past, payload },
    ]);
    const app: App = { ...core.app, clock };
    const rounds = async (ms: number): Promise<void> => {
      const reconciler = startReconciler(app, {
        untilRead: () => Promise.resolve(true),
        toReadAgain: () => Promise.resolve(0),
      });
      await clock.advance(ms);
      await reconciler.stop();
    };
    await rounds(WINDOW_MS - 5_000);
    expect((await operation(uuid)).status).to.equal('processing');
    await rounds(WINDOW_MS + 5_000);
    expect((await operation(uuid)).error?.code).to.equal('send_outcome_unknown');
    expect((await message(uuid)).status).to.equal('failed');
  });
});
