/** The order of endpoints, and the endpoints that are forgotten. */
import { expect } from 'chai';
import type { Held } from '../../../workers/webhooks/attempt.js';
import { createEndpointLanes, type EndpointLane } from '../../../workers/webhooks/lanes.js';

const NOW = 1_000;
const LIMITS = { maxPerEndpoint: 2, slowMs: 1_000, breakerAfter: 3, breakerMinMs: 10, breakerMaxMs: 20 };
const HELD = {} as Held;

describe('the lanes of webhook endpoints', () => {
  const withLanes = (...ids: readonly string[]) => {
    const lanes = createEndpointLanes(LIMITS);
    const of = ids.map((id) => lanes.get(id));
    return { lanes, of, ids: () => [...lanes.all()].map(({ endpointUuid }) => endpointUuid) };
  };

  it('are one for each endpoint, with all its slots and nothing due', () => {
    const { lanes } = withLanes();
    const lane = lanes.get('a');
    expect(lanes.get('a')).to.equal(lane);
    const { pace, ...rest } = lane;
    expect(rest).to.deep.equal({
      endpointUuid: 'a',
      held: [],
      inFlight: 0,
      pumping: false,
      again: false,
      claimSize: 2,
      nextDueAt: Infinity,
      moreLater: false,
    });
    expect(pace.slots).to.equal(2);
  });

  it('take turns, those that were offered', () => {
    const { lanes, of } = withLanes('a', 'b', 'c');
    for (const lane of of) lane.held.push(HELD);
    const [a, b] = of as [EndpointLane, EndpointLane, EndpointLane];
    lanes.offer(a);
    lanes.offer(b);
    lanes.offer(a);
    expect(lanes.take(NOW)).to.equal(a);
    lanes.offer(a);
    expect([lanes.take(NOW), lanes.take(NOW), lanes.take(NOW)]).to.deep.equal([b, a, undefined]);
  });

  it('take turns, quick ones with the others, or quick ones alone', () => {
    const { lanes, of } = withLanes('slow1', 'slow2', 'quick1', 'quick2', 'unknown');
    const [slow1, slow2, quick1, quick2, unknown] = of as [
      EndpointLane,
      EndpointLane,
      EndpointLane,
      EndpointLane,
      EndpointLane,
    ];
    for (const lane of of) lane.held.push(HELD);
    slow1.pace.meanMs = slow2.pace.meanMs = LIMITS.slowMs + 1;
    quick1.pace.meanMs = quick2.pace.meanMs = LIMITS.slowMs;
    for (const lane of of) lanes.offer(lane);
    expect(lanes.take(NOW, true)).to.equal(quick1);
    lanes.offer(quick1);
    const inTurn = [1, 2, 3, 4, 5].map(() => lanes.take(NOW));
    expect(inTurn).to.deep.equal([quick2, slow1, quick1, slow2, unknown]);
    lanes.offer(slow1);
    expect(lanes.take(NOW, true)).to.equal(undefined);
    expect(lanes.take(NOW), 'one that was left out is there').to.equal(slow1);
  });

  it('are offered as what they have become', () => {
    const { lanes, of } = withLanes('a');
    const [lane] = of as [EndpointLane];
    lane.held.push(HELD);
    lane.pace.meanMs = 1;
    lanes.offer(lane);
    lane.pace.meanMs = LIMITS.slowMs + 1;
    lanes.offer(lane);
    expect(lanes.take(NOW, true)).to.equal(undefined);
    expect([lanes.take(NOW), lanes.take(NOW)]).to.deep.equal([lane, undefined]);
  });

  it('are passed over with nothing to send, with no slot, or at rest', () => {
    const { lanes, of } = withLanes('empty', 'full', 'resting', 'ready');
    const [empty, full, resting, ready] = of as [EndpointLane, EndpointLane, EndpointLane, EndpointLane];
    for (const lane of [full, resting, ready]) lane.held.push(HELD);
    full.inFlight = 2;
    resting.pace.restUntil = NOW + 1;
    for (const lane of [empty, full, resting, ready]) lanes.offer(lane);
    expect(lanes.take(NOW)).to.equal(ready);
    expect(lanes.take(NOW), 'until they are offered again').to.equal(undefined);
  });

  it('are forgotten once they have nothing and have learned nothing', () => {
    const changes: readonly (readonly [string, (lane: EndpointLane) => void])[] = [
      ['in flight', (lane) => (lane.inFlight = 1)],
      ['claiming', (lane) => (lane.pumping = true)],
      ['held', (lane) => lane.held.push(HELD)],
      ['due', (lane) => (lane.nextDueAt = NOW)],
      ['silent', (lane) => (lane.pace.silent = 1)],
      ['slowed down', (lane) => (lane.pace.slots = 1)],
    ];
    const { lanes, ids } = withLanes('nothing', ...changes.map(([what]) => what));
    for (const [what, change] of changes) change(lanes.get(what));
    lanes.sweep();
    expect(ids()).to.deep.equal(changes.map(([what]) => what));
  });

  it('are remembered as quick as they were, when something is due for them again', () => {
    const { lanes } = withLanes('quick', 'unknown');
    lanes.get('quick').pace.meanMs = 40;
    lanes.sweep();
    expect([lanes.get('quick').pace.meanMs, lanes.get('unknown').pace.meanMs]).to.deep.equal([40, 0]);
    expect(lanes.get('quick').pace.slots).to.equal(2);
  });
});
