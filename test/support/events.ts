import type { DomainEvent } from '../../domain/kernel/event.js';

/** The event with other values in these fields. Where it is given to an aggregate, it is held against its schema. */
export const withData = <Event extends DomainEvent>(
  event: Event,
  data: { readonly [Field in keyof Event['data']]?: unknown },
): Event => ({ ...event, data: { ...event.data, ...data } });
