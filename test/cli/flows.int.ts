import { join } from 'node:path';
import { expect } from 'chai';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

const good = { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: null } } };
const bad = { schema: 1, start: 'a', blocks: { a: { type: 'send_text', text: 'Oi', next: 'x' } } };

describe('cli: flows', () => {
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env, 'flows');
  const file = (name: string, definition: object) => office.file(name, JSON.stringify(definition));

  it('goes from a file to a published version, and back to a file', async () => {
    const made = await done(`create Boas-vindas --file ${await file('good.json', good)} --json`);
    const uuid = made.json()['uuid'] as string;
    await done(`publish ${uuid}`);
    expect((await recado('list --status active')).stdout).to.match(/Boas-vindas +active +1/);
    expect((await recado(`export ${uuid} --flow-version 1`)).json()).to.deep.equal(good);
    const other = { ...good, blocks: { a: { ...good.blocks.a, text: 'Olá' } } };
    await recado(`save ${uuid} ${await file('other.json', other)}`);
    expect((await recado(`diff ${uuid}`)).stdout).to.match(/changed +a +text +Oi +Olá/);
    expect((await recado(`render ${uuid}`)).stdout).to.match(/^flowchart TD\n/);
    await ends(`delete ${uuid}`, 2);
    await done(`delete ${uuid} --yes`);
    await ends(`show ${uuid}`, 3);
  });

  it('says what is wrong, block by block', async () => {
    const wrong = await file('bad.json', bad);
    const checked = await ends(`check ${wrong}`, 1);
    expect(checked.stdout).to.match(/error +a +next +leads to "x", and there is no such block/);
    const made = await recado(`create Ruim --file ${wrong} --json`);
    const uuid = made.json()['uuid'] as string;
    await ends(`publish ${uuid}`, 3, 'a.next: leads to "x", and there is no such block.');
    await ends(`check ${await office.file('text.json', '{')}`, 2);
    await ends(`check ${join(office.folder, 'none.json')}`, 2);
  });

  it('plays a flow through, with a line for each answer', async () => {
    const question = { type: 'ask', text: 'Oi {{contact.name}}, qual cor?', save_as: 'color', next: 'b' };
    const asking = await file('ask.json', {
      schema: 1,
      start: 'a',
      blocks: { a: question, b: { type: 'send_text', text: '{{answer.color}} do {{vars.utm}}', next: null } },
    });
    const play = `try ${asking} --contact name=Ana --var utm=ig`;
    const played = await done(play, { stdin: 'Azul\n' });
    expect(played.stdout).to.equal(
      'a  ask  Oi Ana, qual cor?\nb  send_text  Azul do ig\nthe flow ended: completed\n',
    );
    const json = await recado(`${play} --json`, { stdin: '' });
    expect(json.json()).to.include({ waiting: 'ask', ended: null });
    await ends(`try ${await file('bad.json', bad)}`, 3);
    await ends(`try ${asking} --var utm`, 2);
  });
});
