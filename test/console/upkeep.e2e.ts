/** What keeps a company's data in order: fields, two entries of one person, unsaved flows, refusals. */
import { expect } from 'chai';
import { consoleSuite } from '../support/console.js';
import { offers } from '../support/e2e/templates.js';

interface Row {
  readonly uuid: string;
}

describe('console: upkeep', function () {
  this.timeout(240_000);
  const suite = consoleSuite(async (product) => {
    product.reply('5511987654321', 'Oi', 'Ana Lima');
    await product.conversationWith('+5511987654321');
    product.reply('5511977776666', 'Oi', 'Ana L.');
    await product.conversationWith('+5511977776666');
  });
  const contact = async (phone: string): Promise<string> => (await suite.product.contact<Row>(phone))!.uuid;

  it('adds and changes fields of a person', async () => {
    const uuid = await contact('+5511987654321');
    const { page, look } = await suite.open(`contacts/${uuid}`);
    await page.getByLabel('Name of the field').fill('tamanho');
    await page.getByLabel('Value', { exact: true }).fill('M');
    await page.getByRole('button', { name: 'Save the fields' }).click();
    await page.getByLabel('tamanho').fill('G');
    await page.getByRole('button', { name: 'Save the fields' }).click();
    await page.getByText('Saved.').waitFor();
    await look('upkeep-contact-desk');
    const { custom_fields: fields } = await suite.product.admin<{ readonly custom_fields: object }>(
      'GET',
      `/contacts/${uuid}`,
    );
    expect(fields).to.deep.equal({ tamanho: 'G' });
  });

  it('merges two entries of one person after a question', async () => {
    const older = await contact('+5511987654321');
    const newer = await contact('+5511977776666');
    const { page, look } = await suite.open(`contacts/${newer}`, { size: 'phone', language: 'pt' });
    await page.getByRole('searchbox', { name: 'Nome ou telefone do outro cadastro' }).fill('Ana Lima');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Juntar com Ana Lima' }).click();
    await look('upkeep-merge-phone');
    await page.getByRole('button', { name: 'Voltar' }).click();
    expect(await contact('+5511977776666'), 'stepping back merges nothing').to.equal(newer);
    await page.getByRole('button', { name: 'Juntar com Ana Lima' }).click();
    await page.getByRole('button', { name: 'Juntar de vez' }).click();
    await page.waitForURL(new RegExp(older));
    const left = await suite.product.admin<Row>('GET', `/contacts/${newer}`);
    expect(left.uuid).to.equal(older);
  });

  it('asks before a flow is left with unsaved changes, by a link and by Back', async () => {
    const { product } = suite;
    const flow = await product.admin<Row>('POST', `/companies/${product.company}/flows`, {
      name: 'Depois da compra',
      definition: {
        schema: 1,
        start: 'oi',
        blocks: { oi: { type: 'send_text', text: 'Olá!', next: null } },
      },
    });
    const { page, look } = await suite.open('flows');
    await page.getByRole('link', { name: 'Depois da compra' }).click();
    await page.locator('.node').first().click();
    await page.getByRole('combobox', { name: 'Label' }).fill('Primeiro');
    await page.getByRole('combobox', { name: 'Label' }).blur();
    await page.getByText('not saved', { exact: false }).first().waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Orders', exact: true }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.waitFor();
    await look('upkeep-leave-desk');
    await question.getByRole('button', { name: 'Go back' }).click();
    await page.waitForURL(new RegExp(flow.uuid));
    // From the block to the flow nothing is lost, and no question is asked; from there to the list it is.
    await page.goBack();
    await page.goBack();
    await question.waitFor();
    await page.waitForURL(new RegExp(flow.uuid));
    await question.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { name: 'Flows', level: 1 }).waitFor();
  });

  it('lists what was refused at once, by code', async () => {
    const { product } = suite;
    await product.sent('+5511987654321', { body: offers() });
    const again = await product.send('+5511987654321', { body: offers() });
    expect(again.status).to.equal(422);
    const { page, look } = await suite.open('messages', { language: 'pt' });
    await page.getByRole('combobox', { name: 'Mostrar' }).selectOption('refused');
    await page.getByRole('button', { name: 'Mostrar' }).click();
    await page.waitForURL(/refused=/);
    const row = page.getByRole('listitem').filter({ hasText: '+5511987654321' });
    await row.getByText('duplicate_template_send').waitFor();
    await page.getByRole('group', { name: 'Pelo motivo da recusa' }).getByText('1 ×').waitFor();
    await look('upkeep-refused-desk');
  });
});
