/** `If-Match` with a product's version: a change based on an older version is refused. */
import { expect } from 'chai';
import { directCommand } from '../../../application/app.js';
import { storeOf } from '../../../application/store/gate.js';
import { createImageMemo } from '../../../application/store/images.js';
import { changeProduct } from '../../../application/store/products/change.js';
import { loadProduct } from '../../../application/store/products/load.js';
import type { Refusal } from '../../../domain/kernel/refusal.js';
import { readProductWrite } from '../../../domain/policies/product/write.js';
import { ask, outcomeOf, type Answer } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { opened, openedForEach } from '../../support/opened.js';
import { openShop, productHistory } from './products.js';

const FAILED = [412, 'precondition_failed'];

describe('store products: If-Match', () => {
  const api = opened(makeApi);
  const shop = openedForEach(() => openShop(api));

  const send = (method: string, uuid: string, ifMatch: string | string[], json?: object): Promise<Answer> =>
    ask(api, method, `/store/products/${uuid}`, {
      key: shop.key,
      headers: { 'if-match': ifMatch },
      ...(json ? { json } : {}),
    });

  it('changes the version that it names and no other one, which is named in the refusal', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    const changed = await send('PATCH', uuid, '"1"', { price: 11 });
    expect([changed.status, (changed.body.data as { version: number }).version]).to.deep.equal([200, 2]);
    const late = await send('PATCH', uuid, '"1"', { price: 12 });
    expect(outcomeOf(late)).to.deep.equal(FAILED);
    expect(late.body.error!.details).to.deep.equal({ version: 2 });
    expect((await shop.get(uuid)).price).to.equal('11.00');
    expect(await productHistory(api.app, uuid)).to.deep.equal(['ProductCreated', 'ProductChanged']);
  });

  it('takes a list, several headers and "*"; weak tags and those of others match nothing', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    let price = 10;
    const change = async (ifMatch: string | string[]): Promise<unknown> =>
      (await send('PATCH', uuid, ifMatch, { price: (price += 1) })).status;
    expect(await change('"9", "1"')).to.equal(200);
    expect(await change(['"9"', '"2"'])).to.equal(200);
    expect(await change('*')).to.equal(200);
    expect(await change('W/"4"')).to.equal(412);
    expect(await change('"etag-of-somebody"')).to.equal(412);
    expect(await shop.get(uuid)).to.include({ version: 4, price: '13.00' });
  });

  it('is looked at also where nothing would change', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    expect(outcomeOf(await send('PATCH', uuid, '"2"', { price: 10 }))).to.deep.equal(FAILED);
    expect((await send('PATCH', uuid, '"1"', { price: 10 })).status).to.equal(200);
  });

  it('keeps a product that has changed from being deleted', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    await shop.patch(uuid, { price: 11 });
    expect(outcomeOf(await send('DELETE', uuid, '"1"'))).to.deep.equal(FAILED);
    expect((await shop.get(uuid)).version).to.equal(2);
    expect((await send('DELETE', uuid, '"2"')).status).to.equal(204);
    for (const ifMatch of ['"2"', '*'])
      expect(outcomeOf(await send('DELETE', uuid, ifMatch))).to.deep.equal([404, 'not_found']);
  });

  it('is refused where it is no list of quoted tags', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    for (const ifMatch of ['1', '"1', '"1" "2"', '*, "1"']) {
      const answer = await send('PATCH', uuid, ifMatch, { price: 11 });
      expect(outcomeOf(answer), ifMatch).to.deep.equal([422, 'validation_failed']);
      const fields = answer.body.error!.details['fields'] as readonly { readonly path: string }[];
      expect(fields.map(({ path }) => path)).to.deep.equal(['header.If-Match']);
    }
  });

  it('is looked at once more when it is written, and a handle that was claimed for it is free again', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    const before = await loadProduct(api.app, uuid);
    await shop.patch(uuid, { price: 11 });
    const { write } = readProductWrite({ import_handle: 'caneca' });
    const outcome = await changeProduct(
      api.app,
      await storeOf(api.app, shop.company),
      before,
      write,
      { source: 'api', memo: createImageMemo(), versions: [1] },
      directCommand(api.app, { company: shop.company, actor: 'test', correlationId: 'test' }),
    ).catch((error: unknown) => (error as Refusal).details);
    expect(outcome).to.deep.equal({ version: 2 });
    expect(await productHistory(api.app, uuid)).to.deep.equal(['ProductCreated', 'ProductChanged']);
    await shop.create({ name: 'Outra', price: 1, import_handle: 'caneca' });
  });

  it('lets one of those through who change the same version at once, and the others keep nothing', async () => {
    const { uuid } = await shop.create({ name: 'Caneca', price: 10 });
    const handles = ['a', 'b', 'c', 'd', 'e', 'f'];
    const answers = await Promise.all(
      handles.map((import_handle) => send('PATCH', uuid, '"1"', { import_handle, stock: 5 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).to.deep.equal([200, 412, 412, 412, 412, 412]);
    expect(await productHistory(api.app, uuid)).to.deep.equal([
      'ProductCreated',
      'ProductChanged',
      'StockSet',
    ]);
    const { import_handle: won } = await shop.get(uuid);
    for (const import_handle of handles.filter((handle) => handle !== won))
      await shop.create({ name: 'Outra', price: 1, import_handle });
  });
});
