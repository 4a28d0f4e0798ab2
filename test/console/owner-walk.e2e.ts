/**
 * A shop's owner who knows nothing of JSON: from the first start to an order that is delivered, and its customer
 * answered. The steps are those of docs/quickstart/shop-owner.pt.md.
 */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import sharp from 'sharp';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';
import { projectFile } from '../support/root.js';

describe('console: the walk of a shop’s owner', function () {
  this.timeout(300_000);
  const suite = consoleSuite();
  const steps: string[] = [];
  const step = async (text: string, work: () => Promise<unknown>): Promise<void> => {
    steps.push(text);
    await work();
  };

  it('goes from the first start to a delivered order and an answered customer', async () => {
    const { product } = suite;
    const photo = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#c02040' } })
      .jpeg()
      .toBuffer();
    let owner!: Awaited<ReturnType<typeof suite.open>>['page'];
    await step('Abrir o endereço que o programa mostra ao iniciar.', async () => {
      owner = (await suite.open('', { language: 'pt' })).page;
      await owner.getByRole('heading', { name: 'Visão geral' }).waitFor();
    });
    const goTo = (name: string) =>
      owner.getByRole('navigation').getByRole('link', { name, exact: true }).click();
    await step('Clicar em Loja.', () => goTo('Loja'));
    await step('Escrever o nome da loja.', () =>
      owner.getByLabel('Nome', { exact: true }).fill('Loja da Rosa'),
    );
    await step('Escrever onde o cliente retira.', async () => {
      const pickup = owner.getByLabel('O cliente pode retirar');
      if (!(await pickup.isChecked())) await pickup.check();
      await owner.getByLabel('Onde').fill('Rua das Rosas, 12');
    });
    await step('Clicar em Salvar.', async () => {
      await owner.getByRole('button', { name: 'Salvar' }).click();
      await owner.getByText('Salvo.').waitFor();
    });
    await step('Clicar em Produtos.', () => goTo('Produtos'));
    await step('Clicar em Novo produto.', () => owner.getByRole('link', { name: 'Novo produto' }).click());
    await step('Clicar em Adicionar fotos, e escolher uma foto.', async () => {
      const chooser = owner.waitForEvent('filechooser');
      await owner.getByRole('button', { name: 'Adicionar fotos' }).click();
      await (await chooser).setFiles({ name: 'buque.jpg', mimeType: 'image/jpeg', buffer: photo });
    });
    await step('Escrever o nome do produto.', () =>
      owner.getByLabel('Nome', { exact: true }).fill('Buquê de rosas'),
    );
    await step('Escrever o preço.', () => owner.getByLabel('Preço (R$)', { exact: true }).fill('89,90'));
    await step('Escrever o estoque.', () => owner.getByLabel('Estoque', { exact: true }).fill('5'));
    await step('Clicar em Salvar.', async () => {
      await owner.getByRole('button', { name: 'Salvar' }).click();
      await owner.getByRole('heading', { name: 'Buquê de rosas' }).waitFor();
    });
    await step('Clicar em Pedidos, e esperar.', () => goTo('Pedidos'));

    // The customer, at the public page, by the address that the owner would hand out.
    const { public_url: shop } = await product.admin<{ readonly public_url: string }>(
      'GET',
      `/companies/${product.company}/store`,
    );
    const customer = await suite.visit(shop, 'phone');
    await customer
      .getByRole('link', { name: /Buquê de rosas/ })
      .first()
      .click();
    await customer
      .getByRole('img', { name: /Buquê de rosas/ })
      .first()
      .waitFor();
    await customer.getByRole('button', { name: 'Adicionar à sacola' }).click();
    await customer.waitForURL('**/sacola');
    await customer.getByRole('link', { name: 'Finalizar compra' }).click();
    await customer.getByLabel('Nome completo').fill('Maria Souza');
    await customer.getByLabel('WhatsApp com DDD').fill('11987654321');
    const collect = customer.getByRole('radio', { name: /Retirar|Retirada/ });
    if ((await collect.count()) > 0) await collect.check();
    await customer.getByRole('radio', { name: 'Pix' }).check();
    await customer.getByRole('button', { name: 'Fazer pedido' }).click();
    await customer.waitForURL('**/pedido/**');
    product.reply('5511987654321', 'Oi! Meu pedido já saiu?', 'Maria');

    await step('Clicar no pedido novo.', async () => {
      const card = owner.getByRole('listitem').filter({ hasText: 'Maria Souza' });
      await card.locator('.badge', { hasText: 'novo' }).waitFor();
      await eventually(async () => (await owner.title()).startsWith('(1) '));
      await card.getByRole('link').first().click();
      await owner.getByRole('log').getByText('Meu pedido já saiu?').waitFor();
    });
    for (const [word, state] of [
      ['Confirmar', 'confirmado'],
      ['Marcar como pago', 'pago'],
      ['Marcar como entregue', 'entregue'],
    ] as const)
      await step(`Clicar em ${word}.`, async () => {
        await owner.getByRole('button', { name: new RegExp(`^${word}`) }).click();
        await owner.locator('.title .badge', { hasText: state }).waitFor();
      });
    await step('Escrever a resposta.', () =>
      owner.getByPlaceholder('Sua resposta').fill('Oi, Maria! Está pronto para retirar.'),
    );
    await step('Clicar em Enviar.', async () => {
      await owner.getByRole('button', { name: 'Enviar', exact: true }).click();
      await owner.getByRole('log').getByText('Está pronto para retirar.').waitFor();
    });

    const [order] = await product.get<readonly { readonly status: string }[]>('/store/orders');
    expect(order?.status).to.equal('entregue');
    await product.quiet();
    // The page may add where on the screen it is, or why.
    const page = readFileSync(projectFile('docs/quickstart/shop-owner.pt.md'), 'utf8').replaceAll('**', '');
    const written = [...page.matchAll(/^\d+\. (.+)$/gm)].map(([, text = '']) => text);
    expect(written, 'the steps of the page').to.have.length(steps.length);
    const same = steps.map((text, index) =>
      written[index]?.startsWith(text.replace(/\.$/, '')) ? written[index] : text,
    );
    expect(written, 'the steps of the page').to.deep.equal(same);
  });
});
