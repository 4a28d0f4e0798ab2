import { expect } from 'chai';
import { opened } from '../support/opened.js';
import { commands, openOffice } from './commands.js';

describe('cli: console', () => {
  const office = opened(openOffice);
  const { done, ends } = commands(() => office.env, 'console');

  it('prints a link that signs in, lists who is signed in, and ends a session', async () => {
    const printed = (await done('open')).stdout;
    const [, token] = /^http:\/\/127\.0\.0\.1:\d+\/console#token=(\S+)\n$/.exec(printed)!;
    const answer = await fetch(`${office.server.url}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-recado-console': '1' },
      body: JSON.stringify({ link_token: token }),
    });
    expect(answer.status).to.equal(201);
    const listed: unknown = (await done('sessions --json')).json();
    const [{ uuid }] = listed as [{ readonly uuid: string }];
    await done(`end ${uuid}`);
    expect((await done('sessions --json')).json()).to.deep.equal([]);
    await ends(`end ${uuid}`, 3);
    expect(Object.keys((await done('open --json')).json())).to.deep.equal(['url', 'expires_at']);
  });
});
