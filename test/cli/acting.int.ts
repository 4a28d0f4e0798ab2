/** What operators do for a customer from the command line: write, change the contact, change the products. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { newChannel } from '../api/admin/server.js';
import { addCustomer } from '../support/api/world.js';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('cli: acting for a customer', () => {
  const office = opened(() => openOffice('Loja da Ana'));
  const { done, ends } = commands(() => office.env);
  let customer: { readonly conversation: string; readonly contact: string };

  before(async () => {
    const { server, company } = office;
    const channel = await newChannel(server, company);
    customer = await addCustomer(server.app, { company, channel }, { phone: '+5511987654321' });
  });

  it('sends a text, a file and a question in a conversation, once per key', async () => {
    const send = `conversations send ${customer.conversation}`;
    const mark = await office.server.mark();
    const first = (await done(`${send} --text "Sai hoje." --idempotency-key a --json`)).json();
    expect(first).to.include({ type: 'message.send', status: 'queued' });
    const again = (await done(`${send} --text "Sai hoje." --idempotency-key a --json`)).json();
    expect(again['uuid']).to.equal(first['uuid']);
    await done(`${send} --file https://cdn.example.com/nota.pdf --filename nota.pdf`);
    const folder = await mkdtemp(join(tmpdir(), 'recado-upload-'));
    const nota = join(folder, 'nota.pdf');
    await writeFile(nota, '%PDF-1.7');
    await done(`${send} --upload ${nota} --caption Nota`);
    await rm(folder, { recursive: true });
    await done(`${send} --question "Amanhã?" --choice sim=Sim --choice nao=Não`);
    const events = await office.server.eventsSince(mark);
    expect(events.map(({ data }) => data['message_type'])).to.deep.equal([
      'text',
      'document',
      'document',
      'interactive',
    ]);
    await ends(`${send} --text "Sai amanhã." --idempotency-key a`, 3, 'was used for another request');
    await ends(send, 2, 'Give one of --text');
    await ends(`${send} --text a --file https://example.com/a.pdf`, 2, 'Give one of --text');
    await ends(`${send} --text a --caption b`, 2, '--caption and --filename need --file or --upload');
    await ends(`${send} --upload /nowhere/a.exe`, 2, '--upload takes files');
    await ends(`${send} --upload /nowhere/a.pdf`, 2, '/nowhere/a.pdf');
    await ends(`${send} --text a --choice b=c`, 2, '--choice and --list-button need --question');
    await ends(`conversations send ${NOBODY} --text a`, 3);
  });

  it('lists the messages of a conversation', async () => {
    await done(`conversations note ${customer.conversation} --text "Cliente antiga"`);
    const answer = await done(`conversations messages ${customer.conversation} --json`);
    const listed = answer.json<readonly { readonly type: string }[]>();
    expect(listed.map(({ type }) => type)).to.deep.equal(['note']);
    await ends(`conversations messages ${NOBODY}`, 3);
  });

  it('changes a contact, and says when nothing is to be changed', async () => {
    const change = `contacts change ${customer.contact}`;
    const changed = await done(
      `${change} --name "Maria Souza" --email maria@example.com --tags vip,antiga --field city=Recife --json`,
    );
    expect(changed.json()).to.deep.include({
      name: 'Maria Souza',
      email: 'maria@example.com',
      tags: ['vip', 'antiga'],
      custom_fields: { city: 'Recife' },
    });
    const cleared = await done(`${change} --email none --tags "" --fields '{"age": 42}' --json`);
    expect(cleared.json()).to.deep.include({
      email: null,
      tags: [],
      custom_fields: { city: 'Recife', age: 42 },
    });
    await ends(change, 2, 'Say what to change');
    await ends(`${change} --field a=b --fields '{}'`, 2, 'either --field or --fields');
  });

  it('creates a product and changes it at the version that was seen', async () => {
    await done('store plan on');
    const made = (await done('store products create --name Boné --price 30.00 --stock 5 --json')).json();
    expect(made).to.include({ name: 'Boné', price: '30.00', stock: 5, active: true });
    const change = `store products change ${String(made['uuid'])}`;
    const version = String(made['version']);
    const changed = await done(`${change} --price 35.00 --active off --if-version ${version} --json`);
    expect(changed.json()).to.include({ name: 'Boné', price: '35.00', active: false });
    await ends(`${change} --price 40.00 --if-version ${version}`, 3, 'which If-Match does not name');
    await done(`${change} --json-body '{"description": "De algodão"}'`);
    await ends(change, 2, 'Give fields');
    await ends(`${change} --price 1.00 --json-body '{}'`, 2, 'Give fields');
    await ends(`store products change ${NOBODY} --price 1.00`, 3);
  });
});
