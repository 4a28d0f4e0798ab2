/** Overview, channels, templates and webhooks: an operator's day. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';

interface Sending {
  readonly stopped: string;
  readonly max_per_second: number | null;
}

describe('console: overview, channels, templates, webhooks', function () {
  this.timeout(300_000);
  let receiver: WebhookReceiver;
  let endpoint = '';
  before(async () => {
    receiver = await startWebhookReceiver();
  });
  after(() => receiver?.close());
  const suite = consoleSuite(async (product) => {
    endpoint = await product.subscribe(receiver.url);
    await product.sent('+5511987654321');
    product.reply('5511987654321', 'Olá <b>você</b>', 'Ana');
    await product.conversationWith('+5511987654321');
  });
  const sending = (): Promise<Sending> =>
    suite.product.admin<Sending>('GET', `/channels/${suite.product.channel}/sending`);

  it('tells in words what is behind, what was sent, and who is signed in', async () => {
    const { page, look } = await suite.open('overview');
    await page.getByText(/There is no backup\.|Last backup/).waitFor();
    await page
      .getByRole('region', { name: 'Messages sent today' })
      .getByText('sent', { exact: true })
      .waitFor();
    await page.getByText('this session').waitFor();
    expect(await page.getByRole('main').innerText()).not.to.match(/\blag\b/i);
    await look('overview-desk');
    const phone = await suite.open('overview', { size: 'phone', language: 'pt' });
    await phone.page.getByText('esta sessão').waitFor();
    await phone.look('overview-phone');
  });

  it('names who is signed in, with the company; and in the history who did something', async () => {
    const { product } = suite;
    const someone = await suite.open('inbox', { role: 'agent' });
    const conversation = await product.conversationWith('+5511987654321');
    await someone.page.goto(
      `${product.running.url}/console/${product.company}/inbox/${conversation}?status=all`,
    );
    await someone.page.getByRole('button', { name: 'Note', exact: true }).click();
    await someone.page.getByRole('textbox', { name: 'Only the team reads it' }).fill('Prefere azul.');
    await someone.page.getByRole('button', { name: 'Save note' }).click();
    await someone.page.getByText('Prefere azul.').first().waitFor();
    const { page } = await suite.open('overview');
    const signedIn = page.getByRole('region', { name: 'Signed in' });
    const { name } = await product.admin<{ readonly name: string }>('GET', `/companies/${product.company}`);
    await signedIn
      .getByRole('listitem')
      .filter({ hasText: /^Pessoa \d+/ })
      .filter({ hasText: name })
      .waitFor();
    expect(await signedIn.innerText()).not.to.include('user:');
    await page.goto(`${product.running.url}/console/${product.company}/history?types=NoteWritten`);
    const row = page.locator('.events li').first();
    await row.getByText(/^Pessoa \d+$/).waitFor();
    await row.getByRole('link', { name: 'NoteWritten' }).click();
    await page.getByRole('link', { name: /^Pessoa \d+$/ }).waitFor();
  });

  it('stops a number after a question, and says so on the overview', async () => {
    const { page, look } = await suite.open(`channels/${suite.product.channel}`);
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByRole('button', { name: 'Go back' }).click();
    expect((await sending()).stopped).to.equal('nothing');
    await page.getByRole('button', { name: 'Stop everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop everything' }).click();
    await page.getByText('Everything is stopped').waitFor();
    expect((await sending()).stopped).to.equal('everything');
    await look('channel-desk');
    await page.getByRole('navigation').getByRole('link', { name: 'Overview' }).click();
    await page.getByText(/^Sending from .* is stopped\.$/).waitFor();
    await page.getByRole('link', { name: 'Open the number' }).click();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('Everything is sent').waitFor();
    expect((await sending()).stopped).to.equal('nothing');
    await page.getByLabel('Own limit, messages a second').fill('12');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(async () => (await sending()).max_per_second === 12 || undefined);
  });

  it('disconnects only when the name was typed', async () => {
    const { page } = await suite.open(`channels/${suite.product.channel}`, { size: 'phone' });
    await page.getByRole('button', { name: 'Disconnect' }).click();
    const dialog = page.getByRole('dialog');
    const yes = dialog.getByRole('button', { name: 'Disconnect' });
    expect(await yes.isDisabled()).to.equal(true);
    await dialog.getByRole('textbox').fill('something else');
    expect(await yes.isDisabled()).to.equal(true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('changes the company’s caps and words', async () => {
    const { page, look } = await suite.open('settings', { language: 'pt' });
    await page.getByLabel('Máximo por cliente em 24 horas').fill('3');
    await page.getByRole('button', { name: 'Salvar limites' }).click();
    await page.getByText('Salvo').first().waitFor();
    await page.getByLabel('Palavras próprias que param o marketing').fill('chega, sair');
    await page.getByRole('button', { name: 'Salvar palavras' }).click();
    const company = await eventually(async () => {
      const read = await suite.product.admin<{
        readonly marketing: { readonly per_contact_per_day: number };
        readonly opt_out_words: { readonly stop: readonly string[] };
      }>('GET', `/companies/${suite.product.company}`);
      return read.opt_out_words.stop.length > 0 ? read : undefined;
    });
    expect(company.marketing.per_contact_per_day).to.equal(3);
    expect(company.opt_out_words.stop).to.have.length(2);
    await look('settings-pt');
  });

  it('shows a template as on a phone, with the values as they are typed', async () => {
    const { page, look } = await suite.open('templates');
    await page.getByLabel('Review').selectOption('APPROVED');
    await page.getByRole('table').getByRole('link').first().waitFor();
    await look('templates-desk');
    const link = page.getByRole('table').getByRole('link').first();
    await link.click();
    const value = page.getByRole('textbox').first();
    await value.fill('<i>Zélia</i>');
    await page.getByRole('figure', { name: 'As on a phone' }).getByText('<i>Zélia</i>').waitFor();
    await look('template-desk');
  });

  it('reads the templates in, with progress', async () => {
    const { page } = await suite.open('templates', { size: 'phone', language: 'pt' });
    await page.getByRole('button', { name: 'Importar do WhatsApp' }).click();
    await page.getByText(/\d+ novos, \d+ alterados, \d+ removidos\./).waitFor();
  });

  it('tests an endpoint, shows the delivery with its attempts, and sends it again', async () => {
    const { page, look } = await suite.open(`webhooks/${endpoint}`);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test is on its way.').waitFor();
    await page.getByRole('combobox', { name: 'Event' }).selectOption('webhook.test');
    const row = page.getByRole('row').filter({ hasText: 'webhook.test' }).filter({ hasText: 'delivered' });
    // The list before, which may have the test already, stays until the page is drawn anew.
    await page
      .getByRole('row')
      .filter({ hasText: 'message.received' })
      .first()
      .waitFor({ state: 'detached' });
    await row.first().waitFor();
    await look('webhook-desk');
    await row.first().getByRole('link').click();
    await page.getByRole('button', { name: 'Show what was sent' }).click();
    await page.getByRole('group', { name: 'Body' }).getByText('"type": "webhook.test"').waitFor();
    await page.getByText('Attempt 1').waitFor();
    await look('delivery-desk');
    await page.getByRole('button', { name: 'Deliver again' }).click();
    await page.getByText('Queued as a new delivery.').waitFor();
  });

  it('pauses, resumes, and leads to the signing secret, whose new one is shown once', async () => {
    const { page, look } = await suite.open(`webhooks/${endpoint}`);
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('paused', { exact: false }).first().waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('link', { name: 'Signing secret' }).click();
    await page.getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new secret' }).click();
    await page.getByText('shown only now').waitFor();
    await look('webhook-secret');
    await page.reload();
    await page.getByRole('button', { name: 'Make a new secret' }).waitFor();
    expect(await page.getByText('shown only now').count()).to.equal(0);
  });

  it('counts before it recovers a range, then delivers it', async () => {
    const { page, look } = await suite.open(`webhooks/${endpoint}`);
    await page.getByRole('combobox', { name: 'What' }).selectOption('range');
    const from = new Date(Date.now() - 3_600_000);
    const local = new Date(from.getTime() - from.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
    const recover = page.getByRole('region', { name: 'Recover' });
    await recover.getByLabel('From').fill(local);
    await recover.getByRole('button', { name: 'Count them first' }).click();
    await recover.getByText(/again, \d+ left out/).waitFor();
    await look('webhook-recover');
    await recover.getByRole('button', { name: /^Deliver \d+/ }).click();
    await recover
      .locator('.badge', { hasText: /done|running/ })
      .first()
      .waitFor();
  });

  it('creates an endpoint, and explains an address that is refused', async () => {
    const { page, look } = await suite.open('webhooks/new');
    await page.getByLabel('Address').fill('http://10.0.0.1/hook');
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'New endpoint' }).click();
      await page.getByRole('alert').waitFor();
    });
    await look('webhook-new');
    await page.getByLabel('Address').fill(`${receiver.url}?second`);
    await page.getByRole('button', { name: 'New endpoint' }).click();
    await page.getByRole('heading', { name: /second$/ }).waitFor();
  });
});
