/**
 * A person's messages are recorded in the order in which they were written, although webhooks are read concurrently.
 */
import { expect } from 'chai';
import { INTAKE, type EventPointer } from '../../../application/relay.js';
import { inboundMessageId } from '../../../domain/message/decide.js';
import { messageStream } from '../../../domain/streams.js';
import type { App } from '../../../application/app.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { inboundReactor } from '../../../workers/inbound/worker.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { opened } from '../../support/opened.js';
import { messagesWebhook } from '../../support/whatsapp-webhook.js';
import { startInbound } from './harness.js';

const text = (from: object, id: string) => ({
  ...from,
  id,
  timestamp: String(Math.floor(Date.now() / 1_000)),
  type: 'text',
  text: { body: id },
});

describe('the order per person', function () {
  this.timeout(120_000);
  const inbound = opened(startInbound);
  let people = 0;
  const person = (): string => `55119${String(30_000_000 + (people += 1))}`;

  /** A store whose reads take different times, so that webhooks are opened out of order. */
  function unsteady(app: App): App {
    let reads = 0;
    return {
      ...app,
      store: {
        ...app.store,
        async read(stream, options) {
          await turns(((reads += 1) * 7) % 13);
          return app.store.read(stream, options);
        },
      },
    };
  }

  async function read(bodies: readonly object[]): Promise<void> {
    const pointers: EventPointer[] = [];
    for (const body of bodies) pointers.push((await inbound.tell(body)).pointer);
    await inbound.app.topics.publish(pointers.map((value) => ({ topic: INTAKE, key: value.stream, value })));
    const worker = startReactor(unsteady(inbound.app), inboundReactor, {});
    await worker.caughtUp();
    await worker.stop();
    for (const pointer of pointers) expect(await inbound.parked(pointer)).to.deep.equal([]);
  }

  /** Provider ids in the order in which they were recorded. */
  async function recorded(ids: readonly string[]): Promise<readonly string[]> {
    const byStream = new Map(
      ids.map((id) => [messageStream.toName(inboundMessageId(inbound.channel, id)), id] as const),
    );
    return (await inbound.events('MessageReceived')).flatMap(({ stream }) => byStream.get(stream) ?? []);
  }

  it('is kept for people nobody knows, who write twice at once', async () => {
    const said: { readonly ids: readonly string[]; readonly from: string }[] = Array.from(
      { length: 40 },
      () => {
        const from = person();
        return { from, ids: [`wamid.${from}.1`, `wamid.${from}.2`, `wamid.${from}.3`] };
      },
    );
    await read(said.flatMap(({ from, ids }) => ids.map((id) => messagesWebhook([text({ from }, id)]))));
    for (const { ids } of said) expect(await recorded(ids)).to.deep.equal(ids);
  });

  it('is kept behind a webhook of many', async () => {
    const from = person();
    const many = Array.from({ length: 60 }, (_, n) => text({ from: person() }, `wamid.many.${n}`));
    const own = Array.from({ length: 6 }, (_, n) => `wamid.own.${n}`);
    await read([
      messagesWebhook([...many, text({ from }, own[0]!)]),
      ...own.slice(1).map((id) => messagesWebhook([text({ from }, id)])),
    ]);
    expect(await recorded(own)).to.deep.equal(own);
  });

  it('is kept for who is named by phone once and by user id then', async () => {
    const from = person();
    const both = { from, from_user_id: `BR.${from}` };
    const ids = ['a', 'b', 'c', 'd'].map((one) => `wamid.${from}.${one}`);
    const named = [both, { from }, { from_user_id: both.from_user_id }, both];
    await read(ids.map((id, n) => messagesWebhook([text(named[n]!, id)])));
    // Only the first message links the phone alone to the user id alone, so the two in the middle may be in any order.
    expect((await recorded(ids)).at(0)).to.equal(ids[0]);
    expect((await recorded(ids)).at(-1)).to.equal(ids[3]);
  });

  it('holds up nobody else', async () => {
    const [slow, quick] = [person(), person()];
    const many = Array.from({ length: 60 }, (_, n) => text({ from: slow }, `wamid.slow.${n}`));
    await read([messagesWebhook(many), messagesWebhook([text({ from: quick }, 'wamid.quick')])]);
    const order = await recorded([...many.map(({ id }) => id), 'wamid.quick']);
    expect(order.indexOf('wamid.quick')).to.be.lessThan(30);
  });
});
