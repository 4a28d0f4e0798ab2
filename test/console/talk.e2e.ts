/** Where people talk: inbox, contact, sent message and the simulator, on a desk and on a phone. */
import { expect } from 'chai';
import { eventually } from '../support/e2e/eventually.js';
import { readConversation } from '../../application/queries/conversations.js';
import { acceptReply, type Reply } from '../../application/send/accept-reply.js';
import { consoleSuite } from '../support/console.js';
import type { Product } from '../support/e2e/product.js';

const HOSTILE = '<img src=x onerror=document.title="owned">';
const FAILING = '5511967131026';

/** Asks the customer of a conversation, as an operator does. */
async function ask({ app, company }: Product, conversation: string, body: Reply): Promise<void> {
  const found = await readConversation(
    { readModels: app.readModels, cursorSecret: new Uint8Array(32) },
    company,
    conversation,
  );
  const call = { actor: 'test', idempotencyKey: conversation, requestId: 'test', method: 'POST', route: '/' };
  await acceptReply(app, found.conversation, { ...call, body });
}

describe('console: talking', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    await product.sent('+5511987654321');
    product.reply('5511987654321', `Olá ${HOSTILE}`, `Ana ${HOSTILE}`);
    await product.conversationWith('+5511987654321');
    product.reply(FAILING, 'Oi', 'Rui');
    await product.conversationWith(`+${FAILING}`);
  });
  const ana = () => suite.product.conversationWith('+5511987654321');

  it("shows last messages, filters in the address, and strangers' texts as texts", async () => {
    const { page, look } = await suite.open('inbox');
    await page.locator('.rows .preview', { hasText: HOSTILE }).waitFor();
    await page.getByRole('combobox', { name: 'Assigned to' }).selectOption('none');
    await page.getByRole('checkbox', { name: 'Unread only' }).check();
    await page.waitForURL(/agent=none&unread=true/);
    await page.locator('.rows .preview', { hasText: HOSTILE }).waitFor();
    await look('talk-inbox-desk');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('resolved');
    await page.getByText('No conversations here.', { exact: false }).waitFor();
    expect(await page.title()).not.to.equal('owned');
  });

  it('plays the customer by the simulator, and the answer reaches them', async () => {
    const { page, look } = await suite.open('inbox');
    await page.getByText('Simulator: play the customer').click();
    await page.getByLabel('Phone', { exact: true }).fill('+5511944443333');
    await page.getByLabel('Name', { exact: true }).fill('Bia');
    await page.getByLabel('Message', { exact: true }).fill('Tem azul?');
    await page.getByRole('button', { name: 'Write', exact: true }).click();
    await page.getByText('Written.').waitFor();
    await page.getByRole('link', { name: /Bia/ }).click();
    await page.locator('.bubble', { hasText: 'Tem azul?' }).waitFor();
    await page.getByText(/You can write freely for 23 h/).waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Tem sim!');
    await page.keyboard.press('Enter');
    await page.locator('.bubble.out', { hasText: 'Tem sim!' }).waitFor();
    await look('talk-thread-desk');
  });

  it('plays choices, a picture, a cart and a failure on the phone beside the thread', async () => {
    const phone = '+5511944445555';
    suite.product.reply(phone, 'Oi', 'Lia');
    const uuid = await suite.product.conversationWith(phone);
    const question: Reply = {
      type: 'question',
      content: {
        text: 'Entregamos amanhã?',
        choices: [
          { id: 'sim', title: 'Sim' },
          { id: 'nao', title: 'Não' },
        ],
      },
    };
    await ask(suite.product, uuid, question);
    const { page, look } = await suite.open(`inbox/${uuid}`);
    await page.getByRole('button', { name: 'Simulator: play the customer' }).press('Enter');
    const sim = page.getByRole('complementary', { name: 'Phone of the customer' });
    await sim.getByRole('button', { name: 'Sim', exact: true }).click();
    await page.locator('.bubble.in', { hasText: 'Sim' }).waitFor();
    await sim.getByRole('button', { name: 'Send a picture' }).click();
    await page.locator('.bubble.in img.photo').waitFor();
    const product = sim.getByRole('combobox', { name: 'Product' });
    expect(await product.locator('option:checked').innerText(), 'first').not.to.include('sold out');
    await sim.getByRole('button', { name: 'Send a cart' }).click();
    await page.getByRole('link', { name: /^Order / }).waitFor();
    await product.selectOption({ label: 'Garrafa térmica 500 ml (sold out)' });
    await sim.getByRole('button', { name: 'Send a cart' }).click();
    await page
      .getByRole('log')
      .getByText('The cart became no order: there is not enough in stock.')
      .waitFor();
    await sim.getByLabel('The next message to this person').selectOption('undelivered');
    await sim.getByText('Set. The next message', { exact: false }).waitFor();
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Chega amanhã');
    await page.keyboard.press('Enter');
    await page.locator('.bubble.out', { hasText: '131026' }).waitFor();
    await look('talk-simulator-desk');
    const small = await suite.open('inbox', { size: 'phone', language: 'pt' });
    await small.page.getByRole('button', { name: 'Simulador: faça o papel do cliente' }).click();
    await small.page.getByRole('complementary', { name: 'Celular do cliente' }).waitFor();
    await small.look('talk-simulator-phone');
    // Each open page reads again with every message of the tests that follow.
    await Promise.all([page.close(), small.page.close()]);
  });

  it('tells why a message failed, and sends it again as a new one', async () => {
    const uuid = await suite.product.conversationWith(`+${FAILING}`);
    const { page, look } = await suite.open(`inbox/${uuid}`, { size: 'phone', language: 'pt' });
    await page.getByRole('textbox', { name: 'Sua resposta' }).fill('Oi, Rui');
    await page.getByRole('button', { name: 'Enviar', exact: true }).click();
    await page.getByRole('button', { name: 'Enviar de novo' }).waitFor();
    await page.locator('.bubble', { hasText: '131026' }).first().waitFor();
    await page.getByRole('button', { name: 'Enviar de novo' }).first().click();
    await page.getByText('Enviada de novo', { exact: false }).waitFor();
    await page.locator('.bubble.out').nth(1).waitFor();
    await look('talk-failed-phone');
  });

  it('edits a contact, records a choice about marketing, and shows where it came from', async () => {
    const contact = await suite.product.contact<{ readonly uuid: string }>('+5511987654321');
    const { page, look } = await suite.open('contacts');
    await page.getByRole('searchbox').fill('ana');
    await page.getByRole('button', { name: 'Search', exact: true }).last().click();
    await page.getByRole('link', { name: /Ana/ }).click();
    await page.waitForURL(new RegExp(contact!.uuid));
    await page.getByLabel('Tags, with commas between').fill('vip, azul');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Stop marketing' }).click();
    await page.getByText('no marketing', { exact: false }).last().waitFor();
    await page.getByText('by the team').waitFor();
    await look('talk-contact-desk');
    const changed = await suite.product.admin<{ readonly tags: readonly string[] }>(
      'GET',
      `/contacts/${contact!.uuid}`,
    );
    expect(changed).to.deep.include({ tags: ['vip', 'azul'], marketing_opted_out: true });
  });

  it('erases a person only when their phone was typed', async () => {
    suite.product.reply('5511955556666', 'Tchau', 'Leo');
    await suite.product.conversationWith('+5511955556666');
    const contact = await suite.product.contact<{ readonly uuid: string }>('+5511955556666');
    const { page, look } = await suite.open(`contacts/${contact!.uuid}`, { size: 'phone', language: 'pt' });
    const button = page.getByRole('button', { name: 'Apagar esta pessoa' });
    await button.waitFor();
    await look('talk-contact-phone');
    expect(await button.isDisabled()).to.equal(true);
    await page.getByLabel(/Digite/).fill('+5511955556666');
    await button.click();
    await page.getByText('Documentos esvaziados', { exact: false }).waitFor();
  });

  it('shows what was sent, and what happened to one message', async () => {
    const { page, look } = await suite.open('messages');
    await page.getByRole('combobox', { name: 'Show' }).selectOption('failed');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.waitForURL(/status=failed/);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('all');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.locator('.rows a').last().click();
    await page.getByText('Accepted', { exact: true }).waitFor();
    await page.getByText('Attempt', { exact: true }).waitFor();
    await look('talk-message-desk');
    const phone = await suite.open('messages', { size: 'phone', language: 'pt' });
    await phone.page.locator('.rows a').first().waitFor();
    await phone.look('talk-messages-phone');
  });

  it('says that new messages came, while older ones are read', async () => {
    const uuid = await ana();
    for (let n = 0; n < 25; n += 1) suite.product.reply('5511987654321', `Linha ${n}`);
    const { page } = await suite.open(`inbox/${uuid}`);
    // They come one by one, and only a column that is long enough can be scrolled.
    await page.locator('.bubble', { hasText: 'Linha' }).nth(24).waitFor();
    const news = page.getByRole('button', { name: /New messages/ });
    // The last of them may still be taken for news once the column is scrolled: begin again at its end then.
    const scroll = `(async () => {
      const box = document.querySelector('.messages');
      const frame = () => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      box.scrollTop = 0;
      await frame();
      box.scrollTop = -300;
      await frame();
      await frame();
      return box.scrollTop <= -200;
    })()`;
    await eventually(async () => (await page.evaluate<boolean>(scroll)) && (await news.count()) === 0);
    suite.product.reply('5511987654321', 'A última');
    await page.locator('.bubble', { hasText: 'A última' }).waitFor({ state: 'attached' });
    await news.click();
    await news.waitFor({ state: 'detached' });
  });
});
