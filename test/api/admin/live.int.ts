/** The stream of changes that open consoles read. */
import { expect } from 'chai';
import { enqueueDeliveries } from '../../../workers/webhooks/enqueue.js';
import { addChannel, addCustomer, addInboundMessage, type Place } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';
import { signedIn } from './people.js';
import { ADMIN_TOKEN, newCompany, openAdmin } from './server.js';

interface Told {
  readonly kind: string;
  readonly uuid: string | null;
}

describe('admin: live changes of a company', function () {
  this.timeout(60_000);
  const server = opened(openAdmin);
  let place: Place;
  let other: Place;
  const closing: (() => void)[] = [];

  const company = async (name: string, waba: string): Promise<Place> => {
    const uuid = await newCompany(server, name);
    return { company: uuid, channel: await addChannel(server.app, uuid, waba) };
  };
  before(async () => {
    place = await company('Nossa', '1001');
    other = await company('Deles', '1002');
  });
  afterEach(() => closing.splice(0).forEach((close) => close()));

  /** Connected when it resolves. */
  async function watch(headers: Record<string, string> = { authorization: `Bearer ${ADMIN_TOKEN}` }) {
    const gone = new AbortController();
    closing.push(() => gone.abort());
    const response = await fetch(`${server.url}/companies/${place.company}/live`, {
      headers,
      signal: gone.signal,
    });
    expect(response.status).to.equal(200);
    let text = '';
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const told = (): Told[] =>
      [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Told);
    const lastId = (): string => [...text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!;
    const more = async (): Promise<boolean> => {
      const { done, value } = await reader.read();
      text += value ?? '';
      return !done;
    };
    await more();
    return {
      text: () => text,
      told,
      lastId,
      close: () => gone.abort(),
      /** Reads until the change arrives. */
      async until(wanted: Told): Promise<void> {
        const isThere = () => told().some(({ kind, uuid }) => kind === wanted.kind && uuid === wanted.uuid);
        while (!isThere()) expect(await more(), `still open; told ${text}`).to.equal(true);
      },
      async toEnd(): Promise<void> {
        while (await more());
      },
    };
  }
  const customer = (n: number, at = place) =>
    addCustomer(server.app, at, { phone: `+55119876543${String(n).padStart(2, '0')}`, name: 'Maria' });

  it('tells kind and uuid of what changed in this company, and nothing of its content', async () => {
    const stream = await watch();
    expect(stream.told()).to.deep.equal([]);
    const theirs = await customer(1, other);
    await addInboundMessage(server.app, other, theirs, 'segredo');
    const maria = await customer(2);
    await addInboundMessage(server.app, place, maria, 'segredo');
    await stream.until({ kind: 'contact', uuid: maria.contact });
    await stream.until({ kind: 'conversation', uuid: maria.conversation });
    const delivery = server.app.newId();
    await enqueueDeliveries(server.app, [
      {
        deliveryId: delivery,
        companyUuid: place.company,
        integrationUuid: server.app.newId(),
        endpointUuid: server.app.newId(),
        eventId: server.app.newId(),
        eventType: 'message.received',
        body: '{}',
      },
    ]);
    await stream.until({ kind: 'delivery', uuid: delivery });
    for (const change of stream.told()) expect(change).to.have.all.keys('kind', 'uuid');
    for (const hidden of ['segredo', 'Maria', '5511', theirs.contact, theirs.conversation]) {
      expect(stream.text()).not.to.include(hidden);
    }
  });

  it('continues after the last id, and tells of everything after an id that it does not know', async () => {
    const first = await watch();
    await customer(3);
    await first.until({ kind: 'contact', uuid: (await customer(4)).contact });
    const after = first.lastId();
    first.close();
    const missed = await customer(5);
    const again = await watch({ authorization: `Bearer ${ADMIN_TOKEN}`, 'last-event-id': after });
    await again.until({ kind: 'contact', uuid: missed.contact });
    const lost = await watch({ authorization: `Bearer ${ADMIN_TOKEN}`, 'last-event-id': 'nonsense' });
    expect(lost.told()).to.deep.include({ kind: 'order', uuid: null });
  });

  it('tells again, once it can be read, what was told before, and continues before it until then', async () => {
    let shown = true;
    const behind = await openAdmin({ over: (app) => ({ ...app, readModelsReached: async () => shown }) });
    try {
      const company = await newCompany(behind, 'Atrás');
      const at = { company, channel: await addChannel(behind.app, company, '1003') };
      const open = async (query = '') => {
        const gone = new AbortController();
        closing.push(() => gone.abort());
        const { body } = await fetch(`${behind.url}/companies/${at.company}/live${query}`, {
          headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
          signal: gone.signal,
        });
        const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
        /** Reads on until something was told that has this in it. */
        return async (part: string): Promise<string> => {
          for (let text = ''; ;) {
            text += (await reader.read()).value ?? '';
            if (text.includes(part) && text.endsWith('\n\n')) return text;
          }
        };
      };
      const idOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
      const session = () => behind.call('GET', '/session');
      const { live_after: after } = (await session()).data;
      const read = await open(`?after=${String(after)}`);
      await read(`id: ${String(after)}`);

      shown = false;
      const { contact } = await addCustomer(behind.app, at, { phone: '+5511987654399', name: 'Maria' });
      expect(idOf(await read(contact)), 'where it would continue').to.equal(after);
      expect((await session()).data['live_after']).to.equal(null);
      // One that begins now, after a position that shows less than the history has.
      const later = await open(`?after=${String(after)}`);
      expect(idOf(await later(contact))).to.equal('');

      shown = true;
      for (const again of [await read(contact), await later(contact)])
        expect(idOf(again)! > String(after), 'where it would continue').to.equal(true);
    } finally {
      closing.splice(0).forEach((close) => close());
      await behind.close();
    }
  });

  it('says only that there were many when there are', async () => {
    const stream = await watch();
    const after = stream.lastId();
    stream.close();
    for (let n = 10; n < 62; n += 1) await customer(n);
    const again = await watch({ authorization: `Bearer ${ADMIN_TOKEN}`, 'last-event-id': after });
    expect(again.told().filter(({ kind }) => kind === 'contact')).to.deep.equal([
      { kind: 'contact', uuid: null },
    ]);
  });

  it('ends when the session is ended, and is not opened for another company', async () => {
    const { page: headers, member } = await signedIn(server, place.company, 'viewer');
    const [session] = await server.sessions.listOf(member);
    const stream = await watch(headers);
    const foreign = await fetch(`${server.url}/companies/${other.company}/live`, { headers });
    expect(foreign.status).to.equal(404);
    expect((await server.call('DELETE', `/sessions/${session!.session_uuid}`)).status).to.equal(204);
    await stream.toEnd();
  });

  it('holds one subscription for all streams, and none without them', async () => {
    let open = 0;
    const counted = await openAdmin({
      over: (app) => ({
        ...app,
        store: {
          ...app.store,
          subscribe(options) {
            open += 1;
            const subscription = app.store.subscribe(options);
            return {
              async stop() {
                open -= 1;
                await subscription.stop();
              },
            };
          },
        },
      }),
    });
    try {
      const uuid = await newCompany(counted);
      const streams = await Promise.all(
        [1, 2, 3].map(async () => {
          const gone = new AbortController();
          const response = await fetch(`${counted.url}/companies/${uuid}/live`, {
            headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
            signal: gone.signal,
          });
          await response.body!.getReader().read();
          return gone;
        }),
      );
      expect(open).to.equal(1);
      for (const gone of streams) gone.abort();
      while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    } finally {
      await counted.close();
    }
  });
});
