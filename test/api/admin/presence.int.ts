/** Who else has a conversation open, by the streams of two people and of a foreign company. */
import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { browser, signedIn } from './people.js';
import { newCompany, openAdmin, type AdminServer } from './server.js';

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

  /** @param at the process that serves the stream */
  async function somebody(company: string, role: 'viewer' | 'agent' = 'agent', at: AdminServer = server) {
    const { page: headers, member } = await signedIn(server, company, role);
    const page = server.app.newId();
    const gone = new AbortController();
    closing.push(() => gone.abort());
    const response = await fetch(`${at.url}/companies/${company}/live?page=${page}`, {
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
      say: (conversation_uuid: string | null, typing = false, of = page, by: AdminServer = at) =>
        browser(by, 'PUT', `/companies/${company}/presence`, headers, {
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

  it('tells of the people of the own process alone where there are several, by their right names', async () => {
    const other = await openAdmin({ beside: server });
    try {
      const company = await newCompany(server);
      const ana = await somebody(company);
      const bia = await somebody(company);
      const vera = await somebody(company, 'viewer', other);
      const rui = await somebody(company, 'agent', other);
      for (const one of [ana, bia, vera, rui])
        expect((await one.say(TALK)).data, 'the process of the stream').to.deep.equal({ shown: true });
      await ana.until([{ member_uuid: bia.member, typing: false }]);
      await vera.until([{ member_uuid: rui.member, typing: false }]);
      // A proxy sends a call to the process that does not have the stream: it changes nothing, and is no error.
      const lost = await ana.say(TALK, true, ana.page, other);
      expect([lost.status, lost.data]).to.deep.equal([200, { shown: false }]);
      // These messages come later, so whatever the other process had sent would be there by then.
      await rui.say(TALK, true);
      await vera.until([{ member_uuid: rui.member, typing: true }]);
      await bia.say(TALK, true);
      await ana.until([{ member_uuid: bia.member, typing: true }]);
      rui.close();
      await vera.until([]);
      for (const [one, foreign] of [
        [ana, [vera, rui]],
        [vera, [ana, bia]],
      ] as const)
        for (const { member } of foreign) expect(JSON.stringify(one.told())).not.to.include(member);
    } finally {
      closing.splice(0).forEach((close) => close());
      await other.close();
    }
  });

  it('writes nothing to the history', async () => {
    const ana = await somebody(await newCompany(server));
    const mark = await server.mark();
    await ana.say(TALK, true);
    await ana.until([]);
    expect(await server.recordsSince(mark)).to.deep.equal([]);
  });
});
