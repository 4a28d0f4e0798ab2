/** Findings of the doctor about the user in EventStoreDB. */
import { expect } from 'chai';
import { eventStoreFindings } from '../../../runtime/doctor/event-store.js';

describe('doctor: the user in EventStoreDB', () => {
  for (const [name, eventStoreUrl, status, said] of [
    ['a plain user', 'esdb://recado:s3cret@host:2113', 'ok', '"recado"'],
    ['an administrator', 'esdb://admin:s3cret@a:2113,b:2113', 'warn', 'an administrator'],
    ['a user that is never told', 'esdb://recado:s3cret@host:2113?tls=false', 'warn', 'tls=false'],
    ['none', 'esdb://host:2113?tls=false', 'ok', 'names no user'],
  ] as const) {
    it(`is ${status} for ${name}, and holds no password`, async () => {
      const [finding, ...more] = await eventStoreFindings({ eventStoreUrl });
      expect(more).to.deep.equal([]);
      expect(finding).to.include({ status });
      expect(finding!.message).to.include(said);
      expect(JSON.stringify(finding)).to.not.include('s3cret');
    });
  }

  it('says nothing of the embedded store', async () => {
    expect(await eventStoreFindings(null)).to.deep.equal([]);
  });
});
