import { expect } from 'chai';
import { ask } from '../../support/api/client.js';
import { openedForEach } from '../../support/opened.js';
import { feedWorld } from './world.js';

describe('live events', () => {
  const world = openedForEach(async () => {
    const made = await feedWorld();
    await made.addEndpoint();
    // The feed is written by another process than the one that serves the API.
    await made.startProcess();
    return made;
  });

  const say = async (phone: string) => world.receive(await world.customer(phone), `Oi de ${phone}`);

  it('come as they are in the feed, from the time when the stream was opened', async () => {
    await say('+5511987654321');
    await world.shown();
    const before = await world.read();
    const all = await world.follow();
    const some = await world.follow('?types=message.received');
    await say('+5511987654322');
    await say('+5511987654323');
    await world.until(async () => all.events().length === 4 && some.events().length === 2);
    const { events, lines } = await world.read(`?after=${before.meta.next_after}`);
    expect(all.events()).to.deep.equal(
      events.map(({ type, sequence }, n) => ({ type, id: sequence, data: lines[n] })),
    );
    expect(some.events()).to.deep.equal(all.events().filter(({ type }) => type === 'message.received'));
    expect(all.text().startsWith('retry: 2000\n\n')).to.equal(true);
  });

  it('continue after the last id, without a gap or an event twice', async () => {
    const first = await world.follow();
    await say('+5511987654321');
    await world.until(async () => first.events().length === 2);
    first.close();
    await say('+5511987654322');
    await world.shown();
    const [, last] = first.events();
    const second = await world.follow('?after=0', { 'last-event-id': String(last?.id) });
    const third = await world.follow(`?after=${String(last?.id)}`);
    await say('+5511987654323');
    await world.until(async () => second.events().length === 4 && third.events().length === 4);
    const { lines } = await world.read();
    expect([...first.events(), ...second.events()].map(({ data }) => data)).to.deep.equal(lines);
    expect(third.events()).to.deep.equal(second.events());
  });

  it('show every 15 seconds that they live, with the place to continue from', async () => {
    const stream = await world.follow('?types=order.created');
    await say('+5511987654321');
    await world.shown();
    const { meta } = await world.read();
    await world.clock.advance(15_000);
    await world.until(async () => stream.text().includes(`: alive\nid: ${meta.next_after}\n\n`));
    expect(stream.events()).to.deep.equal([]);
    const beats = () => stream.text().split(': alive').length;
    const now = beats();
    await world.clock.advance(15_100);
    await world.until(async () => beats() > now);
  });

  it('ask the store nothing while nothing happens', async () => {
    await world.follow();
    await world.shown();
    await world.clock.advance(5_000);
    const asked = world.asked();
    await world.clock.advance(60_000);
    expect(world.asked()).to.equal(asked);
  });

  it('end when the key is revoked', async () => {
    const stream = await world.follow();
    await world.revokeKey();
    await world.until(async () => stream.ended());
    expect((await ask(world.api, 'GET', '/events/stream', { key: world.shop.key })).status).to.equal(401);
  });

  it('end when the process stops', async () => {
    const stream = await world.follow();
    world.stopApi();
    await world.until(async () => stream.ended());
  });

  it('are refused to a sixth stream of a key, until another one is closed, and HEAD keeps no place', async () => {
    const { key } = world.shop;
    for (let n = 0; n < 7; n += 1)
      expect((await ask(world.api, 'HEAD', '/events/stream', { key })).status).to.equal(200);
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => world.follow()));
    const sixth = await ask(world.api, 'GET', '/events/stream', { key });
    expect([sixth.status, sixth.body.error?.code]).to.deep.equal([429, 'too_many_streams']);
    expect(sixth.headers['retry-after']).to.equal('5');
    streams[0]?.close();
    let again = await world.follow();
    await world.until(async () => {
      if (again.status !== 200) again = await world.follow();
      return again.status === 200;
    });
    await say('+5511987654321');
    await world.until(async () => again.events().length === 2);
  });

  it('are refused where the feed does not go back that far, or ends before', async () => {
    for (const [query, headers] of [
      ['?after=0', {}],
      ['', { 'last-event-id': '999999' }],
    ] as const) {
      const { status, body } = await ask(world.api, 'GET', `/events/stream${query}`, {
        key: world.shop.key,
        headers,
      });
      expect([status, body.error?.code]).to.deep.equal([410, 'events_expired']);
    }
    const bad = await ask(world.api, 'GET', '/events/stream', {
      key: world.shop.key,
      headers: { 'last-event-id': 'x' },
    });
    expect(bad.status).to.equal(422);
  });
});
