/** What operators say of an order later: a document of its own, so that nobody overwrites the order. */
import { collection } from './collection.js';

export type WishDoc = {
  readonly wish: 'cancel' | 'accept';
  readonly by: string;
  readonly at: string;
};

export const projectionWishes = collection<WishDoc>()({ name: 'projection_wishes', version: 1, indexes: {} });
