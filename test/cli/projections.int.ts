/** `recado projections`, against a whole product. */
import { expect } from 'chai';
import { startProduct, type Product } from '../support/e2e/product.js';
import { run, type Ran } from './run.js';

describe('recado projections', function () {
  this.timeout(120_000);
  let product: Product;
  before(async () => {
    product = await startProduct();
    await product.settled(await product.accepted('+5511987654321'));
  });
  after(() => product.close());

  const cli = (...args: string[]): Promise<Ran> =>
    run(['projections', ...args], {
      env: {
        RECADO_ADMIN_URL: product.running.credentials['admin_url']!,
        RECADO_ADMIN_TOKEN: product.running.credentials['admin_token']!,
      },
    });

  it('rebuilds one and tells of it line by line, goes back and drops', async () => {
    const rebuilt = await cli('rebuild', 'messages', '--json');
    expect(rebuilt.code, rebuilt.stderr).to.equal(0);
    const lines = rebuilt.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(lines.at(-1)).to.include({ kind: 'rebuild', status: 'done' });
    const status = (await cli('status', 'messages', '--json')).json();
    expect(status).to.deep.include({ generation: 2, kept_generations: [1], status: 'live', skips: [] });
    const shown = await cli('status');
    expect(shown.stdout).to.match(/messages +\d+ +2 \(kept: 1\) +live/);
    const back = await cli('flip', 'messages', '--generation', '1');
    expect([back.code, back.stderr]).to.deep.equal([0, 'The flip is done.\n']);
    const unsure = await cli('drop', 'messages', '--generation', '2');
    expect(unsure.code).to.equal(2);
    const dropped = await cli('drop', 'messages', '--generation', '2', '--yes');
    expect(dropped.code, dropped.stderr).to.equal(0);
    const listed = (await cli('rebuilds', '--json')).json<readonly Readonly<Record<string, unknown>>[]>();
    expect(listed.map(({ kind, status: end }) => [kind, end])).to.deep.equal([
      ['drop', 'done'],
      ['flip', 'done'],
      ['rebuild', 'done'],
    ]);
  });

  it('refuses what can not be', async () => {
    expect((await cli('rebuild')).code).to.equal(2);
    expect((await cli('rebuild', 'messages', '--all')).code).to.equal(2);
    expect((await cli('rebuild', 'nonsense')).code).to.equal(3);
    expect((await cli('flip', 'messages', '--generation', '9')).code).to.equal(3);
    const event = '0198a6f0-9a01-7000-8000-000000000001';
    const skipped = await cli('skip', 'messages', '--event', event, '--reason', 'no');
    expect(skipped.code).to.equal(3);
    expect(skipped.stderr).to.include('not stopped');
  });
});
