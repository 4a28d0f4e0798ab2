import { expect } from 'chai';
import { newChannel } from '../api/admin/server.js';
import { addCustomer } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

describe('cli: find', () => {
  const office = opened(openOffice);
  const { done, ends } = commands(() => office.env);

  it('prints what a text names, and nothing for what names nothing', async () => {
    const { server, company } = office;
    const channel = await newChannel(server, company);
    const { contact } = await addCustomer(server.app, { company, channel }, { phone: '+5511987654321' });
    const printed = await done('find +5511987654321');
    expect(printed.stdout).to.match(new RegExp(`contact +${contact} +words +\\+5511987654321`));
    const json = await done(`find ${contact} --json`);
    expect(json.json()).to.deep.equal([
      { kind: 'contact', uuid: contact, matched_by: 'uuid', title: '+5511987654321' },
    ]);
    expect((await done('find nobody --json')).json()).to.deep.equal([]);
    await ends('find', 2);
  });
});
