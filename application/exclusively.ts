/** Work under one name: one at a time in this process, and in no other process meanwhile. */
import type { Refusal } from '../domain/kernel/refusal.js';
import type { App } from './app.js';
import { serialize } from './serialize.js';

/** @throws Refusal as `taken` makes it, while another process has the name */
export const exclusively = <T>(
  { executor, leases }: Pick<App, 'executor' | 'leases'>,
  name: string,
  taken: () => Refusal,
  work: () => Promise<T>,
): Promise<T> =>
  serialize(executor, name, async () => {
    const lease = await leases.acquire(name);
    if (lease === null) throw taken();
    try {
      return await work();
    } finally {
      await lease.release();
    }
  });
