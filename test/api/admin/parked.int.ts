import { expect } from 'chai';
import { parkMessage } from '../../../application/parked-messages.js';
import { openAdmin } from './server.js';
import { opened } from '../../support/opened.js';

describe('admin: parked messages', () => {
  const server = opened(openAdmin);

  it('are listed newest first, by group if asked for, and tried again one by one', async () => {
    const { app } = server;
    const value = { company: 'c', event_id: 'e' };
    const at = app.clock.now();
    for (const [n, group] of ['inbound', 'transcriptions', 'inbound'].entries()) {
      const clock = { ...app.clock, now: () => at + n };
      await parkMessage({ ...app, clock }, { id: String(n), group, value, reason: `reason ${n}` });
    }
    const first = await server.call('GET', '/parked-messages?limit=2');
    expect(first.list.map(({ id }) => id)).to.deep.equal(['inbound:2', 'transcriptions:1']);
    expect(first.list[0]).to.deep.include({ group: 'inbound', reason: 'reason 2', value });
    const second = await server.call('GET', `/parked-messages?limit=2&after=${first.next}`);
    expect(second.list.map(({ id }) => id)).to.deep.equal(['inbound:0']);
    const ofGroup = await server.call('GET', '/parked-messages?group=transcriptions');
    expect(ofGroup.list.map(({ id }) => id)).to.deep.equal(['transcriptions:1']);

    const retried = await server.call('POST', '/parked-messages/inbound:0/retry');
    expect([retried.status, retried.data['id']]).to.deep.equal([202, 'inbound:0']);
    expect(await app.dueTimes.count('retry:inbound')).to.equal(1);
    await server.call('POST', '/parked-messages/transcriptions:1/retry');
    expect(await app.dueTimes.count('transcriptions', 'c')).to.equal(1);
    const left = await server.call('GET', '/parked-messages');
    expect(left.list.map(({ id }) => id)).to.deep.equal(['inbound:2']);
    const again = await server.call('POST', '/parked-messages/inbound:0/retry');
    expect([again.status, again.code]).to.deep.equal([404, 'not_found']);
  });
});
