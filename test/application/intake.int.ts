/** Provider webhooks of any size are read back byte for byte, and are stored once. */
import { expect } from 'chai';
import fc from 'fast-check';
import { keepWebhook, webhookBody } from '../../application/intake.js';
import type { IntakeEvent } from '../../domain/intake/events.js';
import { START } from '../../ports/event-store.js';
import { openWorkspace } from './provisioning/workspace.js';
import { openedForEach } from '../support/opened.js';
import { runs } from '../support/soak.js';

describe('keeping provider webhooks', () => {
  const workspace = openedForEach(openWorkspace);

  async function intakeStreams(): Promise<ReadonlyMap<string, readonly IntakeEvent[]>> {
    const { app } = workspace;
    const page = await app.store.readAll({ after: START, limit: 10_000, prefixes: ['intake-'] });
    const streams = new Map<string, IntakeEvent[]>();
    for (const { event, record } of await app.codec.decodeAll<IntakeEvent>(page.records)) {
      streams.set(record.stream, [...(streams.get(record.stream) ?? []), event]);
    }
    return streams;
  }

  it('cuts a large one into events that every store takes', async () => {
    const body = Buffer.alloc(3 * 1024 * 1024, 'Meta sends up to three megabytes. ');
    await keepWebhook(workspace.app, body, 'c1');
    await keepWebhook(workspace.app, body, 'c2');
    const page = await workspace.app.store.readAll({ after: START, limit: 100, prefixes: ['intake-'] });
    for (const record of page.records) {
      expect(JSON.stringify(record).length).to.be.lessThan(1024 * 1024);
    }
    const [events] = [...(await intakeStreams()).values()];
    expect(events!.filter(({ type }) => type === 'ProviderWebhookReceived')).to.have.length(1);
    expect(webhookBody(events!)!.equals(body)).to.equal(true);
  });

  it('gives back any body as it came, around the size of a piece too', async () => {
    const sizes = fc.constantFrom(0, 1, 393_215, 393_216, 393_217, 786_432, 786_433);
    await fc.assert(
      fc.asyncProperty(sizes, fc.uint8Array({ minLength: 1, maxLength: 16 }), async (size, pattern) => {
        const body = Buffer.alloc(size, pattern);
        await keepWebhook(workspace.app, body, 'c1');
        const kept = [...(await intakeStreams()).values()].map((events) => webhookBody(events));
        expect(kept.some((found) => found?.equals(body))).to.equal(true);
      }),
      { numRuns: runs(15) },
    );
  });

  it('picks up where a broken attempt ended', async () => {
    const { app } = workspace;
    const body = Buffer.alloc(1024 * 1024, 'x');
    let left = 1;
    const failing = {
      ...app,
      executor: {
        ...app.executor,
        execute: ((...args: Parameters<typeof app.executor.execute>) => {
          left -= 1;
          if (left < 0) return Promise.reject(new Error('the store went away'));
          return app.executor.execute(...args);
        }) as typeof app.executor.execute,
      },
    };
    const broken = await keepWebhook(failing, body, 'c1').catch((error: Error) => error);
    expect(broken).to.be.instanceOf(Error);
    await keepWebhook(app, body, 'c2');
    const [events] = [...(await intakeStreams()).values()];
    expect(webhookBody(events!)!.equals(body)).to.equal(true);
  });
});
