/** The filters of a store's products: each alone, together, and over pages. */
import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { newCompany, openAdmin } from './server.js';

describe('admin: products by category, state and stock', () => {
  const server = opened(openAdmin);
  let products: string;
  let mugs: string;

  before(async () => {
    const store = `/companies/${await newCompany(server)}/store`;
    await server.call('POST', store, { name: 'Loja', pickup: { location: 'Rua das Flores, 10' } });
    products = `${store}/products`;
    const made = await server.call('POST', `${store}/categories`, { name: 'Canecas' });
    mugs = made.data['uuid'] as string;
    const variant = (size: string, stock: number, active = true) => ({
      options: { Tamanho: size },
      stock,
      active,
    });
    for (const [name, fields] of [
      ['Caneca azul', { category_uuid: mugs, stock: 2 }],
      ['Caneca rosa', { category_uuid: mugs, stock: 0, active: false }],
      ['Caneca preta', { category_uuid: mugs, stock: 50 }],
      ['Vale-presente', {}],
      ['Camiseta', { variants: [variant('P', 90), variant('M', 3)] }],
      ['Moletom', { variants: [variant('P', 90), variant('M', 1, false)] }],
    ] as const) {
      const { status, body } = await server.call('POST', products, { name, price: '10.00', ...fields });
      expect(status, JSON.stringify(body)).to.equal(201);
    }
  });

  async function namesOf(query: string): Promise<readonly string[]> {
    const names: string[] = [];
    let after = '';
    do {
      const { list, body } = await server.call('GET', `${products}?limit=2&${query}${after}`);
      names.push(...list.map(({ name }) => String(name)));
      const { next_cursor: next } = body['meta'] as { readonly next_cursor: string | null };
      after = next === null ? '' : `&after=${next}`;
    } while (after !== '');
    return names.sort();
  }

  it('by stock: of the product itself, or of an active variant; what is not counted is never low', async () => {
    expect(await namesOf('stock_at_most=3')).to.deep.equal(['Camiseta', 'Caneca azul', 'Caneca rosa']);
    expect(await namesOf('stock_at_most=0')).to.deep.equal(['Caneca rosa']);
  });

  it('by category and by state, together with the stock and with words', async () => {
    const category = `category=${mugs}`;
    expect(await namesOf(category)).to.deep.equal(['Caneca azul', 'Caneca preta', 'Caneca rosa']);
    expect(await namesOf(`${category}&active=true`)).to.deep.equal(['Caneca azul', 'Caneca preta']);
    expect(await namesOf('active=false')).to.deep.equal(['Caneca rosa']);
    expect(await namesOf(`${category}&stock_at_most=3`)).to.deep.equal(['Caneca azul', 'Caneca rosa']);
    expect(await namesOf(`${category}&active=true&stock_at_most=3`)).to.deep.equal(['Caneca azul']);
    expect(await namesOf('query=caneca&active=true&stock_at_most=3')).to.deep.equal(['Caneca azul']);
  });
});
