/**
 * A read model that cannot apply an event: customers' messages wait for it, as operators can see, and then continue.
 */
import { expect } from 'chai';
import { directCommand } from '../../application/app.js';
import { channelAggregate } from '../../domain/channel/decide.js';
import { parkedMessages } from '../../read-models/parked-messages.js';
import { parkedUpdates } from '../../read-models/parked-updates.js';
import { projections } from '../../projections/catalog.js';
import type { AnyProjection } from '../../projections/projection.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { DEMO_NUMBER, startProduct } from '../support/e2e/product.js';
import { opened } from '../support/opened.js';

describe('work that waits for a read model', function () {
  this.timeout(TEST_TIMEOUT_MS);
  const product = opened(startProduct);

  const text = async (path: string): Promise<string> =>
    (await fetch(new URL(path, product.running.url))).text();
  async function waitingSince(): Promise<unknown> {
    const { admin_url, admin_token } = product.running.credentials;
    const headers = { authorization: `Bearer ${admin_token!}` };
    const answer = await fetch(`${admin_url!}/projections/channels`, { headers });
    expect(answer.status).to.equal(200);
    return ((await answer.json()) as { data: { work_waiting_since: unknown } }).data.work_waiting_since;
  }
  const texts = async (): Promise<readonly unknown[]> => {
    const list = (await product.ask('GET', '/conversations')).body.data as readonly { uuid: string }[];
    const messages = await Promise.all(list.map(({ uuid }) => product.messages(uuid)));
    return messages.flat().map(({ content }) => content['text']);
  };

  it('is seen by operators, and goes on by itself', async () => {
    const channels = projections.find(({ name }) => name === 'channels') as {
      -readonly [K in keyof AnyProjection]: AnyProjection[K];
    };
    const { evolve } = channels;
    const { app } = product;
    const { company_uuid: company, channel_uuid: channel } = product.running.credentials;
    try {
      channels.evolve = () => {
        throw new Error('no way to apply it');
      };
      const report = {
        type: 'ReportAccount',
        event: 'ACCOUNT_RESTRICTION',
        banState: null,
        at: null,
      } as const;
      const restrictions = [{ type: 'RESTRICTED_ADD_PHONE_NUMBER_ACTION', expires_at: null }];
      const context = directCommand(app, { company: company!, actor: 'test' });
      await app.executor.execute(channelAggregate, channel!, { ...report, restrictions }, context);
      product.sandbox.reply({ phoneNumberId: DEMO_NUMBER, from: '+5511987650077', text: 'estou aqui' });
      await eventually(async () => typeof (await waitingSince()) === 'string', {
        what: 'operators to see that work waits',
      });
      expect(JSON.parse(await text('/readyz'))).to.nested.include({
        'parts.work': 'waits for read models: channels',
      });
      expect(await text('/metrics')).to.match(/^recado_work_waits_seconds{read_model="channels"} \d/m);
      expect(await texts()).to.not.include('estou aqui');
    } finally {
      channels.evolve = evolve;
    }
    await eventually(async () => (await texts()).includes('estou aqui'), { what: 'the message to be there' });
    await eventually(async () => (await waitingSince()) === null, { what: 'nothing to wait any more' });
    expect(await text('/readyz')).to.not.include('waits for read models');
    expect(await app.readModels.count(parkedUpdates.name, 'all', ['all'])).to.equal(0);
    expect(await app.readModels.count(parkedMessages.name, 'newest', [])).to.equal(0);
  });
});
