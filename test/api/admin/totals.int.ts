/** Lists for operators say how long they are. */
import { expect } from 'chai';
import { opened } from '../../support/opened.js';
import { newCompany, openAdmin } from './server.js';

describe('admin API: totals', () => {
  const server = opened(openAdmin);

  it('stand in the meta of the first page', async () => {
    for (const name of ['A', 'B', 'C']) await newCompany(server, name);
    const first = await server.call('GET', '/companies?limit=2');
    expect(first.body['meta']).to.deep.equal({ next_cursor: first.next, total: 3, total_capped: false });
    const second = await server.call('GET', `/companies?limit=2&after=${first.next!}`);
    expect(second.body['meta']).to.deep.equal({ next_cursor: null });
    const company = first.list[0]!['uuid'] as string;
    for (const list of [
      '/operations',
      '/operations?status=failed',
      '/deliveries',
      '/erasures',
      '/executions',
      '/held-work',
      '/intake/parked',
      '/parked-messages',
      `/companies/${company}/contacts`,
      `/companies/${company}/conversations`,
      `/companies/${company}/flows`,
      `/companies/${company}/integrations`,
      `/companies/${company}/templates`,
    ]) {
      const { status, body } = await server.call('GET', list);
      expect(status, list).to.equal(200);
      expect(body['meta'], list).to.deep.equal({ next_cursor: null, total: 0, total_capped: false });
    }
  });
});
