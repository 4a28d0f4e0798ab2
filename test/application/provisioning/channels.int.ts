import { expect } from 'chai';
import {
  checkChannel,
  connectChannel,
  disconnectChannel,
  replaceChannelToken,
} from '../../../application/provisioning/channels.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { syncTemplates } from '../../../application/templates/sync.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { channels, type ChannelDoc } from '../../../read-models/channels.js';
import { templates, type TemplateDoc } from '../../../read-models/templates.js';
import { admin, openWorkspace, refusalOf, SANDBOX_NUMBER, type Workspace } from './workspace.js';
import { openedForEach } from '../../support/opened.js';
import { anotherProcess } from '../../support/app.js';

describe('provisioning: channels and their templates', () => {
  let companyUuid: string;

  const space = openedForEach(openWorkspace);
  beforeEach(async () => {
    ({ companyUuid } = await registerCompany(space.app, { name: 'Loja' }, admin));
  });

  const connect = (company = companyUuid) =>
    connectChannel(space.app, { companyUuid: company, ...SANDBOX_NUMBER }, admin);
  const typesSince = async (mark: Awaited<ReturnType<Workspace['mark']>>): Promise<readonly string[]> =>
    (await space.eventsSince(mark)).map(({ type }) => type);
  const channelDoc = async (uuid: string): Promise<ChannelDoc> =>
    (await space.app.readModels.get(channels.name, uuid))!.doc;

  it('claims the number, connects it and records what WhatsApp says about it', async () => {
    const mark = await space.mark();
    const { channelUuid, checked } = await connect();
    expect(await typesSince(mark)).to.deep.equal([
      'IdentityClaimed',
      'ChannelConnected',
      'ChannelHealthReported',
    ]);
    expect(checked).to.equal(true);
    const doc = await channelDoc(channelUuid);
    expect(doc).to.deep.include({
      company_uuid: companyUuid,
      status: 'connected',
      quality_rating: 'GREEN',
      display_name: 'Loja Demonstração',
      phone_number: '+55 11 4002-8922',
    });
    expect(space.app.secrets.open(doc.access_token_sealed, 'channel-token')).to.equal('sandbox-token');
    expect(JSON.stringify(await space.recordsSince(mark))).to.not.include('sandbox-token');
  });

  it('changes nothing when the same company connects it again, but takes a new token over', async () => {
    const first = await connect();
    const mark = await space.mark();
    const again = await connect();
    expect(again.channelUuid).to.equal(first.channelUuid);
    expect(await typesSince(mark)).to.deep.equal([]);
    await connectChannel(space.app, { companyUuid, ...SANDBOX_NUMBER, accessToken: 'other' }, admin);
    expect(await typesSince(mark)).to.deep.equal(['ChannelTokenReplaced']);
  });

  it('finishes what a crash between claim and connection left undone', async () => {
    const { store } = space.app;
    const append: typeof store.append = async (stream, expected, records) => {
      if (stream.startsWith('channel-')) throw new Error('crash');
      return store.append(stream, expected, records);
    };
    const crashing = anotherProcess(space.app, { store: { ...store, append } });
    const mark = await space.mark();
    const input = { companyUuid, ...SANDBOX_NUMBER };
    const outcome = await connectChannel(crashing, input, admin).then(
      () => 'connected',
      (error: Error) => error.message,
    );
    expect(outcome).to.equal('crash');
    expect(await typesSince(mark)).to.deep.equal(['IdentityClaimed']);
    await connect();
    expect(await typesSince(mark)).to.deep.equal([
      'IdentityClaimed',
      'ChannelConnected',
      'ChannelHealthReported',
    ]);
  });

  it('refuses a second company, also in a race, and lets it have the number after a disconnection', async () => {
    const other = (await registerCompany(space.app, { name: 'Outra' }, admin)).companyUuid;
    const race = await Promise.allSettled([connect(), connect(other)]);
    const refused = race.filter((result) => result.status === 'rejected');
    expect(refused.map(({ reason }) => (reason as { code: string }).code)).to.deep.equal([
      'channel_already_connected',
    ]);
    const winner = race[0].status === 'fulfilled' ? companyUuid : other;
    const loser = winner === companyUuid ? other : companyUuid;
    const { channelUuid } = await connect(winner);
    expect((await refusalOf(connect(loser))).code).to.equal('channel_already_connected');

    await disconnectChannel(space.app, { channelUuid }, admin);
    expect((await channelDoc(channelUuid)).status).to.equal('disconnected');
    const moved = await connect(loser);
    expect(await channelDoc(moved.channelUuid)).to.deep.include({ company_uuid: loser, status: 'connected' });
    expect(moved.channelUuid).to.not.equal(channelUuid);
  });

  it('reconnects a disconnected number to the same company as the channel it was', async () => {
    const { channelUuid } = await connect();
    const mark = await space.mark();
    await disconnectChannel(space.app, { channelUuid }, admin);
    await disconnectChannel(space.app, { channelUuid }, admin);
    expect(await typesSince(mark)).to.deep.equal(['ChannelDisconnected', 'IdentityReleased']);
    const again = await connect();
    expect(again.channelUuid).to.equal(channelUuid);
    expect(await typesSince(mark)).to.deep.equal([
      'ChannelDisconnected',
      'IdentityReleased',
      'IdentityClaimed',
      'ChannelReconnected',
      'ChannelHealthReported',
    ]);
    expect((await channelDoc(channelUuid)).status).to.equal('connected');
    expect((await checkChannel(space.app, { channelUuid }, admin)).changed).to.equal(false);
  });

  it('gives it back to who had it before, also after another company had it in between', async () => {
    const other = (await registerCompany(space.app, { name: 'Outra' }, admin)).companyUuid;
    const first = await connect();
    await disconnectChannel(space.app, first, admin);
    const second = await connect(other);
    await disconnectChannel(space.app, second, admin);
    expect((await connect()).channelUuid).to.equal(first.channelUuid);
    expect((await channelDoc(second.channelUuid)).status).to.equal('disconnected');
    await disconnectChannel(space.app, first, admin);
    expect((await connect(other)).channelUuid).to.equal(second.channelUuid);
  });

  const mistakes: readonly (readonly [string, Partial<typeof SANDBOX_NUMBER>, string, RegExp])[] = [
    ['a wrong token', { accessToken: 'EXPIRED-1' }, 'access_token', /does not accept this access token/],
    ['an unknown number', { phoneNumberId: '999' }, 'phone_number_id', /no phone number with this id/],
    ['an unknown account', { wabaId: '999' }, 'waba_id', /no WhatsApp Business Account with this id/],
    ['another account', { wabaId: '555' }, 'waba_id', /belongs to another WhatsApp Business Account/],
  ];
  for (const [what, mistake, path, sentence] of mistakes) {
    it(`says what is wrong with ${what}, and writes nothing`, async () => {
      const [number] = space.sandbox.phoneNumbers;
      space.sandbox.putPhoneNumber({ ...number!, id: '777', wabaId: '555' });
      const mark = await space.mark();
      const input = { companyUuid, ...SANDBOX_NUMBER, ...mistake };
      const refusal = await refusalOf(connectChannel(space.app, input, admin));
      expect(refusal.code).to.equal('provider_rejected');
      expect((refusal.details['fields'] as { path: string }[])[0]!.path).to.equal(path);
      expect(refusal.message).to.match(sentence);
      expect(await typesSince(mark)).to.deep.equal([]);
    });
  }

  it('names the permissions that a token lacks', async () => {
    const provider = { ...space.app.provider };
    const error = { code: 200, title: 'Permissions error', details: null, traceId: null };
    provider.phoneNumber = async () => ({
      ok: false,
      error: { ...error, httpStatus: 403, retryAfterSeconds: null },
      reason: error.title,
    });
    const call = connectChannel({ ...space.app, provider }, { companyUuid, ...SANDBOX_NUMBER }, admin);
    expect((await refusalOf(call)).message).to.match(/needs whatsapp_business_messaging and/);
  });

  it('writes nothing when WhatsApp refuses the token', async () => {
    const mark = await space.mark();
    const input = { companyUuid, ...SANDBOX_NUMBER, accessToken: 'EXPIRED-1' };
    const refusal = await refusalOf(connectChannel(space.app, input, admin));
    expect(refusal.code).to.equal('provider_rejected');
    expect(refusal.details['provider']).to.deep.include({ code: 190 });
    expect(refusal.message).to.not.include('EXPIRED-1');
    expect(await typesSince(mark)).to.deep.equal([]);
  });

  it('keeps the old token when WhatsApp refuses the new one', async () => {
    const { channelUuid } = await connect();
    const replace = (accessToken: string) =>
      replaceChannelToken(space.app, { channelUuid, accessToken }, admin);
    expect((await refusalOf(replace('EXPIRED'))).code).to.equal('provider_rejected');
    const mark = await space.mark();
    await replace('fresh');
    await replace('fresh');
    expect(await typesSince(mark)).to.deep.equal(['ChannelTokenReplaced']);
    const { state } = await space.app.executor.load(channelAggregate, channelUuid);
    expect(space.app.secrets.open(state.accessTokenSealed, 'channel-token')).to.equal('fresh');
  });

  it('records a change of the number, once', async () => {
    const { channelUuid } = await connect();
    space.sandbox.setPhoneNumber(SANDBOX_NUMBER.phoneNumberId, { qualityRating: 'RED' });
    const mark = await space.mark();
    expect((await checkChannel(space.app, { channelUuid }, admin)).changed).to.equal(true);
    expect((await checkChannel(space.app, { channelUuid }, admin)).changed).to.equal(false);
    expect(await typesSince(mark)).to.deep.equal(['ChannelHealthReported']);
    expect((await channelDoc(channelUuid)).quality_rating).to.equal('RED');
  });

  it('does not bring a disconnected channel back to life by a check, a token or a sync', async () => {
    const { channelUuid } = await connect();
    await disconnectChannel(space.app, { channelUuid }, admin);
    const calls = [
      checkChannel(space.app, { channelUuid }, admin),
      replaceChannelToken(space.app, { channelUuid, accessToken: 'x' }, admin),
      syncTemplates(space.app, { channelUuid }, admin),
    ];
    for (const call of calls) expect((await refusalOf(call)).code).to.equal('channel_not_connected');
    expect((await channelDoc(channelUuid)).status).to.equal('disconnected');
  });

  describe('template sync', () => {
    const sync = (channelUuid: string) => syncTemplates(space.app, { channelUuid }, admin);
    const find = async (name: string): Promise<readonly TemplateDoc[]> =>
      (
        await space.app.readModels.find(templates.name, {
          index: 'by_company',
          equals: [companyUuid, name],
          order: 'asc',
          limit: 10,
        })
      ).documents.map(({ doc }) => doc);

    it('brings over every template, whatever its status, and nothing twice', async () => {
      const { channelUuid } = await connect();
      const first = await sync(channelUuid);
      const total = space.sandbox.templates.length;
      expect(first).to.deep.include({ total, imported: total, changed: 0, unchanged: 0, removed: 0 });
      expect((await find('order_confirmation')).map(({ language }) => language)).to.deep.equal([
        'en_US',
        'pt_BR',
      ]);
      expect((await find('flash_sale'))[0]).to.deep.include({ status: 'PAUSED', category: 'MARKETING' });
      const mark = await space.mark();
      expect(await sync(channelUuid)).to.deep.include({
        imported: 0,
        changed: 0,
        unchanged: total,
        removed: 0,
      });
      expect(await space.eventsSince(mark)).to.deep.equal([]);
    });

    it('follows changes, whatever the provider calls them', async () => {
      const { channelUuid } = await connect();
      await sync(channelUuid);
      const weekly = { name: 'weekly_offers', language: 'pt_BR' };
      space.sandbox.setTemplateStatus({ ...weekly, status: 'PAUSED' });
      space.sandbox.setTemplateStatus({ name: 'lucky_draw', language: 'pt_BR', status: 'PENDING_DELETION' });
      space.sandbox.setTemplateStatus({ name: 'flash_sale', language: 'pt_BR', status: 'ARCHIVED' });
      expect(await sync(channelUuid)).to.deep.include({ imported: 0, changed: 3, removed: 0 });
      expect((await find('weekly_offers'))[0]!.status).to.equal('PAUSED');
      expect((await find('flash_sale'))[0]!.status).to.equal('DISABLED');
      expect((await find('flash_sale'))[0]!.provider_status).to.equal('ARCHIVED');
      expect((await find('lucky_draw'))[0]).to.deep.include({
        status: 'DISABLED',
        provider_status: 'PENDING_DELETION',
        removed_at: null,
      });
      expect(await sync(channelUuid)).to.deep.include({ changed: 0, removed: 0 });
    });

    it('removes nothing when the list could not be read to its end', async () => {
      const { channelUuid } = await connect();
      await sync(channelUuid);
      const provider = { ...space.app.provider };
      let page = 0;
      provider.listTemplates = async () => {
        page += 1;
        return page === 1
          ? { ok: true, value: { templates: [], next: 'more' } }
          : { ok: false, error: null, reason: 'connection refused' };
      };
      const mark = await space.mark();
      const refusal = await refusalOf(syncTemplates({ ...space.app, provider }, { channelUuid }, admin));
      expect(refusal.code).to.equal('provider_unavailable');
      expect(await space.eventsSince(mark)).to.deep.equal([]);
    });
  });
});
