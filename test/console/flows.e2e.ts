/** Flows in a browser: made, edited by forms, checked, tried, published, compared; an execution as a path. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '5511987654321';

/** Resolves after the page has drawn what it knows now. */
const drawn = (page: Page): Promise<unknown> =>
  page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');

interface Flow {
  readonly uuid: string;
  readonly name: string;
}

describe('console: flows', function () {
  this.timeout(300_000);
  let demo = '';
  const suite = consoleSuite(async (product) => {
    [demo] = (await product.admin<readonly Flow[]>('GET', `/companies/${product.company}/flows`)).map(
      ({ uuid }) => uuid,
    ) as [string];
    product.reply(PHONE, 'menu', 'Ana');
    await eventually(async () => {
      const runs = await product.admin<readonly unknown[]>('GET', `/executions?flow=${demo}`);
      return runs.length > 0 || undefined;
    });
    await product.quiet();
  });

  it('draws each block with its exits and its waits, and opens the form of the chosen one', async () => {
    const { page, look } = await suite.open(`flows/${demo}`);
    await page.locator('.node').first().waitFor();
    const { definition } = await suite.product.admin<{
      readonly definition: { readonly blocks: Readonly<Record<string, unknown>> };
    }>('GET', `/flows/${demo}/definition`);
    expect(await page.locator('.node').count()).to.equal(Object.keys(definition.blocks).length);
    expect(await page.locator('.node.pause').count()).to.be.greaterThan(0);
    await page.getByText('No problems: it can be published.').waitFor();
    await look('flow-graph-desk');
    await page.locator('.node').first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: /^Block / }).waitFor();
    await look('flow-block-desk');
    const phone = await suite.open(`flows/${demo}`, { size: 'phone', language: 'pt' });
    await phone.page.locator('.node').first().waitFor();
    await phone.look('flow-graph-phone');
  });

  it('makes one by forms: a block, an exit, a problem on its block, undo, save, publish', async () => {
    const { page, look } = await suite.open('flows');
    await page.getByLabel('Name').fill('Horário');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Horário' }).waitFor();
    await page.getByLabel('Kind').selectOption('add_tag');
    await page.getByLabel('Id', { exact: true }).fill('mark');
    await page.getByRole('button', { name: 'Add block' }).click();
    await page.getByRole('heading', { name: /^Block mark/ }).waitFor();
    await page.locator('.node.error').waitFor();
    const tag = page.getByRole('combobox', { name: 'Tag' });
    await tag.fill('horario');
    // The view is drawn again while somebody types: the company has one flow more.
    const again = page.waitForResponse('**/flows?*');
    await suite.product.admin('POST', `/companies/${suite.product.company}/flows`, { name: 'Outro' });
    await again;
    await drawn(page);
    expect(await tag.inputValue()).to.equal('horario');
    await tag.blur();
    await page.locator('.node.error').waitFor({ state: 'detached' });
    await page.locator('.node').first().click();
    await page.getByRole('heading', { name: /^Block hello/ }).waitFor();
    await page.getByLabel('Then').selectOption('=mark');
    await page.locator('.edge').waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('.edge').waitFor({ state: 'detached' });
    await page.getByLabel('Then').selectOption('=mark');
    await page.getByText('No problems: it can be published.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('Published.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByText('The draft is the published version.').waitFor();
    await look('flow-diff-desk');
    await page.getByRole('button', { name: 'Delete flow' }).click();
    await page.getByLabel('Type Horário to confirm').fill('Horário');
    await page.getByRole('button', { name: 'Delete flow' }).click();
    await page.getByRole('heading', { name: 'New flow' }).waitFor();
  });

  it('says what is wrong in the language of the page', async () => {
    const definition = {
      schema: 1,
      start: 'oi',
      blocks: {
        oi: { type: 'send_text', text: 'Oi {{answer.cor}}', next: 'sumiu' },
        sobra: {
          type: 'condition',
          branches: [{ when: { value: 'x', is: 'equal' }, next: null }],
          otherwise: null,
        },
      },
    };
    const flow = await suite.product.admin<Flow>('POST', `/companies/${suite.product.company}/flows`, {
      name: 'Com problemas',
      definition,
    });
    const { page, look } = await suite.open(`flows/${flow.uuid}`, { language: 'pt' });
    await page.getByText('Leva a “sumiu”, e esse bloco não existe.').waitFor();
    await page.getByText('Nenhuma pergunta deste fluxo guarda a resposta como “cor”').waitFor();
    await page.getByText('“é igual a” precisa de um valor para comparar.').waitFor();
    await page.getByText('Nenhum caminho leva a este bloco.').waitFor();
    await look('flow-problems-desk');
    await suite.product.admin('DELETE', `/flows/${flow.uuid}`);
  });

  it('offers people, groups and flows by their names, and shows an agent what a block does', async () => {
    const { product } = suite;
    const of = `/companies/${product.company}`;
    const group = await product.admin<Flow>('POST', `${of}/team`, { kind: 'group', name: 'Balcão' });
    const definition = {
      schema: 1,
      start: 'passar',
      blocks: { passar: { type: 'handoff', note: 'Quer falar com alguém.' } },
    };
    const flow = await product.admin<Flow>('POST', `${of}/flows`, { name: 'Passar adiante', definition });
    const { page } = await suite.open(`flows/${flow.uuid}?block=passar`);
    await page.getByLabel(/^Group/).selectOption('Balcão');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('Saved.').waitFor();
    const saved = await product.admin<{ readonly definition: { readonly blocks: object } }>(
      'GET',
      `/flows/${flow.uuid}/definition`,
    );
    expect(saved.definition.blocks).to.have.nested.property('passar.group_uuid', group.uuid);
    const agent = await suite.open(`flows/${flow.uuid}?block=passar`, { role: 'agent', language: 'pt' });
    await agent.page.getByText('Só responsáveis mudam fluxos').waitFor();
    expect(await agent.page.getByLabel(/^Grupo/).isDisabled()).to.equal(true);
    expect(await agent.page.getByLabel(/^Grupo/).inputValue()).to.equal(group.uuid);
    expect(await agent.page.getByRole('heading', { name: 'Adicionar bloco' }).count()).to.equal(0);
    await agent.look('flow-block-agent');
    await product.admin('DELETE', `/flows/${flow.uuid}`);
  });

  it('plays a tap as the customer sees it: by the title of the choice', async () => {
    const definition = {
      schema: 1,
      start: 'qual',
      blocks: {
        qual: {
          type: 'ask',
          text: 'Qual?',
          save_as: 'qual',
          choices: [
            { id: 'a', title: 'Vaso azul' },
            { id: 'b', title: 'Vaso verde' },
          ],
          next: null,
        },
      },
    };
    const { product } = suite;
    const flow = await product.admin<Flow>('POST', `/companies/${product.company}/flows`, {
      name: 'Escolha',
      definition,
    });
    const { page } = await suite.open(`flows/${flow.uuid}?tab=try`);
    await page.getByRole('button', { name: 'Vaso azul' }).click();
    await page.locator('.chat .mine').getByText('Vaso azul', { exact: true }).waitFor();
    await product.admin('DELETE', `/flows/${flow.uuid}`);
  });

  it('plays a flow as a chat, which stays while the next answer is on its way', async () => {
    const { page, look } = await suite.open(`flows/${demo}?tab=try`);
    const chat = page.locator('.chat');
    await chat.locator('li').first().waitFor();
    const before = await chat.locator('li').count();
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await page.route('**/flows/rehearse', async (route) => {
      await held;
      await route.continue();
    });
    const answer = page.getByLabel('Your answer');
    await answer.fill('quero saber do meu pedido');
    const asked = page.waitForRequest('**/flows/rehearse');
    await answer.press('Enter');
    await asked;
    await drawn(page);
    expect(await chat.locator('li').count(), 'what was said, and the answer').to.equal(before + 1);
    expect(await chat.getAttribute('aria-busy')).to.equal('true');
    // Nothing waits for a second answer until the flow has taken the first one.
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).to.equal(true);
    await answer.fill('mais uma');
    await answer.press('Enter');
    goOn();
    await page.locator('.chat[aria-busy="false"]').waitFor();
    expect(await chat.locator('.mine').allTextContents()).to.deep.equal(['quero saber do meu pedido']);
    await chat
      .locator('li')
      .nth(before + 1)
      .waitFor();
    await look('flow-try-desk');
    await page.unroute('**/flows/rehearse');
    await page.getByRole('button', { name: 'Start again' }).click();
    await chat.locator('.mine').waitFor({ state: 'detached' });
    await chat
      .locator('li')
      .nth(before - 1)
      .waitFor();
    expect(await chat.locator('li').count()).to.equal(before);
  });

  it('shows an execution as a path, with masked values until they are asked for', async () => {
    const { page, look } = await suite.open(`flows/${demo}?tab=runs`);
    await page.locator('tbody a').first().click();
    await page.locator('.node.at').waitFor();
    expect(await page.locator('.node:not(.off)').count()).to.be.greaterThan(0);
    await look('flow-run-desk');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('cancelled').first().waitFor();
  });
});
