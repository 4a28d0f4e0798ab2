/**
 * Upgrade test: changes to a release whose read models have another version, and back, during traffic. On the real
 * stack workers act while the new versions are being built; on the embedded store a start builds them first.
 */
import { expect } from 'chai';
import { startSandbox } from '../../../sandbox/sandbox.js';
import { asAny } from '../../../projections/projection.js';
import { channels } from '../../../projections/models/channels.js';
import { conversations } from '../../../projections/models/conversations.js';
import { messages } from '../../../projections/models/messages.js';
import { operations } from '../../../projections/models/operations.js';
import { drivenClock } from './driven-clock.js';
import { eventually } from './eventually.js';
import { APP_SECRET, callsOf, DEMO_NUMBER, startProduct, type Product } from './product.js';
import { startWebhookReceiver } from './receiver.js';
import { doorOf } from './whatsapp.js';
import { recordsSince } from '../records.js';

/** The read models that workers decide by, and those that the API returns. */
const MODELS = [asAny(channels), asAny(conversations), asAny(messages), asAny(operations)];
const VERSIONS = MODELS.map(({ version }) => version);
const EACH = 6;

/** Raises the versions of the read models by `further` over the current release, for the next starts. */
const release = (further: number): void =>
  MODELS.forEach((model, index) => Object.assign(model, { version: VERSIONS[index]! + further }));

async function shown({ app }: Product): Promise<void> {
  const head = await app.store.head();
  const names = MODELS.map(({ name }) => name);
  await eventually(() => app.barrier.passed(names, head), { what: 'read models that show everything' });
}

/** Returns every stored document once the read models have caught up. */
async function documents(product: Product): Promise<ReadonlyMap<string, string>> {
  await shown(product);
  const { app } = product;
  const found = new Map<string, string>();
  for (const { name } of MODELS) {
    const all = await app.readModels.scan(name, { after: null, limit: 1_000, order: 'asc' });
    for (const { id, version, text } of all) found.set(`${name} ${id}`, `${version} ${text}`);
  }
  return found;
}

/**
 * Checks that nothing fails, is parked, is lost or is duplicated, and that both versions end with the same documents.
 */
export async function upgradeAndBack(): Promise<void> {
  const clock = drivenClock();
  const receiver = await startWebhookReceiver();
  const sandbox = await startSandbox({ appSecret: APP_SECRET, webhookUrl: null, clock });
  const env = {
    WHATSAPP_API_URL: sandbox.url,
    CHANNEL_RATE_PER_SECOND: '20',
    WEBHOOK_ALLOW_PRIVATE: 'true',
  };
  let product = await startProduct(env, undefined, { clock });
  const sends: string[] = [];
  const said: string[] = [];
  const errors: string[] = [];
  const started = (): void => sandbox.setWebhookUrl(doorOf(product));
  const goOver = async (further: number): Promise<void> => {
    await product.stop();
    errors.push(...product.errors);
    release(further);
    product = await product.restart();
    started();
  };
  const people = Array.from({ length: EACH }, (_, n) => `+5511987620${100 + n}`);
  /**
   * Customers write at once. Integrators send after the read models are built, as docs/deploying.md requires for the
   * API.
   */
  const talk = async (): Promise<void> => {
    for (const phone of people)
      said.push(
        sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: phone.slice(1), text: `oi ${said.length}` }),
      );
    await shown(product);
    for (const phone of people) sends.push(await product.accepted(phone));
  };
  try {
    started();
    await product.subscribe(receiver.url);
    await talk();
    for (const further of [1, 0]) {
      await goOver(further);
      await talk();
    }
    for (const uuid of sends) {
      expect((await product.settled(uuid, 60_000)).status).to.equal('succeeded');
      expect(callsOf(sandbox, uuid)).to.have.length(1);
    }
    const heard = (): string[] =>
      receiver.of('message.received').map(({ event }) => event.data.message!.provider_message_id!);
    await eventually(() => new Set(heard()).size >= said.length, { clock, what: 'all that was said' });
    expect(new Set(heard())).to.deep.equal(new Set(said));
    await eventually(
      async () => {
        const shown = (
          await product.app.readModels.scan('messages', { after: null, limit: 1_000, order: 'asc' })
        ).map(({ text }) => JSON.parse(text) as { direction: string; status: string });
        return shown.every(({ direction, status }) => direction === 'inbound' || status === 'read');
      },
      { clock, what: 'the last status of every message' },
    );
    await product.quiet();
    const records = await recordsSince(product.app.store);
    const count = (type: string): number => records.filter((record) => record.type === type).length;
    expect(count('MessageReceived')).to.equal(said.length);
    expect([count('ProviderUpdateParked'), count('SendFailed')]).to.deep.equal([0, 0]);
    expect(await product.admin<readonly unknown[]>('GET', '/parked-messages')).to.deep.equal([]);

    const before = await documents(product);
    await goOver(1);
    const after = await documents(product);
    expect(before.size).to.be.greaterThan(2 * said.length);
    expect([...after].filter(([key, text]) => before.get(key) !== text)).to.deep.equal([]);
    expect(after.size).to.equal(before.size);
    expect([...errors, ...product.errors]).to.deep.equal([]);
  } finally {
    release(0);
    await product.close();
    await sandbox.close();
    await receiver.close();
  }
}
