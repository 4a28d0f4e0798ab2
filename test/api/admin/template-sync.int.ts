/** Template syncs that operators start and follow. */
import { expect } from 'chai';
import { eventually } from '../../support/e2e/eventually.js';
import { openAdmin, newCompany, newChannel } from './server.js';
import { opened } from '../../support/opened.js';

describe('admin API: template syncs', () => {
  let target: string;
  let company: string;

  const server = opened(openAdmin);
  before(async () => {
    company = await newCompany(server);
    target = `/channels/${await newChannel(server, company)}/templates/sync`;
  });

  it('are unknown before the first', async () => {
    expect((await server.call('GET', target)).status).to.equal(404);
  });

  it('are begun and followed to their end', async () => {
    const begun = await server.call('POST', `${target}?wait=false`);
    expect(begun.status).to.equal(202);
    expect(begun.data).to.include({ state: 'running', listed: 0, expected: null });
    const total = server.sandbox.templates.length;
    const finished = await eventually(async () => {
      const { data } = await server.call('GET', target);
      return data['state'] === 'finished' && data;
    });
    expect(finished).to.include({ pages: 1, listed: total, expected: total, imported: total, removed: 0 });
    const again = await server.call('POST', target);
    expect([again.status, again.data]).to.deep.equal([
      200,
      { imported: 0, changed: 0, unchanged: total, removed: 0 },
    ]);
  });

  it('show what the operator needs to know of each template', async () => {
    const { body } = await server.call('GET', `/companies/${company}/templates?status=REJECTED`);
    const [rejected] = (body as { data: Record<string, unknown>[] }).data;
    expect(rejected).to.include({
      provider_status: 'REJECTED',
      rejected_reason: 'PROMOTIONAL',
      last_refusal: null,
      removed_at: null,
    });
  });
});
