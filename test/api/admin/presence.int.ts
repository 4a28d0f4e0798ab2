/** Who else has a conversation open, by the streams of two people and of a foreign company. */
import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { browser, signedIn } from './people.js';
import { newCompany, openAdmin } from './server.js';

const TALK = '0198a6f0-c003-7000-8000-000000000001';

interface Told {
  readonly conversation_uuid: string;
  readonly people: readonly { readonly member_uuid: string | null; readonly typing: boolean }[];
}

describe('admin: presence', function () {
  this.timeout(60_000);
  const server = opened(() => openAdmin());
  const closing: (() => void)[] = [];
  afterEach(() => closing.splice(0).forEach((close) => close()));

  async function somebody(company: string, role: 'viewer' | 'agent' = 'agent') {
    const { page: headers, member } = await signedIn(server, company, role);
    const page = server.app.newId();
    const gone = new AbortController();
    closing.push(() => gone.abort());
    const response = await fetch(`${server.url}/companies/${company}/live?page=${page}`, {
      headers,
      signal: gone.signal,
    });
    expect(response.status).to.equal(200);
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const told = (): readonly Told[] =>
      [...text.matchAll(/^event: presence\ndata: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Told);
    return {
      member,
      told,
      close: () => gone.abort(),
      say: (conversation_uuid: string | null, typing = false, of = page) =>
        browser(server, 'PUT', `/companies/${company}/presence`, headers, {
          page: of,
          conversation_uuid,
          typing,
        }),
      page,
      headers,
      /** Reads until these are the people, as last told. */
      async until(people: Told['people']): Promise<void> {
        while (JSON.stringify(told().at(-1)?.people) !== JSON.stringify(people)) {
          const { done, value } = await reader.read();
          expect(done, `still open; told ${text}`).to.equal(false);
          text += value ?? '';
        }
      },
    };
  }

  it('tells who else is there, who types, and that they left with their stream', async () => {
    const company = await newCompany(server);
    const ana = await somebody(company);
    const vera = await somebody(company, 'viewer');
    const { data } = await ana.say(TALK);
    expect(data).to.deep.equal({ shown: true });
    await ana.until([]);
    await vera.say(TALK);
    await ana.until([{ member_uuid: vera.member, typing: false }]);
    await ana.say(TALK, true);
    await vera.until([{ member_uuid: ana.member, typing: true }]);
    ana.close();
    await vera.until([]);
    for (const { conversation_uuid: uuid } of vera.told()) expect(uuid).to.equal(TALK);
  });

  it('tells nothing to another company, nor by the page of somebody else', async () => {
    const [company, foreign] = [await newCompany(server), await newCompany(server)];
    const ana = await somebody(company);
    const eva = await somebody(foreign);
    const bia = await somebody(company);
    await ana.say(TALK);
    await eva.say(TALK, true);
    const answer = await browser(server, 'PUT', `/companies/${company}/presence`, eva.headers, {
      page: eva.page,
      conversation_uuid: TALK,
    });
    expect([answer.status, answer.code]).to.deep.equal([404, 'not_found']);
    expect((await bia.say(TALK, true, ana.page)).data).to.deep.equal({ shown: false });
    await bia.say(TALK);
    await ana.until([{ member_uuid: bia.member, typing: false }]);
    expect(JSON.stringify(ana.told())).not.to.include(eva.member);
    await eva.until([]);
  });

  it('writes nothing to the history', async () => {
    const ana = await somebody(await newCompany(server));
    const mark = await server.mark();
    await ana.say(TALK, true);
    await ana.until([]);
    expect(await server.recordsSince(mark)).to.deep.equal([]);
  });
});
