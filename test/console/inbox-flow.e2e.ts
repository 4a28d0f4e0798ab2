/** A flow in the thread: what it did, taking over from it by answering, and what people did. */
import { expect } from 'chai';
import { directCommand } from '../../application/app.js';
import { contactAggregate } from '../../domain/contact/decide.js';
import { messageAggregate } from '../../domain/message/decide.js';
import type { Page } from 'playwright-core';
import { consoleSuite } from '../support/console.js';
import { eventually } from '../support/e2e/eventually.js';

const PHONE = '5511987654321';

interface Run {
  readonly uuid: string;
  readonly status: string;
  readonly reason: string | null;
}

describe('console: a flow in the inbox', function () {
  this.timeout(240_000);
  const suite = consoleSuite();
  const runs = () =>
    suite.product.admin<readonly Run[]>('GET', `/executions?company=${suite.product.company}`);

  it('shows what flows and people did, and an answer takes over', async () => {
    const { product } = suite;
    product.reply(PHONE, 'menu', 'Ana');
    await eventually(async () => expect((await runs())[0]?.status).to.equal('waiting'));
    const uuid = await product.conversationWith(`+${PHONE}`);
    const { page, look } = await suite.open(`inbox/${uuid}`, { role: 'agent' });
    await page.locator('li.step', { hasText: /^Flow “.+” began/ }).waitFor();
    await page.locator('p.flow', { hasText: 'it waits for the customer’s answer' }).waitFor();
    await look('inbox-flow-desk');
    await page.getByRole('textbox', { name: 'Your answer' }).fill('Oi, aqui é uma pessoa.');
    await page.getByRole('button', { name: 'Take over and send' }).click();
    await page.locator('.bubble.out', { hasText: 'aqui é uma pessoa' }).waitFor();
    await page.locator('li.step', { hasText: /^Taken over from “.+”.* · Pessoa/ }).waitFor();
    await page.locator('p.flow').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    // The thread hears of it on another way than the list of executions.
    await eventually(async () =>
      expect((await runs())[0]).to.deep.include({ status: 'handed_off', reason: 'taken_over' }),
    );
    product.reply(PHONE, 'menu');
    await page.locator('.bubble.in').nth(1).waitFor();
    await product.quiet();
    expect(await runs(), 'no message starts a flow').to.have.length(1);
    await page.getByRole('button', { name: 'Resolve', exact: true }).click();
    await page.locator('li.step', { hasText: /^Resolved · Pessoa/ }).waitFor();
    product.reply(PHONE, 'menu');
    await eventually(async () => expect(await runs()).to.have.length(2));
    await page.locator('p.flow').waitFor();
    await page.getByRole('button', { name: 'Take over', exact: true }).click();
    await page.locator('p.flow').waitFor({ state: 'detached' });
    const small = await suite.open(`inbox/${uuid}`, { size: 'phone', language: 'pt', role: 'viewer' });
    await small.page.locator('li.step', { hasText: 'Resolvida · Pessoa' }).waitFor();
    expect(await small.page.getByRole('button', { name: 'Assumir' }).count()).to.equal(0);
    await small.look('inbox-flow-phone');
    const link = page.locator('li.step a').first();
    await link.click();
    await page.getByText('handed to people').first().waitFor();
  });

  it('lists conversations that a flow is in charge of, apart from those of the team', async () => {
    const { product } = suite;
    const phone = '5511933334444';
    const others = await product.admin<readonly { readonly uuid: string }[]>(
      'GET',
      `/companies/${product.company}/conversations`,
    );
    for (const { uuid } of others) await product.admin('POST', `/conversations/${uuid}/resolve`);
    product.reply(phone, 'menu', 'Caio');
    await product.conversationWith(`+${phone}`);
    const row = (page: Page) => page.locator('.conversations').getByRole('link', { name: /Caio/ });
    const { page, look } = await suite.open('inbox?status=flow', { role: 'agent' });
    await row(page).filter({ hasText: 'with a flow' }).waitFor();
    await look('inbox-filter-flow-desk');
    const filter = page.getByLabel('Show', { exact: true });
    await filter.selectOption('Waiting for the customer');
    await page.waitForURL(/status=pending/);
    await page.getByText('None waits for its customer.').waitFor();
    await filter.selectOption('Open');
    await page.waitForURL(/status=open/);
    await look('inbox-none-open-desk');
    await page.getByRole('link', { name: 'See those that a flow is in charge of' }).click();
    await page.waitForURL(/status=flow/);
    await row(page).click();
    await page.getByRole('button', { name: 'Take over', exact: true }).click();
    await row(page).waitFor({ state: 'detached' });
    await page.getByText('No flow is in charge of one now.').waitFor();
    const small = await suite.open('inbox?status=flow', { size: 'phone', language: 'pt', role: 'viewer' });
    await small.page.getByText('Nenhum fluxo está atendendo agora.').waitFor();
    await small.page.goto(`${product.running.url}/console/${product.company}/inbox`);
    await row(small.page).filter({ hasText: 'aberta' }).waitFor();
  });

  it('shows edits and deletions as such', async () => {
    const { product } = suite;
    const phone = '5511944445555';
    product.reply(phone, 'Quero dois', 'Bia');
    const uuid = await product.conversationWith(`+${phone}`);
    product.reply(phone, 'Apagar isto');
    const { page, look } = await suite.open(`inbox/${uuid}`);
    await page.locator('.bubble', { hasText: 'Apagar isto' }).waitFor();
    const { contact } = await product.admin<{ readonly contact: { readonly uuid: string } }>(
      'GET',
      `/conversations/${uuid}`,
    );
    const known = await product.admin<readonly { readonly uuid: string }[]>(
      'GET',
      `/conversations/${uuid}/messages`,
    );
    const { app, company } = product;
    const { state } = await app.executor.load(contactAggregate, contact.uuid);
    const change = (index: number, command: 'EditMessage' | 'DeleteMessage') => {
      const data = {
        by: 'contact',
        at: new Date().toISOString(),
        provider_message_id: `wamid.${command}`,
      } as const;
      return app.executor.execute(
        messageAggregate,
        known[index]!.uuid,
        command === 'EditMessage'
          ? { type: command, data: { ...data, content: { text: 'Quero três' } } }
          : { type: command, data },
        directCommand(app, { company, actor: 'test' }, state.subject),
      );
    };
    await change(1, 'EditMessage');
    await change(0, 'DeleteMessage');
    await page.locator('.bubble', { hasText: 'This message was deleted.' }).waitFor();
    await page.locator('.bubble', { hasText: 'Quero três' }).filter({ hasText: 'edited' }).waitFor();
    expect(await page.locator('.bubble', { hasText: 'Apagar isto' }).count()).to.equal(0);
    await look('inbox-edited-desk');
  });
});
