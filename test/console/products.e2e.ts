/** Products and the shop's settings in the console. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { eventually } from '../support/e2e/eventually.js';
import { consoleSuite } from '../support/console.js';
import { serve, type Serving } from '../support/servers.js';

interface Row {
  readonly uuid: string;
  readonly name: string;
  readonly price: string;
  readonly stock: number | null;
  readonly active: boolean;
  readonly image_urls: readonly string[];
  readonly variants: readonly { readonly name: string; readonly stock: number | null }[];
}

const HOSTILE = '"><script>alert(1)</script>';

describe('console: products and shop', function () {
  this.timeout(300_000);
  let pictures: Serving;
  let mug: Row;
  before(async () => {
    const bytes = await sharp({ create: { width: 60, height: 60, channels: 3, background: '#0b6b53' } })
      .png()
      .toBuffer();
    pictures = await serve((req, res) => {
      if (req.url === '/text') res.setHeader('content-type', 'text/plain').end('no picture');
      else res.setHeader('content-type', 'image/png').end(bytes);
    });
  });
  after(() => pictures?.close());
  const suite = consoleSuite(async (product) => {
    const path = `/companies/${product.company}/store/products`;
    mug = await product.admin<Row>('POST', path, { name: 'Caneca azul', price: '49.90', stock: 12 });
    await product.admin('POST', path, { name: `Bolsa ${HOSTILE}`, price: '10.00', stock: 2 });
  });
  const products = (): string => `/companies/${suite.product.company}/store/products`;
  const read = (uuid: string): Promise<Row> => suite.product.admin<Row>('GET', `${products()}/${uuid}`);

  it('lists products, finds by words, and shows what runs low, on a desk and on a phone', async () => {
    const { page, look } = await suite.open('products');
    await page.getByRole('link', { name: 'Caneca azul' }).waitFor();
    await page.getByRole('link', { name: `Bolsa ${HOSTILE}` }).waitFor();
    await look('products-desk');
    await page.getByLabel('Name, description or code').fill('caneca azul');
    await page.getByRole('link', { name: /^Bolsa/ }).waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('q') === 'caneca azul');
    await page.getByLabel('Name, description or code').fill('');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('low');
    await page.getByRole('link', { name: 'Caneca azul' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^Bolsa/ }).waitFor();
    const phone = await suite.open('products', { size: 'phone', language: 'pt' });
    await phone.page.getByRole('link', { name: 'Caneca azul' }).waitFor();
    await phone.look('products-phone');
  });

  /** @returns keeps the page at what it has read so far, until what that returns is called */
  async function keeper(page: Page): Promise<() => Promise<() => void>> {
    let reading = 0;
    let held = Promise.resolve();
    await page.route(/\/store\/products(\?|$)/, async (route) => {
      await held;
      reading += 1;
      // The page may be closed while it reads.
      await route
        .fetch()
        .then((response) => route.fulfill({ response }))
        .catch(() => undefined);
      reading -= 1;
    });
    return async () => {
      let goOn = (): void => undefined;
      held = new Promise<void>((resolve) => (goOn = resolve));
      await eventually(() => reading === 0);
      return goOn;
    };
  }

  it('changes a price where it stands, and never over the change of somebody else', async () => {
    const { page } = await suite.open('products');
    const keep = await keeper(page);
    const price = page.getByLabel('Price of Caneca azul');
    await price.fill('59,90');
    await price.press('Enter');
    await page.getByRole('status').getByText('Caneca azul: saved.').waitFor();
    expect((await read(mug.uuid)).price).to.equal('59.90');
    // The page has read this state; somebody else changes it, and the page does not hear of it in time.
    await page.getByLabel('Stock of Caneca azul').and(page.locator('[value="12"], :not([value])')).waitFor();
    const goOn = await keep();
    await suite.product.admin('PATCH', `${products()}/${mug.uuid}`, { stock: 7 });
    await suite.refused(async () => {
      await page.getByLabel('Stock of Caneca azul').fill('99');
      await page.getByLabel('Stock of Caneca azul').press('Enter');
      await page.getByRole('alert').getByText('meanwhile').waitFor();
    });
    goOn();
    expect((await read(mug.uuid)).stock).to.equal(7);
    // The field shows what the other person wrote; only then does one decide anew.
    await eventually(async () => (await page.getByLabel('Stock of Caneca azul').inputValue()) === '7');
    await page.getByLabel('Stock of Caneca azul').fill('8');
    await page.getByLabel('Stock of Caneca azul').press('Enter');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByRole('status').getByText('Caneca azul: saved.').waitFor();
    expect((await read(mug.uuid)).stock).to.equal(8);
  });

  it('creates a product with pictures and variants, and names the file that is no picture', async () => {
    const { page, look } = await suite.open('products/new', { language: 'pt' });
    await page.getByLabel('Nome').fill('Camiseta');
    await page.getByLabel('Preço (R$)', { exact: true }).fill('1.049,90');
    await page.getByText('Adicionar por endereço').click();
    for (const path of ['a.png', 'text']) {
      await page.getByLabel('Endereço da foto').fill(`${pictures.origin}/${path}`);
      await page.getByLabel('Endereço da foto').press('Enter');
    }
    await page.getByLabel('Opções, por exemplo: Tamanho, Cor').fill('Tamanho');
    for (const [index, size] of ['P', 'M'].entries()) {
      await page.getByRole('button', { name: 'Adicionar variação' }).click();
      await page.getByLabel(`Tamanho da variação ${index + 1}`).fill(size);
      await page.getByLabel(`Estoque da variação ${index + 1}`).fill(String(index + 3));
    }
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Salvar' }).click();
      await page.getByText('Não foi possível buscar a foto 2.').waitFor();
    });
    await look('product-new');
    await page.getByRole('button', { name: 'Remover a foto 2' }).click();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { name: 'Camiseta' }).waitFor();
    const made = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(made).to.include({ price: '1049.90', active: true });
    expect(made.variants.map(({ name, stock }) => [name, stock])).to.deep.equal([
      ['P', 3],
      ['M', 4],
    ]);
    const picture = page.locator('img.picture').first();
    await picture.waitFor();
    const width = await picture.evaluate(
      (image) => (image as unknown as { naturalWidth: number }).naturalWidth,
    );
    expect(width).to.be.greaterThan(0);
    await look('product-pt');
  });

  it('changes many at once, each with its own outcome', async () => {
    const { page, look } = await suite.open('products');
    const keep = await keeper(page);
    await page.getByLabel('Choose Caneca azul').check();
    await page.getByLabel(`Choose Bolsa ${HOSTILE}`).check();
    await page.getByRole('combobox', { name: 'What to do with them' }).selectOption('price');
    await page.getByLabel('Percent, such as -10 or 5').fill('-10');
    // The second one is sold meanwhile: its version is another, and the page has not read it.
    const goOn = await keep();
    await suite.product.admin('PATCH', `${products()}/${mug.uuid}`, { stock: 5 });
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Apply to 2' }).click();
      await page.getByText('1 changed, 1 not.').waitFor();
    });
    goOn();
    await look('products-bulk');
    expect((await read(mug.uuid)).price, 'somebody else changed it').to.equal('59.90');
    await page.getByRole('button', { name: 'OK' }).click();
  });

  it('imports a table after a preview, and leaves out what is refused', async () => {
    const { page, look } = await suite.open('products/import');
    const csv = 'código;nome;preço;estoque\nTEC-1;"Tecido; xadrez";19,90;4\nTEC-2;Linho;abc;1\n';
    await page.getByLabel('CSV file').setInputFiles({
      name: 'produtos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv, 'latin1'),
    });
    await page.getByText('1 created, 0 changed, 0 as they were, 1 refused.').waitFor();
    expect((await page.getByRole('row').nth(1).innerText()).toLowerCase()).to.include('refused');
    await look('products-import');
    await page.getByRole('button', { name: 'Import 1' }).click();
    await page.getByRole('heading', { name: 'What happened' }).waitFor();
    await page.getByText('1 created, 0 changed, 0 as they were, 1 refused.').waitFor();
    const list = await suite.product.admin<readonly Row[]>('GET', `${products()}?query=xadrez`);
    expect(list.map(({ name, price, stock }) => [name, price, stock])).to.deep.equal([
      ['Tecido; xadrez', '19.90', 4],
    ]);
  });

  it('says in the language of the page why a line is refused', async () => {
    const { page } = await suite.open('products/import', { language: 'pt' });
    const csv = 'código;nome;preço;estoque\nTEC-3;Linho;abc;1\nTEC-4;Algodão;10,00;muitos\n';
    await page.getByLabel('Arquivo CSV').setInputFiles({
      name: 'produtos.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(csv),
    });
    await page.getByText('abc não é um valor como 49,90 ou 1.234,56.').waitFor();
    await page.getByText('muitos não é um número inteiro de unidades.').waitFor();
  });

  it('keeps categories', async () => {
    const { page, look } = await suite.open('products/categories');
    await page.getByLabel('New category').fill(`Casa ${HOSTILE}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByLabel(`Name of Casa ${HOSTILE}`).waitFor();
    await look('categories');
  });

  it('changes the shop, says what is missing, and shows its page and QR code', async () => {
    const { page, look } = await suite.open('shop');
    await page.getByRole('img', { name: 'QR code of the shop' }).waitFor();
    await look('shop-desk');
    await page.getByLabel('Customers can pick up').uncheck();
    if (await page.getByLabel('We deliver').isChecked()) await page.getByLabel('We deliver').uncheck();
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('Still missing: delivery or pick-up').waitFor();
    });
    await page.getByLabel('We deliver').check();
    await page.getByLabel('Fee (R$)').fill('7,50');
    await page.getByLabel('Free from (R$)').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await eventually(async () => {
      const { delivery } = await suite.product.admin<{ readonly delivery: { readonly fee: string } }>(
        'GET',
        `/companies/${suite.product.company}/store`,
      );
      expect(delivery.fee).to.equal('7.50');
      return true;
    });
    const phone = await suite.open('shop', { size: 'phone', language: 'pt' });
    await phone.page.getByRole('img', { name: 'QR code da loja' }).waitFor();
    await phone.look('shop-phone');
  });

  it('opens a shop for a company without one', async () => {
    const { uuid } = await suite.product.admin<Row>('POST', '/companies', { name: 'Padaria' });
    const { page, look } = await suite.open('overview', { language: 'pt' });
    await suite.refused(async () => {
      await page.goto(`${suite.product.running.url}/console/${uuid}/shop`);
      await page.getByRole('heading', { name: 'Abrir a loja' }).waitFor();
    });
    await look('shop-open');
    await page.getByLabel('Nome', { exact: true }).fill('Padaria Sol');
    await page.getByLabel('Onde').fill('Rua do Sol, 1');
    await page.getByRole('button', { name: 'Abrir a loja' }).click();
    await page.getByRole('img', { name: 'QR code da loja' }).waitFor();
    expect(await page.locator('code.address').innerText()).to.match(/\/loja\/padaria-sol$/);
  });
});
