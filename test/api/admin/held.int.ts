import { expect } from 'chai';
import { retryQueue, retryRow } from '../../../application/parked-messages.js';
import { hold } from '../../../application/restore/held-work.js';
import { markRestored, readHorizon, restoredRecord } from '../../../application/restore/horizon.js';
import { SYSTEM_COMPANY } from '../../../application/app.js';
import { prepareRestore, restoreCheckpoints } from '../../../workers/restore/prepare.js';
import { opened } from '../../support/opened.js';
import type { HeldWork } from '../../../read-models/held-work.js';
import { openAdmin } from './server.js';

describe('admin: what a restore holds', () => {
  const server = opened(openAdmin);
  const company = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c1001';
  const ids: string[] = [];

  const reaction = (
    n: number,
    of: string,
  ): Pick<HeldWork, 'id' | 'kind' | 'company_uuid' | 'about' | 'row'> => ({
    id: ids[n]!,
    kind: 'reaction',
    company_uuid: of,
    about: 'inbound: intake-1',
    row: retryRow('inbound', String(n), { stream: 'intake-1' }, Date.parse('2026-11-20') + n),
  });

  it('can not be decided while the restore is being prepared', async () => {
    const { app } = server;
    await app.readModels.define(restoreCheckpoints);
    const data = { source: 'backup', nothing_ran_since: false } as const;
    await markRestored(app.store, restoredRecord(data, { now: Date.parse('2026-11-21'), newId: app.newId }));
    const early = await server.call('POST', '/held-work/end');
    expect([early.status, early.code]).to.deep.equal([503, 'unavailable']);
    await prepareRestore(app);
  });

  it('is listed, the oldest first, and released or ended one by one or all together', async () => {
    const { app } = server;
    ids.push(...Array.from({ length: 5 }, () => app.newId()));
    const horizon = (await readHorizon(app.store))!;
    const found = ids.map((_, n) => reaction(n, n === 2 ? SYSTEM_COMPANY : company));
    await hold(app, horizon, found);

    const first = await server.call('GET', '/held-work?limit=3');
    expect(first.list.map(({ uuid }) => uuid)).to.deep.equal(ids.slice(0, 3));
    expect(first.list[0]).to.deep.equal({
      uuid: ids[0],
      kind: 'reaction',
      company_uuid: company,
      about: 'inbound: intake-1',
      due_at: '2026-11-20T00:00:00.000Z',
      restored_at: '2026-11-21T00:00:00.000Z',
    });
    expect(first.list[2]!['company_uuid']).to.equal(null);
    const { next_cursor } = first.body['meta'] as { next_cursor: string };
    const second = await server.call('GET', `/held-work?limit=3&after=${next_cursor}`);
    expect(second.list.map(({ uuid }) => uuid)).to.deep.equal(ids.slice(3));
    const own = await server.call('GET', `/held-work?company=${company.toUpperCase()}`);
    expect(own.list).to.have.length(4);

    const released = await server.call('POST', `/held-work/${ids[0]!.toUpperCase()}/release`);
    expect([released.status, released.data['uuid']]).to.deep.equal([202, ids[0]]);
    expect([...(await app.dueTimes.existing(retryQueue('inbound'), ['0', '1']))]).to.deep.equal(['0']);
    const ended = await server.call('POST', `/held-work/${ids[1]!}/end`);
    expect(ended.status).to.equal(202);
    const parked = await server.call('GET', '/parked-messages');
    expect(parked.list.map(({ id }) => id)).to.deep.equal(['inbound:1']);
    for (const verdict of ['release', 'end']) {
      const again = await server.call('POST', `/held-work/${ids[0]!}/${verdict}`);
      expect([again.status, again.code]).to.deep.equal([404, 'not_found']);
    }
    const rest = await server.call('POST', '/held-work/release');
    expect([rest.status, rest.data]).to.deep.equal([200, { done: 3, left: 0 }]);
    const none = await server.call('POST', '/held-work/end');
    expect(none.data).to.deep.equal({ done: 0, left: 0 });
    expect((await server.call('GET', '/held-work')).list).to.deep.equal([]);
  });
});
