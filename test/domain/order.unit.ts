import { orderAggregate } from '../../domain/order/decide.js';
import { UNPAID } from '../../domain/order/state.js';
import { orderCommandExamples, orderEventExamples } from '../support/examples/order.js';
import type { OrderEvent } from '../../domain/order/events.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { given } from '../support/decider.js';

const { placed, notPlaced, confirmed, paid, delivered, cancelled, stockRestored } = orderEventExamples;
const { place, abandon, restore } = orderCommandExamples;
const move = (to: OrderStatus, reason: string | null = null) => ({ type: 'MoveOrder', to, reason }) as const;

/** The whole table of spec §3: a history, and the statuses to which the order may change. */
const MOVES: readonly (readonly [
  history: readonly OrderEvent[],
  from: OrderStatus,
  to: readonly OrderStatus[],
])[] = [
  [[placed], 'novo', ['confirmado', 'cancelado']],
  [[placed, confirmed], 'confirmado', ['pago', 'cancelado']],
  [[placed, confirmed, paid], 'pago', ['entregue', 'cancelado']],
  [[placed, confirmed, paid, delivered], 'entregue', []],
  [[placed, cancelled], 'cancelado', []],
];
const MOVED = { confirmado: confirmed, pago: paid, entregue: delivered } as const;

describe('order', () => {
  it('is placed once, or given up before', () => {
    given(orderAggregate).when(place.command).then(placed);
    given(orderAggregate, placed).when(place.command).thenNothing();
    given(orderAggregate).when(abandon.command).then(notPlaced);
    given(orderAggregate, notPlaced).when(abandon.command).thenNothing();
    given(orderAggregate, placed).when(abandon.command).thenNothing();
    given(orderAggregate, notPlaced).when(place.command).thenRefused('order_not_placed');
  });

  it('that was never placed takes no other command', () => {
    for (const history of [[], [notPlaced]]) {
      const ending = [{ type: 'EndHold' }, { type: 'LiftHold' }] as const;
      for (const command of [move('confirmado'), move('cancelado'), restore.command, ...ending])
        given(orderAggregate, ...history)
          .when(command)
          .thenRefused('not_found', { resource: 'order' });
    }
  });

  for (const [history, from, allowed] of MOVES) {
    it(`moves from ${from} to ${allowed.join(' or ') || 'nowhere'}`, () => {
      for (const to of ['novo', 'confirmado', 'pago', 'entregue', 'cancelado'] as const) {
        const when = given(orderAggregate, ...history).when(move(to, 'Sem estoque'));
        if (!allowed.includes(to))
          when.thenRefused('invalid_status_transition', { from, to, allowed: [...allowed] });
        else when.then(to === 'cancelado' ? cancelled : MOVED[to as keyof typeof MOVED]);
      }
    });
  }

  describe('that is not paid', () => {
    const DUE = '2026-03-02T10:00:00.000Z';
    const LATER = '2026-03-03T10:00:00.000Z';
    const data = { ...placed.data, hold_until: DUE };
    const held = { ...placed, data } as const;
    const { hold_until: _none, ...before } = placed.data;
    const undecided = { ...placed, data: before } as const;
    const endless = { ...placed, data: { ...placed.data, hold_until: null } } as const;
    const setTo = (until: string | null) => ({ type: 'OrderHoldSet', data: { until } }) as const;
    const end = { type: 'EndHold' } as const;
    const unpaid = { type: 'OrderCancelled', data: { reason: UNPAID } } as const;

    it('is cancelled when its time is over, not before', () => {
      for (const history of [[held], [held, confirmed]]) {
        given(orderAggregate, ...history)
          .when(end, { now: '2026-03-02T09:59:59.999Z' })
          .thenNothing();
        given(orderAggregate, ...history)
          .when(end, { now: DUE })
          .then(unpaid);
      }
    });

    it('is left alone once it is paid, delivered or cancelled, and where it has no end', () => {
      for (const history of [
        [held, confirmed, paid],
        [held, confirmed, paid, delivered],
        [held, cancelled],
        [held, unpaid],
        [endless],
        [undecided],
        [held, setTo(null)],
      ]) {
        given(orderAggregate, ...history)
          .when(end, { now: LATER })
          .thenNothing();
      }
    });

    it('gets a time once, where an earlier release placed it without', () => {
      const begin = { type: 'BeginHold', until: LATER } as const;
      given(orderAggregate, undecided).when(begin).then(setTo(LATER));
      for (const history of [
        [undecided, setTo(DUE)],
        [undecided, setTo(null)],
        [undecided, confirmed, paid],
        [undecided, cancelled],
        [held],
        [endless],
      ])
        given(orderAggregate, ...history)
          .when(begin)
          .thenNothing();
    });

    it('keeps its stock without end once its hold is lifted', () => {
      const lift = { type: 'LiftHold' } as const;
      given(orderAggregate, held).when(lift).then(setTo(null));
      for (const history of [[endless], [undecided], [held, setTo(null)], [held, confirmed, paid]])
        given(orderAggregate, ...history)
          .when(lift)
          .thenNothing();
    });
  });

  it('has its stock back once, when it is cancelled and had taken any', () => {
    given(orderAggregate, placed).when(restore.command).thenRefused('order_not_cancelled');
    given(orderAggregate, placed, cancelled).when(restore.command).then(stockRestored);
    given(orderAggregate, placed, cancelled, stockRestored).when(restore.command).thenNothing();
    const items = placed.data.items.map((item) => ({ ...item, stock_taken: 0 }));
    const untracked = { ...placed, data: { ...placed.data, items } };
    given(orderAggregate, untracked, cancelled).when(restore.command).thenNothing();
  });
});
