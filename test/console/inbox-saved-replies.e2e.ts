/** Saved replies: an owner keeps them, an agent answers with them by keys alone. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '5511987654321';

describe('console: saved replies', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply(PHONE, 'Qual é o prazo?', 'Maria Aparecida');
    await product.conversationWith(`+${PHONE}`);
    const at = `/companies/${product.company}/saved-replies`;
    const saved = [
      ['pix', 'Chave Pix', 'A chave Pix da loja é o CNPJ. Depois mande o comprovante aqui.'],
      ['horario', 'Horário', 'Abrimos de segunda a sábado, das 9h às 18h.'],
    ];
    for (const [short_cut, title, text] of saved)
      await product.admin('POST', at, { short_cut, title, text }, 201);
  });

  it('an owner writes one with the first name, and is told of a short cut that is taken', async () => {
    const { page, look } = await suite.open('inbox', { role: 'owner', language: 'pt' });
    await page.getByRole('link', { name: 'Respostas salvas' }).click();
    await page.getByRole('heading', { name: 'Respostas salvas' }).waitFor();
    await page.getByRole('link', { name: 'Nova resposta salva' }).click();
    await page.getByLabel('Sobre o que é').fill('Prazo de entrega');
    const shortCut = page.getByLabel('Atalho');
    await eventually(async () => expect(await shortCut.inputValue()).to.equal('prazo-de-entrega'));
    await page.getByLabel('Texto', { exact: true }).fill('Oi ');
    await page.getByRole('button', { name: 'primeiro nome' }).click();
    await page.getByLabel('Texto', { exact: true }).press('End');
    await page.keyboard.type('! Entregamos em até 2 dias úteis.');
    await page.getByText('Oi Ana! Entregamos').waitFor();
    await page.getByText('Oi cliente! Entregamos').waitFor();
    await shortCut.fill('pix');
    await suite.refused(async () => {
      await page.getByRole('button', { name: 'Salvar', exact: true }).click();
      await page.getByText('Outra resposta salva já tem esse atalho.', { exact: false }).waitFor();
    });
    await look('inbox-saved-form-desk');
    await shortCut.fill('prazo');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.locator('.saved code', { hasText: '/prazo' }).waitFor();
    await look('inbox-saved-desk');
    await page.getByRole('link', { name: 'Editar “Horário”' }).click();
    await page.getByLabel('Texto', { exact: true }).fill('Abrimos todos os dias.');
    await page.getByRole('button', { name: 'Salvar', exact: true }).click();
    await page.locator('.saved', { hasText: 'Abrimos todos os dias.' }).waitFor();
    await page.getByRole('button', { name: 'Remover “Horário”' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
    await page.locator('.saved', { hasText: 'Horário' }).waitFor({ state: 'detached' });
    const small = await suite.open('inbox/saved-replies', { role: 'agent', size: 'phone' });
    await small.page.locator('.saved code', { hasText: '/prazo' }).waitFor();
    expect(await small.page.getByRole('link', { name: 'New saved reply' }).count()).to.equal(0);
    expect(await small.page.getByRole('button', { name: /^Remove/ }).count()).to.equal(0);
    await small.look('inbox-saved-phone');
  });

  it('an agent answers with one by typing a slash, by keys alone', async () => {
    const uuid = await suite.product.conversationWith(`+${PHONE}`);
    const { page, look } = await suite.open(`inbox/${uuid}`, { role: 'agent' });
    const box = page.getByRole('textbox', { name: 'Your answer' });
    await box.fill('Um momento. ');
    await box.press('End');
    await page.keyboard.type('/');
    const options = page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option');
    await options.nth(1).waitFor();
    expect(await options.count()).to.equal(2);
    await look('inbox-picker-desk');
    await page.keyboard.type('uteis');
    await eventually(async () => expect(await options.count()).to.equal(1));
    await page.keyboard.press('Enter');
    const answer = 'Um momento. Oi Maria! Entregamos em até 2 dias úteis.';
    await eventually(async () => expect(await box.inputValue()).to.equal(answer));
    await page.keyboard.press('Enter');
    await page.locator('.bubble.out', { hasText: 'Um momento. Oi Maria!' }).waitFor();
  });

  it('the button opens the list too, arrows choose, Escape closes, and dates keep their slash', async () => {
    const uuid = await suite.product.conversationWith(`+${PHONE}`);
    const { page, look } = await suite.open(`inbox/${uuid}`, {
      role: 'agent',
      size: 'phone',
      language: 'pt',
    });
    const box = page.getByRole('textbox', { name: 'Sua resposta' });
    const list = page.getByRole('listbox', { name: 'Respostas salvas' });
    await box.fill('Dia 25/12');
    expect(await list.count()).to.equal(0);
    await box.fill('');
    await page.getByRole('button', { name: 'Respostas salvas' }).click();
    await list.waitFor();
    await look('inbox-picker-phone');
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Respostas salvas' }).click();
    await list.getByRole('option').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await list.getByRole('option', { selected: true }).filter({ hasText: '/prazo' }).waitFor();
    await page.keyboard.press('Enter');
    const answer = 'Oi Maria! Entregamos em até 2 dias úteis.';
    await eventually(async () => expect(await box.inputValue()).to.equal(answer));
  });
});
