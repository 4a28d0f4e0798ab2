/** `recado webhooks replay`, against a whole product and a receiver. */
import { expect } from 'chai';
import { eraseContact } from '../../application/provisioning/erase-contact.js';
import { eventually } from '../support/e2e/eventually.js';
import { openedWithReceiver } from '../support/e2e/opened-product.js';
import { startWebhookReceiver, type Delivery } from '../support/e2e/receiver.js';
import { opened } from '../support/opened.js';
import { commands, credentialsEnv } from './commands.js';

describe('recado webhooks replay', () => {
  const product = openedWithReceiver();
  const late = opened(startWebhookReceiver);
  const { done, ends } = commands(() => credentialsEnv(product.running.credentials), 'webhooks');
  const ids = (deliveries: readonly Delivery[]) => deliveries.map(({ event }) => event.id).sort();
  const COUNTS = { first_time: 0, again: 0, under_way: 0, left_out: 0 };
  const [ANA, LIA] = ['+5511987654321', '+5511987654322'];
  let lateEndpoint: string;
  let from: string;

  before(async () => {
    from = String(await product.app.store.head());
    for (const phone of [ANA, LIA]) {
      const id = product.reply(phone, 'Oi');
      await product.receiver.told('message.received', id);
    }
    await product.quiet();
    lateEndpoint = await product.subscribe(late.url);
    await product.quiet();
  });

  const replay = async (more = ''): Promise<Readonly<Record<string, unknown>>> =>
    (await done(`replay --endpoint ${lateEndpoint} --from ${from} --json ${more}`)).json();

  it('counts, and delivers nothing unless it is said', async () => {
    const events = product.receiver.deliveries.length;
    expect(await replay()).to.deep.include({ ...COUNTS, first_time: events, delivered: false });
    await product.quiet();
    expect(late.deliveries).to.deep.equal([]);
  });

  it('tells an endpoint that did not hear of them, under the ids that others know; once for each replay', async () => {
    const events = product.receiver.deliveries.length;
    const told = await replay('--deliver');
    expect(told).to.deep.include({ ...COUNTS, first_time: events, delivered: true });
    await eventually(() => late.deliveries.length >= events, { what: 'all of them' });
    expect(ids(late.deliveries)).to.deep.equal(ids(product.receiver.deliveries));

    await replay(`--deliver --replay ${told['replay_uuid'] as string}`);
    await product.quiet();
    expect(late.deliveries, 'of the same replay').to.have.length(events);
    await replay(`--deliver --to ${String(told['up_to'])}`);
    await eventually(() => late.deliveries.length >= 2 * events, { what: 'all of them again' });
  });

  it('sends again the bytes that were sent, and nothing of who was erased', async () => {
    const { deliveries } = product.receiver;
    const before = [...deliveries];
    const { event } = before.find((one) => one.event.data.contact?.phone === LIA)!;
    const { uuid } = event.data.contact as unknown as { readonly uuid: string };
    const erased = before.filter(({ raw }) => raw.includes(uuid)).length;
    await eraseContact(product.app, { contactUuid: uuid }, { actor: 'test' });
    const endpoints = (await done(`list --integration ${product.integration} --json`)).json<
      readonly { readonly uuid: string; readonly url: string }[]
    >();
    const endpoint = endpoints.find(({ url }) => url === product.receiver.url)!.uuid;
    const told = await done(`replay --endpoint ${endpoint} --from ${from} --deliver --json`);
    const kept = before.length - erased;
    expect(told.json()).to.deep.include({ ...COUNTS, again: kept, left_out: erased });
    expect(erased).to.be.within(1, before.length - 1);
    await eventually(() => deliveries.length >= before.length + kept, { what: 'what is left' });
    for (const { raw, event: again } of deliveries.slice(before.length)) {
      expect(raw.equals(before.find((one) => one.event.id === again.id)!.raw), again.type).to.equal(true);
    }
  });

  it('refuses what is no place, and an endpoint that is not there', async () => {
    await ends(`replay --endpoint ${lateEndpoint}`, 2, '--from');
    await ends(`replay --endpoint ${lateEndpoint} --from yesterday`, 2);
    await ends(`replay --endpoint 0198a6f0-9a01-7000-8000-000000000001 --from ${from}`, 3);
  });
});
