/** Photos of products: added from files, ordered, refused and removed, on a desk and on a phone. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

interface Row {
  readonly uuid: string;
  readonly public_url: string;
  readonly image_urls: readonly string[];
  readonly variants: readonly { readonly image_url: string | null }[];
  readonly images: readonly { readonly width: number; readonly source_url: string | null }[];
}

interface Chosen {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

const HOSTILE = '"><img src=x onerror=alert(1)>.jpg';

describe('console: photos of products', function () {
  this.timeout(300_000);
  const suite = consoleSuite();
  const products = (): string => `/companies/${suite.product.company}/store/products`;
  const read = (uuid: string): Promise<Row> => suite.product.admin<Row>('GET', `${products()}/${uuid}`);
  const create = (name: string, more: object = {}): Promise<Row> =>
    suite.product.admin<Row>('POST', products(), { name, price: '49.90', stock: 5, ...more });

  const drawing = (background: string, width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background } });
  const photo = async (name: string, background: string, width = 640, height = 480): Promise<Chosen> => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await drawing(background, width, height).jpeg().toBuffer(),
  });
  const colourOf = async (url: string): Promise<string> => {
    const bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
    const [r = 0, g = 0, b = 0] = (await sharp(bytes).resize(1, 1).removeAlpha().raw().toBuffer()).values();
    return r > g && r > b ? 'red' : g > b ? 'green' : 'blue';
  };
  async function add(page: Page, button: string, files: readonly Chosen[]): Promise<void> {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: button }).click();
    await (await chooser).setFiles([...files]);
  }
  const uploaded = (page: Page, count: number) =>
    eventually(
      async () =>
        (await page.locator('.photos li[data-key]').count()) === count &&
        (await page.locator('.photos progress').count()) === 0,
      { what: `${count} photos to be uploaded` },
    );
  const focused = (page: Page): Promise<string | null> => page.locator(':focus').getAttribute('aria-label');

  it('makes a product with two photos on a phone, the second one first, and the shop shows it', async () => {
    const { page, look } = await suite.open('products/new', { size: 'phone', language: 'pt', role: 'owner' });
    await page.getByLabel('Nome', { exact: true }).fill('Vaso de barro');
    await page.getByLabel('Preço (R$)', { exact: true }).fill('79,90');
    await add(page, 'Adicionar fotos', [
      await photo('IMG_0001.jpg', '#c02020'),
      await photo('IMG_0002.jpg', '#2040c0', 4000, 3000),
    ]);
    await uploaded(page, 2);
    await look('photos-phone');
    const second = page.getByRole('img', { name: 'Foto 2: IMG_0002.jpg' });
    await second.waitFor();
    await page.getByRole('button', { name: 'Mover a foto 2 para a esquerda' }).click();
    await page.getByRole('img', { name: 'Foto 1: IMG_0002.jpg' }).getByText('Principal').waitFor();
    await page.getByRole('button', { name: 'Salvar' }).click();
    await page.getByRole('heading', { name: 'Vaso de barro' }).waitFor();
    const made = await read(new URL(page.url()).pathname.split('/').at(-1)!);
    expect(await Promise.all(made.image_urls.map(colourOf))).to.deep.equal(['blue', 'red']);
    expect(made.images.map(({ width, source_url }) => [width, source_url])).to.deep.equal([
      [2560, null],
      [640, null],
    ]);
    await look('photos-phone-saved');
    const shop = await suite.visit(made.public_url, 'phone');
    const main = shop.locator('main img').first();
    await main.waitFor();
    expect(await main.getAttribute('src')).to.include(new URL(made.image_urls[0]!).pathname.slice(0, 78));
    await eventually(
      async () =>
        (await main.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)) > 0,
    );
  });

  it('orders and removes photos by the keyboard, which stays where it is', async () => {
    const { uuid } = await create('Prato');
    const { page, look } = await suite.open(`products/${uuid}`);
    await add(page, 'Add photos', [
      await photo('a.jpg', '#c02020'),
      await photo('b.jpg', '#20c020'),
      await photo('c.jpg', '#2020c0'),
    ]);
    await uploaded(page, 3);
    await page.getByRole('button', { name: 'Move photo 3 to the left' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('img', { name: 'Photo 2: c.jpg' }).waitFor();
    expect(await focused(page)).to.equal('Move photo 2 to the left');
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('status').getByText('Photo moved: it is now 1 of 3.').waitFor();
    expect(await focused(page), 'there is nothing to its left').to.equal('Remove photo 1');
    await look('photos-desk');
    await page.getByRole('button', { name: 'Remove photo 2' }).press('Enter');
    await page.getByRole('img', { name: 'Photo 2: b.jpg' }).waitFor();
    expect(await focused(page)).to.equal('Remove photo 2');
    await page.getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(await Promise.all((await read(uuid)).image_urls.map(colourOf))).to.deep.equal(['blue', 'green']);
    const dark = await suite.open(`products/${uuid}`, { scheme: 'dark' });
    await dark.page.getByRole('img', { name: /^Photo 2:/ }).waitFor();
    await dark.look('photos-dark');
  });

  it('shows a variant by one of the photos, wherever that is moved, and keeps it', async () => {
    const { page, look } = await suite.open('products/new');
    await page.getByLabel('Name', { exact: true }).fill('Camiseta');
    await page.getByLabel('Price (R$)', { exact: true }).fill('49,90');
    await add(page, 'Add photos', [await photo('red.jpg', '#c02020'), await photo('blue.jpg', '#2040c0')]);
    await uploaded(page, 2);
    await page.getByLabel('Options, such as: Size, Colour').fill('Colour');
    for (const [index, colour] of ['Azul', 'Vermelha', 'Verde'].entries()) {
      await page.getByRole('button', { name: 'Add a variant' }).click();
      await page.getByLabel(`Colour of variant ${index + 1}`).fill(colour);
    }
    const choice = (number: number) => page.getByLabel(`Photo of variant ${number}`);
    await choice(1).selectOption({ label: 'Photo 2' });
    await choice(2).selectOption({ label: 'Photo 1' });
    await page.getByRole('button', { name: 'Move photo 2 to the left' }).click();
    await page.getByRole('img', { name: 'Photo 1: blue.jpg' }).waitFor();
    const chosen = (number: number) => choice(number).locator('option:checked').textContent();
    expect(await Promise.all([1, 2, 3].map(chosen))).to.deep.equal(['Photo 1', 'Photo 2', 'Main photo']);
    await look('photos-variants');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Camiseta' }).waitFor();
    const uuid = new URL(page.url()).pathname.split('/').at(-1)!;
    const made = await read(uuid);
    const [blue, red] = made.image_urls;
    const ofVariants = async () => (await read(uuid)).variants.map(({ image_url }) => image_url);
    expect(await ofVariants()).to.deep.equal([blue, red, null]);
    // What is not touched stays, also that of a photo which the product itself no longer shows.
    await page.getByRole('button', { name: 'Remove photo 2' }).click();
    await page.getByLabel('Price of variant 3').fill('59,90');
    expect(await Promise.all([1, 2, 3].map(chosen))).to.deep.equal([
      'Photo 1',
      'Another photo',
      'Main photo',
    ]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved').waitFor();
    expect(await ofVariants()).to.deep.equal([blue, red, null]);
    await choice(2).selectOption({ label: 'Main photo' });
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await ofVariants())[1] === null || undefined);
    expect(await ofVariants()).to.deep.equal([blue, null, null]);
  });

  it('refuses what is no picture, whatever its name says, and runs nothing of it', async () => {
    const { uuid } = await create('Quadro');
    const { page, look } = await suite.open(`products/${uuid}`);
    const named = (name: string, mimeType: string, text: string): Chosen => ({
      name,
      mimeType,
      buffer: Buffer.from(text),
    });
    await add(page, 'Add photos', [
      named(HOSTILE, 'image/jpeg', '<!doctype html><script>document.title = "run"</script>'),
      named(
        'logo.jpg',
        'image/jpeg',
        '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = 1"/>',
      ),
      named(
        'logo.svg',
        'image/svg+xml',
        '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title = 1"/>',
      ),
      named('nada.png', 'image/png', ''),
      await photo('boa.jpg', '#20c020'),
    ]);
    const told = page.getByRole('alert').filter({ hasText: 'Not added:' });
    await told.getByText('nada.png: the file is empty.').waitFor();
    for (const name of [HOSTILE, 'logo.jpg', 'logo.svg'])
      await told.getByText(`${name}: no picture that can be read.`).waitFor();
    await uploaded(page, 1);
    await look('photos-refused');
    // The server says so too, where a browser reads as much as there is.
    const gif = await drawing('#20c020', 300, 200).gif().toBuffer();
    await suite.refused(async () => {
      await add(page, 'Add photos', [{ name: HOSTILE, mimeType: 'image/jpeg', buffer: gif.subarray(0, -1) }]);
      await told.getByText(`${HOSTILE}: the picture is damaged or incomplete.`).waitFor();
    });
    await add(page, 'Add photos', [await photo('outra.jpg', '#20c020')]);
    await told.getByText('outra.jpg: the product has this photo already.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect((await read(uuid)).image_urls).to.have.length(1);
    expect(await page.title()).not.to.match(/run|^1$/);
  });

  it('takes at most ten, and says which it left out', async () => {
    const { uuid } = await create('Azulejo');
    const { page } = await suite.open(`products/${uuid}`);
    const many = await Promise.all(
      Array.from({ length: 12 }, (_, index) => photo(`${index}.jpg`, `rgb(${index * 20}, 200, 40)`, 60, 60)),
    );
    await add(page, 'Add photos', many);
    const told = page.getByRole('alert').filter({ hasText: 'Not added:' });
    await told.getByText('11.jpg: a product has at most 10 photos.').waitFor();
    await uploaded(page, 10);
    expect(await page.getByRole('button', { name: 'Add photos' }).isDisabled()).to.equal(true);
  });

  it('adds photos by dropping, pasting and by address, and names the address that has no picture', async () => {
    const { uuid } = await create('Caneca');
    const { page, look } = await suite.open(`products/${uuid}`);
    const { buffer } = await photo('solta.jpg', '#c02020');
    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob('${buffer.toString('base64')}'), (one) => one.charCodeAt(0));
      transfer.items.add(new File([bytes], 'solta.jpg', { type: 'image/jpeg' }));
      return transfer;
    })()`);
    await page.locator('.photos').dispatchEvent('drop', { dataTransfer: dropped });
    await uploaded(page, 1);
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      const canvas = Object.assign(document.createElement('canvas'), { width: 300, height: 200 });
      canvas.toBlob((blob) => {
        clipboardData.items.add(new File([blob], 'colada.png', { type: 'image/png' }));
        const button = document.querySelector('[data-op="uploadStoreImage"]');
        button.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      });
    })()`);
    await page.getByRole('img', { name: 'Photo 2: colada.png' }).waitFor();
    await uploaded(page, 2);
    await page.getByRole('button', { name: 'Remove photo 2' }).click();
    await page.getByText('Add by address').click();
    await page.getByLabel('Address of a photo').fill('http://127.0.0.1:9/foto.jpg');
    await page.getByLabel('Address of a photo').press('Enter');
    await page.getByRole('img', { name: 'Photo 2: http://127.0.0.1:9/foto.jpg' }).waitFor();
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('alert').getByText('Photo 2 can not be fetched as a picture.').waitFor();
    });
    await look('photos-address');
    await page.getByRole('button', { name: 'Remove photo 2' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect((await read(uuid)).image_urls).to.have.length(1);
  });

  it('keeps a photo whose upload broke off, and sends it again', async () => {
    const { uuid } = await create('Tigela');
    const { page, look } = await suite.open(`products/${uuid}`);
    await page.route('**/store/images', (route) => route.fulfill({ status: 429, body: 'busy' }), {
      times: 1,
    });
    await suite.refused(async () => {
      await add(page, 'Add photos', [await photo('a.jpg', '#c02020')]);
      await page.getByRole('alert').getByText('Not uploaded').waitFor();
    });
    await look('photos-failed');
    await page.locator('.photos').getByRole('button', { name: 'Try again' }).click();
    await uploaded(page, 1);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect((await read(uuid)).image_urls).to.have.length(1);
  });

  it('is not offered to who may only look', async () => {
    const { uuid } = await create('Jarra');
    const { page } = await suite.open(`products/${uuid}`, { role: 'viewer' });
    await page.getByRole('group', { name: 'Photos' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add photos' }).count()).to.equal(0);
  });
});
