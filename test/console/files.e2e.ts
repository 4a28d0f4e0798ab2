/** Files in the inbox: what customers send, safe to look at, and what people attach. */
import { expect } from 'chai';
import sharp from 'sharp';
import { DEMO_NUMBER } from '../support/e2e/product.js';
import { eventually } from '../support/e2e/eventually.js';
import { consoleSuite } from '../support/console.js';

const ANA = '5511987654321';
/** Sends what only calls itself a picture. */
const RUI = '5511987654322';
/** Got no template yet: the same one twice in a day is refused. */
const BIA = '5511987654323';
const HOSTILE = '"><img src=x onerror=document.title="owned">';

describe('console: files', function () {
  this.timeout(240_000);
  let png: Buffer;
  const suite = consoleSuite(async (product) => {
    png = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#c9a227' } })
      .png()
      .toBuffer();
    const { sandbox } = product;
    const put = (bytes: Buffer, mimeType: string, size?: number) =>
      sandbox.media.put({ bytes, mimeType, ...(size === undefined ? {} : { size }) });
    const received = (type: string, file: ReturnType<typeof put>, more: object = {}, from = ANA) =>
      sandbox.receive({
        phoneNumberId: DEMO_NUMBER,
        from,
        message: { type, [type]: { id: file.id, mime_type: file.mimeType, sha256: file.sha256, ...more } },
      });
    await product.marketing({ enabled: true });
    product.reply(BIA, 'Oi', 'Bia');
    product.reply(ANA, 'Seguem as fotos', 'Ana');
    const conversation = await product.conversationWith(`+${ANA}`);
    received('image', put(png, 'image/png'), { caption: `Azul? ${HOSTILE}` });
    received(
      'image',
      put(Buffer.from('<svg onload="alert(1)"/>'), 'image/png'),
      { caption: 'sem foto' },
      RUI,
    );
    received('document', put(Buffer.from('<script>alert(1)</script>'), 'text/html'), {
      filename: `${HOSTILE}.html`,
    });
    received('audio', put(Buffer.from('OggS'), 'audio/ogg'));
    received('video', put(png, 'video/mp4', 200 * 1024 * 1024));
    const others: readonly (readonly [string, object])[] = [
      [
        'location',
        { latitude: -23.561414, longitude: -46.655881, name: 'Masp', address: 'Av. Paulista, 1578' },
      ],
    ];
    for (const [type, node] of others)
      sandbox.receive({ phoneNumberId: DEMO_NUMBER, from: ANA, message: { type, [type]: node } });
    sandbox.receive({
      phoneNumberId: DEMO_NUMBER,
      from: ANA,
      message: {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Rui Costa' }, phones: [{ phone: '+55 11 91234-5678' }] }],
      },
    });
    await eventually(async () => {
      const list = await product.messages(conversation);
      const states = list
        .map(({ content }) => content['media_status'])
        .filter((state) => state !== undefined);
      expect(states).to.have.length(4).and.not.to.include('pending');
      expect(list).to.have.length(7);
      return true;
    });
  });
  const thread = async (phone = ANA) => `inbox/${await suite.product.conversationWith(`+${phone}`)}`;

  it('shows pictures that were made anew, and everything else as a download with its name and size', async () => {
    const { page, look } = await suite.open(await thread());
    const photo = page.getByRole('img', { name: /Azul/ });
    await photo.waitFor();
    const width = "document.querySelector('img.photo').naturalWidth";
    await eventually(async () => (await page.evaluate<number>(width)) === 600);
    expect(await photo.getAttribute('src')).to.match(/^\/admin\/v1\/messages\/[\w-]+\/picture$/);
    const page1 = page.getByRole('link', { name: /html/ });
    expect(await page1.getAttribute('href')).to.match(/\/file$/);
    await page.locator('.bubble', { hasText: 'text/html · 25 B' }).waitFor();
    await page.locator('audio').waitFor();
    await page.getByText('Video without its file. It is larger than WhatsApp allows.').waitFor();
    await page.getByRole('button', { name: 'Ask WhatsApp again' }).waitFor();
    await page.getByRole('link', { name: /On the map: -23.56141/ }).waitFor();
    await page.getByText('Rui Costa').waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page1.click()]);
    expect(download.suggestedFilename()).not.to.match(/[<>"]/);
    expect(await page.title()).not.to.equal('owned');
    await look('files-received-desk');
  });

  it('offers what only calls itself a picture as a download', async () => {
    await suite.refused(async () => {
      const { page } = await suite.open(await thread(RUI));
      await page.locator('.bubble').getByRole('link', { name: 'Picture' }).waitFor();
      await page.getByText('From a stranger: open it with care.').waitFor();
    });
  });

  it('attaches a picture, shows it before it is sent, and sends it with its text', async () => {
    const { page, look } = await suite.open(await thread());
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: `${HOSTILE}.png`, mimeType: 'image/png', buffer: png });
    await page.locator('.attached', { hasText: 'Picture' }).waitFor();
    await page.getByRole('textbox', { name: 'Text under the file' }).fill('Este é o azul');
    await look('files-attached-desk');
    await page.keyboard.press('Enter');
    await page.locator('.bubble.out', { hasText: 'Este é o azul' }).locator('img').waitFor();
    await page.locator('.attached').waitFor({ state: 'detached' });
    // The bubble is there once the message is accepted, and the call comes later.
    await eventually(() =>
      expect(suite.product.sandbox.calls.at(-1)?.body)
        .to.have.property('image')
        .that.includes({ caption: 'Este é o azul' }),
    );
    await look('files-sent-desk');
  });

  it('takes a dropped document, and says why it does not take others', async () => {
    const { page, look } = await suite.open(await thread(), { size: 'phone', language: 'pt' });
    await page.getByRole('textbox', { name: 'Sua resposta' }).waitFor();
    const dropped = (name: string, type: string) =>
      page.evaluate(
        `(() => { const data = new DataTransfer(); data.items.add(new File(['%PDF-1.7'], ${JSON.stringify(name)}, { type: '${type}' }));
          document.querySelector('.thread').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })); })()`,
      );
    await dropped('vírus.exe', 'application/x-msdownload');
    await page.getByRole('alert').getByText('não aceita este tipo', { exact: false }).waitFor();
    await dropped('nota.pdf', 'application/pdf');
    await page.locator('.attached', { hasText: 'nota.pdf' }).waitFor();
    await look('files-dropped-phone');
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.locator('.bubble.out').getByRole('link', { name: 'nota.pdf' }).waitFor();
    await eventually(() =>
      expect(suite.product.sandbox.calls.at(-1)?.body)
        .to.have.property('document')
        .that.includes({ filename: 'nota.pdf' }),
    );
  });

  it("fills a template's picture, text and button, shows it as on a phone, and sends it", async () => {
    const { page, look } = await suite.open(await thread());
    await page.getByRole('button', { name: 'Template', exact: true }).click();
    await page.getByLabel('Choose a template').selectOption({ label: 'new_collection (pt_BR)' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'azul.png', mimeType: 'image/png', buffer: png });
    await page.getByLabel('Text 1').fill('Ana');
    await page.getByLabel('Value of the button “Ver coleção”').fill('azul');
    const phone = page.getByRole('figure', { name: 'As on a phone' });
    await phone.getByText('azul.png').waitFor();
    await phone.getByText(/Ana/).waitFor();
    await look('files-template-desk');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.bubble.out', { hasText: 'Ana' }).last().waitFor();
    const { template } = await eventually(() => {
      const body = suite.product.sandbox.calls.at(-1)?.body;
      return body && 'template' in body
        ? (body as unknown as { readonly template: { readonly components: readonly object[] } })
        : undefined;
    });
    expect(template.components[0]).to.have.nested.property('parameters[0].image.id');
    expect(template.components).to.have.length(3);
  });

  it("asks for a template's header by its address too, on a phone", async () => {
    const { page, look } = await suite.open(await thread(BIA), { size: 'phone', language: 'pt' });
    await page.getByRole('button', { name: 'Modelo', exact: true }).click();
    await page.getByLabel('Escolha um modelo').selectOption({ label: 'new_collection (pt_BR)' });
    await page.getByLabel(/ou o endereço https/).fill('https://cdn.example.com/azul.jpg');
    await page.getByLabel('Texto 1').fill('Ana');
    await page.getByLabel('Valor do botão “Ver coleção”').fill('azul');
    await look('files-template-phone');
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByLabel('Texto 1').waitFor({ state: 'detached' });
  });

  it('says what failed, keeps the file, and uploads it once', async () => {
    const { page } = await suite.open(await thread());
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'b.png', mimeType: 'image/png', buffer: png });
    await page.locator('.attached').waitFor();
    const refusal = {
      error: { code: 'concurrent_update', message: 'Again, please.', details: {}, request_id: null },
    };
    await page.route('**/messages', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 409, json: refusal }) : route.fallback(),
    );
    let uploads = 0;
    page.on('request', (request) => {
      if (request.url().includes('/media?kind=')) uploads += 1;
    });
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await page.getByRole('alert').waitFor();
    });
    await page.locator('.attached').waitFor();
    expect(uploads).to.equal(1);
    await page.unroute('**/messages');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.locator('.attached').waitFor({ state: 'detached' });
    expect(uploads).to.equal(1);
  });
});
