/** Numbers and templates without any request: polls, scheduled syncs, single fetches. Tests move the clock. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { connectChannel, disconnectChannel } from '../../../application/provisioning/channels.js';
import { registerCompany } from '../../../application/provisioning/companies.js';
import { templateId } from '../../../application/templates/import.js';
import { readProgress } from '../../../application/templates/progress.js';
import { REFRESH_QUEUE, requestRefresh } from '../../../application/templates/refresh.js';
import { syncTemplates } from '../../../application/templates/sync.js';
import type { Provider, ProviderPhoneNumber, ProviderRead } from '../../../ports/provider.js';
import { channels, type ChannelDoc } from '../../../read-models/channels.js';
import { templates as templateModel, type TemplateDoc } from '../../../read-models/templates.js';
import type { Rounds } from '../../../workers/kernel/every.js';
import { startChannelHealth } from '../../../workers/channels/health.js';
import { startTemplateRefresh } from '../../../workers/channels/template-refresh.js';
import { startTemplateSchedule } from '../../../workers/channels/template-schedule.js';
import { admin, openWorkspace, SANDBOX_NUMBER } from '../../application/provisioning/workspace.js';
import { eventually } from '../../support/e2e/eventually.js';
import { manualClock, type ManualClock } from '../../support/fakes/manual-clock.js';
import { openedForEach } from '../../support/opened.js';
import { providerError } from '../../support/fakes/provider.js';

const MINUTE = 60_000;
const { wabaId } = SANDBOX_NUMBER;

const refused: ProviderRead<never> = {
  ok: false,
  error: providerError(190, { title: 'Access token has expired', httpStatus: 401 }),
  reason: 'Access token has expired',
};
const away: ProviderRead<never> = { ok: false, error: null, reason: 'connection refused' };

describe('looking after channels', () => {
  let companyUuid: string;
  let channelUuid: string;
  let clock: ManualClock;
  let app: App;
  let rounds: Rounds;
  /** When WhatsApp was asked for the number, in minutes since the start. */
  let asked: number[];
  let listed: (string | undefined)[];
  let number: ProviderRead<ProviderPhoneNumber>;
  let templates: Awaited<ReturnType<Provider['listTemplates']>>;

  afterEach(() => rounds.stop());
  const space = openedForEach(openWorkspace);
  beforeEach(async () => {
    ({ companyUuid } = await registerCompany(space.app, { name: 'Loja' }, admin));
    ({ channelUuid } = await connectChannel(space.app, { companyUuid, ...SANDBOX_NUMBER }, admin));
    const start = Date.now();
    clock = manualClock(start);
    asked = [];
    listed = [];
    const { provider } = space.app;
    const credentials = SANDBOX_NUMBER;
    number = await provider.phoneNumber(credentials);
    templates = await provider.listTemplates(credentials, null);
    app = {
      ...space.app,
      clock,
      provider: {
        ...provider,
        phoneNumber: async () => {
          asked.push(Math.round((clock.now() - start) / MINUTE));
          return number;
        },
        listTemplates: async (_credentials, _after, name) => {
          listed.push(name);
          return templates;
        },
      },
    };
  });

  /** Advances minute by minute: the next round is scheduled only when the one before has ended. */
  async function pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      await clock.advance(MINUTE);
      await eventually(() => clock.pending() > 0);
    }
  }
  const doc = async (): Promise<ChannelDoc> =>
    (await space.app.readModels.get(channels.name, channelUuid))!.doc;
  const report = (change: Partial<ProviderPhoneNumber>): void => {
    if (number.ok) number = { ok: true, value: { ...number.value, ...change } };
  };

  describe('health', () => {
    const start = (): void => {
      rounds = startChannelHealth(app, { tickMs: MINUTE, random: () => 0.5 });
    };

    it('is asked for seldom while all is well, often while it is not', async () => {
      start();
      await pass(24);
      expect(asked).to.deep.equal([9, 24]);
      report({ qualityRating: 'RED' });
      await pass(20);
      expect((await doc()).quality_rating).to.equal('RED');
      expect(asked).to.deep.equal([9, 24, 39, 41, 43]);
      report({ qualityRating: 'GREEN' });
      asked.length = 0;
      await pass(20);
      expect((await doc()).quality_rating).to.equal('GREEN');
      expect(asked).to.deep.equal([45, 47, 62]);
    });

    it('a refused token is believed the second time, and forgotten with the first answer', async () => {
      start();
      number = refused;
      await pass(9);
      expect(asked).to.deep.equal([9]);
      expect((await doc()).status).to.equal('connected');
      await pass(1);
      expect(await doc()).to.deep.include({
        status: 'unauthorized',
        access_refused: { reason: 'token', code: 190, title: 'Access token has expired' },
      });
      number = await space.app.provider.phoneNumber(SANDBOX_NUMBER);
      await pass(3);
      expect(await doc()).to.deep.include({ status: 'connected', access_refused: null });
    });

    it('of a refusal that is gone the next time nothing is recorded', async () => {
      start();
      const mark = await space.mark();
      const fine = number;
      number = refused;
      await pass(9);
      number = fine;
      await pass(1);
      number = refused;
      await pass(15);
      expect(asked).to.deep.equal([9, 10, 25]);
      expect(await space.eventsSince(mark)).to.deep.equal([]);
    });

    it('of a channel that the operator took off is not asked for', async () => {
      await disconnectChannel(space.app, { channelUuid }, admin);
      start();
      await pass(20);
      expect(asked).to.deep.equal([]);
      expect((await doc()).status).to.equal('disconnected');
    });

    it('is asked for again while WhatsApp can not be reached', async () => {
      start();
      number = away;
      await pass(13);
      expect(asked).to.deep.equal([9, 11, 13]);
      expect((await doc()).status).to.equal('connected');
    });
  });

  describe('template syncs', () => {
    const start = (): void => {
      rounds = startTemplateSchedule(app, { tickMs: MINUTE, everyMs: 60 * MINUTE });
    };
    const progress = async () => (await readProgress(space.app.readModels, companyUuid, wabaId))?.doc;

    it('bring a new account over at once, and come back from time to time', async () => {
      start();
      await pass(1);
      expect(await progress()).to.include({ state: 'finished', expected: space.sandbox.templates.length });
      expect(listed).to.have.length(1);
      await pass(50);
      expect(listed).to.have.length(1);
      await pass(20);
      expect(listed).to.have.length(2);
    });

    it('take up one that broke off, sooner than the next would come', async () => {
      templates = away;
      start();
      await pass(1);
      expect((await progress())!.state).to.equal('failed');
      templates = await space.app.provider.listTemplates(SANDBOX_NUMBER, null);
      await pass(11);
      expect((await progress())!.state).to.equal('finished');
    });

    it('leave accounts alone whose token is refused, or that were taken off', async () => {
      await disconnectChannel(space.app, { channelUuid }, admin);
      start();
      await pass(3);
      expect(listed).to.deep.equal([]);
    });
  });

  describe('single templates', () => {
    const name = 'order_confirmation';
    const order = () => ({ company_uuid: companyUuid, waba_id: wabaId, name });
    const template = async (): Promise<TemplateDoc> =>
      (await space.app.readModels.get(templateModel.name, templateId(companyUuid, wabaId, name, 'pt_BR')))!
        .doc;
    beforeEach(async () => {
      await syncTemplates(space.app, { channelUuid }, admin);
      if (templates.ok) {
        const paused = templates.value.templates.map((t) => ({ ...t, status: 'PAUSED' }));
        templates = { ok: true, value: { templates: paused, next: null } };
      }
      rounds = startTemplateRefresh(app, { tickMs: MINUTE });
    });

    it('are fetched once for any number of hints', async () => {
      for (let hint = 0; hint < 5; hint += 1) await requestRefresh(app, order());
      await pass(2);
      expect(listed).to.deep.equal([name]);
      expect((await template()).status).to.equal('PAUSED');
      expect(await app.dueTimes.count(REFRESH_QUEUE)).to.equal(0);
    });

    it('are fetched later when WhatsApp can not be reached', async () => {
      const there = templates;
      templates = away;
      await requestRefresh(app, order());
      await pass(1);
      expect(await app.dueTimes.count(REFRESH_QUEUE)).to.equal(1);
      templates = there;
      await pass(2);
      expect((await template()).status).to.equal('PAUSED');
      expect(await app.dueTimes.count(REFRESH_QUEUE)).to.equal(0);
    });
  });
});
