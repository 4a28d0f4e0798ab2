import type { DomainEvent } from '../../domain/kernel/event.js';

/** Returns the event with other values in these fields. An aggregate that receives it checks it against its schema. */
export const withData = <Event extends DomainEvent>(
  event: Event,
  data: { readonly [Field in keyof Event['data']]?: unknown },
): Event => ({ ...event, data: { ...event.data, ...data } });
