import type { Place } from '../place.js';
import { Board } from './order-board.js';
import { NewOrder } from './order-new.js';
import { OrderPage } from './order.js';
import { PrintOrders } from './order-print.js';

export function Orders({ company, place }: { readonly company: string; readonly place: Place }) {
  if (place.id === null) return <Board company={company} place={place} />;
  if (place.id === 'new') return <NewOrder company={company} />;
  if (place.id === 'print') return <PrintOrders company={company} place={place} />;
  return <OrderPage key={place.id} company={company} uuid={place.id} />;
}
