/** Two servers in one process share only the validators compiled from the contract. */
import { expect } from 'chai';
import { loadContract } from '../../api/contract.js';
import { requestValidatorsOf } from '../../api/middleware/request-validator.js';
import { responseCheckOf } from '../../api/middleware/response-check.js';
import { createRegistry } from '../../domain/catalog.js';
import { ask, fieldsOf, type Answer } from '../support/api/client.js';
import { makeApi, type TestApi } from '../support/api/make-api.js';
import { expectRefused } from '../support/api/refused.js';
import { makeWorld, type World } from '../support/api/world.js';

const QUOTA = 3;

describe('two servers in one process', () => {
  let first: TestApi;
  let second: TestApi;
  let one: World;
  let two: World;

  before(async () => {
    first = await makeApi({ limits: { reads: QUOTA, sends: Infinity } });
    second = await makeApi();
    one = await makeWorld(first.app, 'One');
    two = await makeWorld(second.app, 'Two');
  });
  after(() => Promise.all([first, second].map((api) => api.close())));

  let sent = 0;
  const send = (api: TestApi, { key }: World, content: object): Promise<Answer> =>
    ask(api, 'POST', '/messages', {
      key,
      headers: { 'idempotency-key': `two-${(sent += 1)}` },
      json: { recipient: { phone: '+5511987654321' }, type: 'text', content },
    });

  it('compile the contracts and the event types once', async () => {
    for (const name of ['public', 'admin'] as const) {
      const contract = loadContract(name);
      expect(requestValidatorsOf(contract)).to.equal(requestValidatorsOf(contract));
      expect(responseCheckOf(contract)).to.equal(responseCheckOf(contract));
      const { warm } = await requestValidatorsOf(contract);
      expect(warm()).to.equal(warm());
    }
    expect(requestValidatorsOf(loadContract('admin'))).to.not.equal(requestValidatorsOf(loadContract()));
    expect(responseCheckOf(loadContract('admin'))).to.not.equal(responseCheckOf(loadContract()));
    expect(createRegistry()).to.equal(createRegistry());
  });

  it('answer each their own callers, with their own data', async () => {
    const names = await Promise.all([
      ask(first, 'GET', '/channels', { key: one.key }),
      ask(second, 'GET', '/channels', { key: two.key }),
    ]);
    const channels = names.map(({ body }) => (body.data as { uuid: string }[]).map(({ uuid }) => uuid));
    expect(channels).to.deep.equal([[one.channel], [two.channel]]);
    for (const [api, world] of [
      [first, two],
      [second, one],
    ] as const) {
      await expectRefused(api, ['GET', '/channels', { key: world.key }], 401, 'unauthenticated');
    }
  });

  it('keep what is wrong with one request out of the answers to others that are checked beside it', async () => {
    const tooLong = 'x'.repeat(5_000);
    const contents = [{ text: 'Oi' }, {}, { text: tooLong }, { text: 7 }];
    const asked = Array.from({ length: 40 }, (_, n) => Math.floor(n / 2) % contents.length);
    const answers = await Promise.all(
      asked.map((n, i) => (i % 2 === 0 ? send(first, one, contents[n]!) : send(second, two, contents[n]!))),
    );
    const kinds = new Map<number, Set<string>>();
    for (const [i, answer] of answers.entries()) {
      const outcome = `${answer.status} ${fieldsOf(answer)
        .map(({ path, code }) => `${path} ${code}`)
        .join(', ')}`;
      kinds.set(asked[i]!, (kinds.get(asked[i]!) ?? new Set()).add(outcome));
    }
    for (const [n, outcomes] of kinds) expect([...outcomes], JSON.stringify(contents[n])).to.have.length(1);
    const said = [...kinds.values()].flatMap((outcomes) => [...outcomes]);
    expect(new Set(said)).to.have.length(contents.length);
    expect(said[0]).to.match(/^202 /);
  });

  it('count quotas each for itself', async () => {
    const statuses = async (api: TestApi, { key }: World): Promise<readonly number[]> => {
      const found: number[] = [];
      for (let n = 0; n < QUOTA + 2; n += 1) found.push((await ask(api, 'GET', '/channels', { key })).status);
      return found;
    };
    expect(await statuses(first, one)).to.include(429);
    expect(await statuses(second, two)).to.not.include(429);
  });

  it('go on when the other has ended', async () => {
    const third = await makeApi();
    const three = await makeWorld(third.app, 'Three');
    expect((await send(third, three, { text: 'Oi' })).status).to.equal(202);
    await third.close();
    expect((await send(second, two, { text: 'Oi' })).status).to.equal(202);
    expect((await send(second, two, {})).status).to.equal(422);
  });
});
