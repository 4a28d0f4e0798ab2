import { expect } from 'chai';
import { StoreUnavailable } from '../../../ports/event-store.js';
import type { Find, ReadModels } from '../../../ports/read-models.js';
import { createEndpointLookup } from '../../../workers/notifications/endpoints.js';

/** Returns the endpoints that exist when it is called. */
function readModelsWith(endpoints: string[]) {
  const asked: unknown[] = [];
  let away = false;
  const find = (collection: string, { index, equals, order }: Find) => {
    if (collection !== 'webhook_endpoints' || index !== 'by_company' || order !== 'asc') {
      throw new Error(`nothing is found in ${collection} by ${index}, ${order}`);
    }
    asked.push(equals[0]);
    if (away) return Promise.reject(new StoreUnavailable('away'));
    const documents = endpoints.map((id) => ({ id, version: '1', doc: { endpoint_uuid: id } }));
    return Promise.resolve({ documents, next: null });
  };
  return {
    asked,
    readModels: { find } as unknown as ReadModels,
    away: (is: boolean) => (away = is),
  };
}

describe('endpoints that listen', () => {
  it('are looked up once for events that become visible together, company by company', async () => {
    const { readModels, asked } = readModelsWith(['e1']);
    const endpointsOf = createEndpointLookup(readModels);
    const visible = Promise.resolve();
    const answers = await Promise.all(
      ['a', 'b', 'a', 'a'].map(async (company) => {
        await visible;
        return endpointsOf(company);
      }),
    );
    expect(asked).to.deep.equal(['a', 'b']);
    expect(answers.map((rows) => rows.map(({ endpoint_uuid }) => endpoint_uuid))).to.deep.equal(
      Array(4).fill(['e1']),
    );
  });

  it('show one that was added after somebody else had asked', async () => {
    const there = ['e1'];
    const { readModels, asked } = readModelsWith(there);
    let answer: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const put = new Promise<void>((resolve) => {
      const find = readModels.find.bind(readModels);
      readModels.find = async (collection, query) => {
        const found = find(collection, query);
        resolve();
        await slow;
        return found;
      };
    });
    const endpointsOf = createEndpointLookup(readModels);
    const early = endpointsOf('a');
    await put;
    there.push('e2');
    const late = endpointsOf('a');
    answer();
    expect(await early).to.have.length(1);
    expect(await late).to.have.length(2);
    expect(asked).to.have.length(2);
  });

  it('are asked for again after a failure', async () => {
    const { readModels, away } = readModelsWith(['e1']);
    const endpointsOf = createEndpointLookup(readModels);
    away(true);
    const both = await Promise.allSettled([endpointsOf('a'), endpointsOf('a')]);
    expect(both.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    away(false);
    expect(await endpointsOf('a')).to.have.length(1);
  });
});
