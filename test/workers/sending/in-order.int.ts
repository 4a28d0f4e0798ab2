/** Messages accepted for one person reach WhatsApp in that order, one call at a time, however long each call takes. */
import { expect } from 'chai';
import { relay } from '../../../application/relay.js';
import { operationStream } from '../../../domain/streams.js';
import type { OutboundMessage } from '../../../ports/provider.js';
import { startReactor } from '../../../workers/kernel/reactor.js';
import { startSendDispatcher } from '../../../workers/sending/dispatcher.js';
import { sendReactor } from '../../../workers/sending/send-scheduler.js';
import { ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeWorld } from '../../support/api/world.js';
import { anotherProcess } from '../../support/app.js';
import { eventually } from '../../support/e2e/eventually.js';
import { accepted, fakeProvider, rejected } from '../../support/fakes/provider.js';
import { turns } from '../../support/fakes/manual-clock.js';
import { opened } from '../../support/opened.js';

const PEOPLE = ['+5511987660001', '+5511987660002', '+5511987660003'];
const EACH = 12;

const textOf = ({ content }: OutboundMessage): string => (content.type === 'text' ? content.text : '');
const personOf = ({ to }: OutboundMessage): string => JSON.stringify(to);

describe('sends to one person', function () {
  this.timeout(60_000);
  const api = opened(makeApi);

  async function run(answer: (message: OutboundMessage, nth: number) => ReturnType<typeof accepted>) {
    const provider = fakeProvider();
    const app = anotherProcess(api.app, { provider: provider.port });
    const world = await makeWorld(app);
    const underWay = new Map<string, number>();
    let most = 0;
    const heard: [string, string][] = [];
    provider.answer = async (message) => {
      const person = personOf(message);
      const now = (underWay.get(person) ?? 0) + 1;
      most = Math.max(most, now);
      underWay.set(person, now);
      heard.push([person, textOf(message)]);
      const nth = heard.length;
      // The first message of each person takes longest: a later one that does not wait for it overtakes it.
      await turns(1 + ((nth * 37) % 11) + (textOf(message) === '0' ? 100 : 0));
      underWay.set(person, now - 1);
      return answer(message, nth);
    };
    for (let n = 0; n < EACH; n += 1) {
      for (const phone of PEOPLE) {
        const sent = await ask(api, 'POST', '/messages', {
          key: world.key,
          headers: { 'idempotency-key': `${world.company}-${phone}-${n}` },
          json: { recipient: { phone }, type: 'text', content: { text: String(n) } },
        });
        expect(sent.status, sent.text).to.equal(202);
        const { uuid } = sent.body.data as { uuid: string };
        const [first] = await app.store.read(operationStream.toName(uuid), { limit: 1 });
        await app.topics.publish(relay(first!));
      }
    }
    const dispatcher = await startSendDispatcher(app);
    const intake = startReactor(app, sendReactor, { backlog: dispatcher });
    return {
      most: () => most,
      heardBy: () =>
        [...new Set(heard.map(([person]) => person))].map((person) =>
          heard.filter(([of]) => of === person).map(([, text]) => text),
        ),
      count: () => heard.length,
      async stop() {
        await intake.stop();
        await dispatcher.stop();
      },
    };
  }

  it('go in the order of their acceptance, one at a time', async () => {
    const sending = await run((_, nth) => accepted(`wamid.order.${nth}`));
    await eventually(async () => sending.count() === EACH * PEOPLE.length);
    await sending.stop();
    const inOrder = Array.from({ length: EACH }, (_, n) => String(n));
    expect(sending.heardBy()).to.deep.equal(PEOPLE.map(() => inOrder));
    expect(sending.most()).to.equal(1);
  });

  it('do not wait for one that WhatsApp refused', async () => {
    const sending = await run((message, nth) =>
      textOf(message) === '0' ? rejected(131026) : accepted(`wamid.refused.${nth}`),
    );
    await eventually(async () => sending.count() === EACH * PEOPLE.length);
    await sending.stop();
    for (const texts of sending.heardBy()) expect(texts[1]).to.equal('1');
  });

  it('that wait when the process ends are left for others, in their order', async () => {
    const sending = await run((_, nth) => accepted(`wamid.stopped.${nth}`));
    await eventually(async () => sending.count() >= PEOPLE.length);
    await sending.stop();
    const before = sending.count();
    expect(before).to.be.lessThan(EACH * PEOPLE.length);
    expect(await api.app.dueTimes.count('send')).to.equal(EACH * PEOPLE.length - before);
  });
});
