import type { WebhookJobDoc } from '../../read-models/webhook-jobs.js';

export type Counts = { -readonly [Name in 'first_time' | 'again' | 'under_way' | 'left_out']: number };

export const nothing: Readonly<Counts> = { first_time: 0, again: 0, under_way: 0, left_out: 0 };

/** What a piece did, and where the next one begins. */
export type Piece = Readonly<Counts> & { readonly done: boolean } & Partial<
    Pick<WebhookJobDoc, 'start' | 'end' | 'position' | 'place' | 'part'>
  >;

/** The range begins before the time for which deliveries are kept. */
export class OutOfHorizon extends Error {
  override readonly name = 'OutOfHorizon';
}
