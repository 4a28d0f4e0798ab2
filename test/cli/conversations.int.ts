import { expect } from 'chai';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

describe('cli: conversations', () => {
  const office = opened(openOffice);
  const { recado, done, ends } = commands(() => office.env, 'conversations');

  it('keeps the team', async () => {
    const added = await done('team add agent "Ana Lima" --json');
    const uuid = added.json()['uuid'] as string;
    await recado(`team rename ${uuid} "Ana Souza"`);
    expect((await recado('team list')).stdout).to.include(`${uuid}  agent  Ana Souza`);
    await done(`team remove ${uuid}`);
    expect((await recado('team list --json')).json()).to.deep.equal([]);
  });

  it('keeps saved replies', async () => {
    const added = await done(
      'saved-replies add prazo --title "Prazo de entrega" --text "Entregamos em 2 dias." --json',
    );
    const uuid = added.json()['uuid'] as string;
    await done(`saved-replies change ${uuid} --short-cut entrega`);
    expect((await recado('saved-replies list')).stdout).to.match(
      new RegExp(`${uuid} +/entrega +Prazo de entrega +Entregamos em 2 dias\\.`),
    );
    await ends('saved-replies add entrega --title "Outra" --text "Oi"', 3);
    await done(`saved-replies remove ${uuid}`);
    expect((await recado('saved-replies list --json')).json()).to.deep.equal([]);
  });

  it('says what is not there, and what is missing', async () => {
    for (const line of [
      `show ${NOBODY}`,
      `pending ${NOBODY}`,
      `assign ${NOBODY} --agent none`,
      `note ${NOBODY} --text x`,
    ]) {
      await ends(line, 3);
    }
    await ends(`assign ${NOBODY}`, 2);
  });
});
