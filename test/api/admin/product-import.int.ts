import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { newCompany, openAdmin } from './server.js';

interface Item {
  readonly import_handle: string | null;
  readonly status: string;
  readonly error: { readonly code: string; readonly details: { readonly pointer: string } } | null;
}

describe('admin: import of products', () => {
  const server = opened(openAdmin);
  let store: string;

  before(async () => {
    const company = await newCompany(server);
    store = `/companies/${company}/store`;
    const about = { name: 'Loja', pickup: { location: 'Rua das Flores, 10' } };
    const { status, body } = await server.call('POST', store, about);
    expect(status, JSON.stringify(body)).to.equal(201);
  });

  async function imported(preview: boolean, handle: string): Promise<Item> {
    const products = [{ import_handle: handle, name: 'Camiseta', price: '49.90' }];
    const { status, body } = await server.call('POST', `${store}/products/import`, { preview, products });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body['data'] as readonly Item[])[0]!;
  }

  for (const [what, preview] of [
    ['a preview', true],
    ['an import', false],
  ] as const) {
    for (const blank of ['', ' ', '\n\t', ' '.repeat(300)]) {
      it(`${what} says of an item that its import_handle is ${JSON.stringify(blank.slice(0, 3))}, ${blank.length} long: it is empty`, async () => {
        const { import_handle: handle, status, error } = await imported(preview, blank);
        expect([handle, status]).to.deep.equal([blank.slice(0, 128), 'failed']);
        expect([error?.code, error?.details.pointer]).to.deep.equal(['validation_failed', '/import_handle']);
      });
    }

    it(`${what} answers with the import_handle that the product has`, async () => {
      expect((await imported(preview, ' CAM-1 ')).import_handle).to.equal('CAM-1');
    });
  }
});
