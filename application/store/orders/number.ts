/**
 * The friendly number of an order: 1001, 1002, … per store. Each number is claimed in its own stream, so two processes
 * never issue the same one; the first number to try is only a hint.
 */
import type { LRUCache } from 'lru-cache';
import { createCache } from '../../../ports/cache.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { deriveSecretId } from '../../../domain/kernel/ids.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import { orders } from '../../../read-models/orders.js';
import type { App } from '../../app.js';
import type { CommandContext } from '../../execute.js';
import { serialize } from '../../serialize.js';

export const FIRST_ORDER_NUMBER = 1001;

const KIND = 'order_number';
const REMEMBERED_STORES = 10_000;

/** Last number issued by this process, by store: read models may lag. */
const lastGiven = new WeakMap<object, LRUCache<string, number>>();

const numberIdentity = (app: Pick<App, 'indexSecret'>, storeUuid: string, number: number): string =>
  deriveSecretId(app.indexSecret, 'order-number', storeUuid, String(number));

export function claimOrderNumber(
  app: Pick<App, 'executor' | 'indexSecret' | 'readModels'>,
  storeUuid: string,
  orderUuid: string,
  context: CommandContext,
): Promise<number> {
  return serialize(app.executor, `order-number:${storeUuid}`, async () => {
    const given = givenBy(app);
    const known = Math.max(await highestKnown(app, storeUuid), given.get(storeUuid) ?? 0);
    for (let number = Math.max(known + 1, FIRST_ORDER_NUMBER); ; number += 1) {
      try {
        await app.executor.execute(
          identityAggregate,
          numberIdentity(app, storeUuid, number),
          { type: 'ClaimIdentity', kind: KIND, owner: orderUuid },
          { ...context, commandId: `${context.commandId}/number/${orderUuid}/${number}`, subject: null },
        );
        given.set(storeUuid, number);
        return number;
      } catch (error) {
        if (!(error instanceof Refusal) || error.code !== 'identity_taken') throw error;
      }
    }
  });
}

/** Releases the number of an order that was not placed, or got another number; this process issues it again. */
export function releaseOrderNumber(
  app: Pick<App, 'executor' | 'indexSecret'>,
  storeUuid: string,
  orderUuid: string,
  number: number,
  context: CommandContext,
): Promise<void> {
  return serialize(app.executor, `order-number:${storeUuid}`, async () => {
    await app.executor.execute(
      identityAggregate,
      numberIdentity(app, storeUuid, number),
      { type: 'ReleaseIdentity', owner: orderUuid },
      { ...context, commandId: `${context.commandId}/number/${orderUuid}/${number}/release`, subject: null },
    );
    const given = givenBy(app);
    given.set(storeUuid, Math.min(given.get(storeUuid) ?? number, number - 1));
  });
}

async function highestKnown(app: Pick<App, 'readModels'>, storeUuid: string): Promise<number> {
  const { documents } = await app.readModels.find(orders.name, {
    index: 'by_number',
    equals: [storeUuid],
    order: 'desc',
    limit: 1,
  });
  return documents[0]?.doc.number ?? 0;
}

function givenBy(app: Pick<App, 'executor'>): LRUCache<string, number> {
  let given = lastGiven.get(app.executor);
  if (!given) lastGiven.set(app.executor, (given = createCache(REMEMBERED_STORES)));
  return given;
}
