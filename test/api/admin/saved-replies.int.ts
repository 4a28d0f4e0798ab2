/** Saved replies over HTTP: by whom they are written, what is refused, and how they are listed. */
import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { browser, signedIn } from './people.js';
import { newCompany, openAdmin } from './server.js';

const PRAZO = { title: 'Prazo de entrega', short_cut: 'prazo', text: 'Oi {{contact.first_name|tudo bem}}!' };

describe('admin: saved replies', () => {
  const server = opened(() => openAdmin());
  let at: string;
  beforeEach(async () => {
    at = `/companies/${await newCompany(server)}/saved-replies`;
  });
  const add = (body: object) => server.call('POST', at, { ...PRAZO, ...body });

  it('are added, changed and removed, and each change is read at once', async () => {
    const added = await add({});
    expect(added.status).to.equal(201);
    expect(added.data).to.include(PRAZO);
    const one = `${at}/${added.data['uuid'] as string}`;
    const changed = await server.call('PATCH', one, { text: 'Em dois dias.' });
    expect(changed.data).to.include({ ...PRAZO, text: 'Em dois dias.' });
    expect((await server.call('GET', at)).list).to.deep.equal([changed.data]);
    expect((await server.call('DELETE', one)).status).to.equal(204);
    expect((await server.call('GET', at)).list).to.deep.equal([]);
    for (const method of ['PATCH', 'DELETE']) {
      const gone = await server.call(method, one, method === 'PATCH' ? { title: 'x' } : undefined);
      expect([gone.status, gone.code], method).to.deep.equal([404, 'not_found']);
    }
  });

  it('are listed by short cut, page by page', async () => {
    for (const short_cut of ['pix', 'endereco', 'horario']) await add({ short_cut });
    const pages = await server.pages(`${at}?limit=2`);
    expect(pages.map((page) => page.map(({ short_cut: cut }) => cut))).to.deep.equal([
      ['endereco', 'horario'],
      ['pix'],
    ]);
  });

  it('are refused with a taken short cut, another placeholder, or out of bounds', async () => {
    await add({});
    const taken = await add({ title: 'Outra' });
    expect([taken.status, taken.code]).to.deep.equal([422, 'short_cut_taken']);
    const wrong: readonly [object, string][] = [
      [{ text: 'Seu CPF é {{contact.document}}' }, 'text'],
      [{ title: '   ' }, 'title'],
      [{ short_cut: 'Horário' }, 'short_cut'],
      [{ short_cut: '-prazo' }, 'short_cut'],
      [{ text: 'x'.repeat(2_001) }, 'text'],
      [{ title: 'x'.repeat(81) }, 'title'],
    ];
    for (const [body, path] of wrong) {
      const refused = await add({ short_cut: 'outra', ...body });
      expect([refused.status, refused.code], path).to.deep.equal([422, 'validation_failed']);
      const { error } = refused.body as {
        readonly error: { readonly details: { readonly fields: readonly { readonly path: string }[] } };
      };
      expect(error.details.fields[0]?.path).to.equal(path);
    }
  });

  it('are written by owners, and used by agents', async () => {
    const company = at.split('/')[2]!;
    const { page: agent } = await signedIn(server, company, 'agent');
    const { page: owner, member } = await signedIn(server, company, 'owner');
    expect((await browser(server, 'POST', at, agent, PRAZO)).code).to.equal('insufficient_role');
    const mark = await server.mark();
    expect((await browser(server, 'POST', at, owner, PRAZO)).status).to.equal(201);
    const [recorded] = await server.recordsSince(mark);
    expect(recorded).to.deep.include({ type: 'SavedReplyAdded', stream: `replies-${company}` });
    expect(recorded!.meta.actor).to.equal(`user:${member}`);
    expect((await browser(server, 'GET', at, agent)).status).to.equal(200);
  });
});
