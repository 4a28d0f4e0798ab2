/** A gate that closes between acceptance and the first attempt ends the operation with the gate's code, and nothing is sent. */
import { expect } from 'chai';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import { templateAggregate, type TemplateCommand } from '../../../domain/template/decide.js';
import { makeApi } from '../../support/api/make-api.js';
import { HOUR, makeSendWorld } from '../../support/sends/send-world.js';
import { refusalOf } from '../provisioning/workspace.js';
import { opened, openedForEach } from '../../support/opened.js';

describe('gates of template sends that close after acceptance', () => {
  const api = opened(makeApi);
  const w = openedForEach(() => makeSendWorld(api));

  const tell = (template: string, command: TemplateCommand) =>
    w.app.executor.execute(templateAggregate, w.templates.get(template)!, command, w.context());
  const pauseUntil = (at: number) =>
    w.app.executor.execute(
      channelControlsAggregate,
      w.world.channel,
      {
        type: 'PauseMarketing',
        code: 131048,
        operationUuid: w.app.newId(),
        until: new Date(at).toISOString(),
      },
      w.context(),
    );
  const health = (providerStatus: string | null, qualityRating: string | null) =>
    w.app.executor.execute(
      channelAggregate,
      w.world.channel,
      {
        type: 'ReportChannelHealth',
        providerStatus,
        qualityRating,
        verifiedName: null,
        phoneNumber: null,
        throughputLevel: null,
      },
      w.context(),
    );
  const optOut = async (phone: string) => {
    const contact = await w.resolve(phone);
    const at = new Date(w.time.now).toISOString();
    const command = { type: 'OptOut', source: 'manual', at, messageUuid: null } as const;
    await w.app.executor.execute(contactAggregate, contact.uuid, command, w.context(contact.subject));
  };

  const closings: readonly (readonly [string, string, string, (phone: string) => Promise<unknown>])[] = [
    [
      'WhatsApp paused the template',
      'order',
      'template_quality_blocked',
      () => tell('order', { type: 'ReportTemplate', status: 'PAUSED' }),
    ],
    [
      'WhatsApp disabled the template',
      'order',
      'template_sends_disabled',
      () => tell('order', { type: 'ReportTemplate', status: 'DISABLED' }),
    ],
    [
      'WhatsApp rejected the template',
      'order',
      'template_not_approved',
      () => tell('order', { type: 'ReportTemplate', status: 'REJECTED' }),
    ],
    [
      'the template was removed',
      'order',
      'template_not_approved',
      () => tell('order', { type: 'RemoveTemplate' }),
    ],
    ['the recipient opted out', 'promo_1', 'recipient_opted_out', optOut],
    [
      'WhatsApp paused the marketing of the channel',
      'promo_1',
      'channel_marketing_paused',
      () => pauseUntil(w.time.now + HOUR),
    ],
    [
      'the quality of the channel fell to RED',
      'promo_1',
      'channel_marketing_paused',
      () => health(null, 'RED'),
    ],
    ['WhatsApp flagged the number', 'promo_1', 'channel_marketing_paused', () => health('FLAGGED', null)],
  ];
  for (const [name, template, code, close] of closings) {
    it(`${name}: ${code}`, async () => {
      const phone = w.somebody();
      const waiting = await w.accept(phone, template);
      await close(phone);
      await w.attempt(waiting);
      expect(await w.outcome(waiting)).to.equal(code);
      expect(w.provider.calls).to.equal(0);
    });
  }

  it('marketing goes again once the pause has ended, to the second', async () => {
    const until = w.time.now + HOUR;
    await pauseUntil(until);
    w.time.now = until - 1_000;
    const closed = await refusalOf(w.accept(w.somebody(), 'promo_1'));
    expect(closed.code).to.equal('channel_marketing_paused');
    expect(closed.details).to.include({ retry_after_seconds: 1 });
    w.time.now = until;
    expect(await w.outcome(await w.send(w.somebody(), 'promo_1'))).to.equal('succeeded');
  });

  it('of two that were accepted under a cap of one the second finds no room', async () => {
    await w.settings({ perDay: 1 });
    const first = await w.accept(w.somebody(), 'promo_1');
    const second = await w.accept(w.somebody(), 'promo_1');
    await w.attempt(first);
    await w.attempt(second);
    expect([await w.outcome(first), await w.outcome(second)]).to.deep.equal([
      'succeeded',
      'company_daily_marketing_cap_exceeded',
    ]);
    expect(w.provider.calls).to.equal(1);
  });
});
