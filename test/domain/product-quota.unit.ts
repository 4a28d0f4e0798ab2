import { expect } from 'chai';
import { fold } from '../../domain/kernel/decider.js';
import { EXAMPLE_NOW } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { PRODUCT_LIMIT, productQuotaAggregate } from '../../domain/product-quota/decide.js';
import { shelfEventExamples } from '../support/examples/product-quota.js';
import { reservationsOf } from '../../domain/product-quota/state.js';
import { given } from '../support/decider.js';

const { taken, returned } = shelfEventExamples;
const {
  store_uuid: storeUuid,
  product_uuids: [product],
} = taken.data;
const uuids = (count: number) => Array.from({ length: count }, (_, n) => deriveId('shelf', n));
const takes = (productUuids: readonly string[]) => ({ type: 'TakePlaces', storeUuid, productUuids }) as const;

describe('shelf', () => {
  it('gives a product one place, however often it asks', () => {
    given(productQuotaAggregate)
      .when(takes([product!, product!]))
      .then(taken);
    given(productQuotaAggregate, taken)
      .when(takes([product!]))
      .thenNothing();
  });

  it('gives as many places as there are, in the order asked for', () => {
    const all = uuids(PRODUCT_LIMIT + 1);
    const nearly = {
      type: 'ShelfPlacesTaken',
      data: { ...taken.data, product_uuids: all.slice(0, -2) },
    } as const;
    given(productQuotaAggregate, nearly)
      .when(takes([all[0]!, ...all.slice(-2)]))
      .then({ type: 'ShelfPlacesTaken', data: { ...taken.data, product_uuids: [all.at(-2)!] } });
    const full = {
      type: 'ShelfPlacesTaken',
      data: { ...taken.data, product_uuids: all.slice(0, -1) },
    } as const;
    given(productQuotaAggregate, full)
      .when(takes([all.at(-1)!]))
      .thenNothing();
  });

  it('takes a place back once', () => {
    const give = { type: 'ReturnPlaces', productUuids: [product!] } as const;
    given(productQuotaAggregate, taken).when(give).then(returned);
    given(productQuotaAggregate, taken, returned).when(give).thenNothing();
  });

  it('counts a place once, and keeps the time at which it was first taken', () => {
    const again = { ...taken, data: { ...taken.data, at: '2027-01-01T00:00:00.000Z' } };
    const shelf = fold(productQuotaAggregate, [taken, again]);
    expect(shelf.count).to.equal(1);
    expect(reservationsOf(shelf)).to.deep.equal([[product, EXAMPLE_NOW]]);
    const odd = { type: 'ShelfPlacesReturned', data: { product_uuids: null as never } } as const;
    expect(fold(productQuotaAggregate, [taken, odd])).to.deep.equal(fold(productQuotaAggregate, [taken]));
  });

  it('knows its places and when they were taken', () => {
    const shelf = fold(productQuotaAggregate, [
      taken,
      { type: 'ShelfPlacesTaken', data: { ...taken.data, product_uuids: uuids(300) } },
      { type: 'ShelfPlacesReturned', data: { product_uuids: uuids(100) } },
    ]);
    expect(shelf.count).to.equal(201);
    expect(new Map(reservationsOf(shelf))).to.deep.equal(
      new Map([product!, ...uuids(300).slice(100)].map((uuid) => [uuid, EXAMPLE_NOW])),
    );
  });
});
