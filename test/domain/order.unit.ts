import { orderAggregate } from '../../domain/order/decide.js';
import { orderCommandExamples, orderEventExamples } from '../../domain/order/examples.js';
import type { OrderEvent } from '../../domain/order/events.js';
import type { OrderStatus } from '../../domain/order/status.js';
import { given } from '../support/decider.js';

const { placed, notPlaced, confirmed, paid, delivered, cancelled, stockRestored } = orderEventExamples;
const { place, abandon, restore } = orderCommandExamples;
const move = (to: OrderStatus, reason: string | null = null) => ({ type: 'MoveOrder', to, reason }) as const;

/** The whole of spec §3: a history, and where the order may move from there. */
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
      for (const command of [move('confirmado'), move('cancelado'), restore.command])
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

  it('has its stock back once, when it is cancelled and had taken any', () => {
    given(orderAggregate, placed).when(restore.command).thenRefused('order_not_cancelled');
    given(orderAggregate, placed, cancelled).when(restore.command).then(stockRestored);
    given(orderAggregate, placed, cancelled, stockRestored).when(restore.command).thenNothing();
    const items = placed.data.items.map((item) => ({ ...item, stock_taken: 0 }));
    const untracked = { ...placed, data: { ...placed.data, items } };
    given(orderAggregate, untracked, cancelled).when(restore.command).thenNothing();
  });
});
