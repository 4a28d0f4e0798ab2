/** A flow's message is accepted under the rules of POST /messages, and once, even if things changed before a repeat. */
import { expect } from 'chai';
import { directCommand, type App } from '../../../application/app.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { subjectOf } from '../../../application/people/subject.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { changeMarketingSettings } from '../../../application/provisioning/companies.js';
import { eraseContact } from '../../../application/provisioning/erase-contact.js';
import { acceptFlowSend } from '../../../application/send/accept-flow-send.js';
import type { FlowSend } from '../../../application/send/compose-flow-send.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { phoneKey } from '../../../domain/policies/phone.js';
import { webhookCollections } from '../../../workers/webhooks/documents.js';
import { ask } from '../../support/api/client.js';
import { makeApi } from '../../support/api/make-api.js';
import { addTemplate, disconnectChannel, makeWorld, type World } from '../../support/api/world.js';
import { refusalOf } from '../provisioning/workspace.js';
import { accepted, fakeProvider, rejected } from '../../support/fakes/provider.js';
import { opened } from '../../support/opened.js';
import { attempt, eventsOf } from '../../support/sends/attempt.js';

const OI: FlowSend = { type: 'text', text: 'Oi', previewUrl: false };
const template = (name: string, parameters: readonly string[] = ['Ana', '881']): FlowSend => ({
  type: 'template',
  content: { name, language: 'pt_BR', parameters },
});

describe('accepting what a flow sends', function () {
  this.timeout(120_000);
  let app: App;
  let world: World;
  let people = 0;
  const provider = fakeProvider();

  const api = opened(makeApi);
  before(async () => {
    app = { ...api.app, provider: provider.port };
    for (const spec of webhookCollections) await app.readModels.define(spec);
    world = await makeWorld(app);
    await addTemplate(app, world, { name: 'pedido' });
    await addTemplate(app, world, { name: 'ofertas', category: 'MARKETING' });
  });
  beforeEach(() => void (provider.sent.length = 0));

  const context = (subject: string | null = null) =>
    directCommand(app, { company: world.company, actor: 'worker:flows' }, subject);
  const person = (
    who: { readonly phone?: string; readonly userId?: string } = {},
  ): Promise<ResolvedContact> => {
    people += 1;
    const phone = who.userId === undefined ? (who.phone ?? `+55119${String(people).padStart(8, '7')}`) : null;
    const key = phone === null ? null : phoneKey(phone);
    return resolveContact(
      app,
      world.company,
      { phone, phoneKey: key, waUserId: who.userId ?? null, name: null },
      'inbound',
      context(),
    );
  };

  interface Wanted {
    readonly operationUuid?: string;
    readonly executionUuid?: string;
    readonly channelUuid?: string;
    readonly send?: FlowSend;
  }
  const input = (contact: ResolvedContact, wanted: Wanted = {}) => ({
    operationUuid: app.newId(),
    executionUuid: app.newId(),
    companyUuid: world.company,
    integrationUuid: null,
    channelUuid: world.channel,
    contact,
    send: OI,
    ...wanted,
  });
  const acceptedAs = async (uuid: string) =>
    (await app.executor.load(operationAggregate, uuid)).state.accepted;
  it('is one operation that names execution and contact, and is counted by the phone as POST /messages is', async () => {
    const contact = await person();
    const wanted = input(contact);
    await acceptFlowSend(app, wanted, context());
    const { phone } = contact.contact;
    const event = await acceptedAs(wanted.operationUuid);
    expect(event).to.deep.include({
      company_uuid: world.company,
      integration_uuid: null,
      execution_uuid: wanted.executionUuid,
      channel_uuid: world.channel,
      contact_uuid: contact.uuid,
      subject: subjectOf(app.indexSecret, world.company, phoneKey(phone!)),
      phone,
      external_id: null,
      message_type: 'text',
      content: { text: 'Oi', preview_url: false },
      text: 'Oi',
      template_uuid: null,
    });
    const { key } = world;
    const shown = await ask(api, 'GET', `/operations/${wanted.operationUuid}`, { key });
    expect(shown.body.data).to.include({ type: 'message.send', status: 'queued' });
  });

  it('again is the same operation, with the words of the first time', async () => {
    const contact = await person();
    const wanted = input(contact);
    const same = context();
    await acceptFlowSend(app, wanted, same);
    await acceptFlowSend(app, wanted, same);
    await acceptFlowSend(app, { ...wanted, send: { ...OI, text: 'Outra coisa' } }, context());
    // These would be refused now, but the operation was accepted by the first call.
    await acceptFlowSend(app, { ...wanted, send: { ...OI, text: '' } }, context());
    await acceptFlowSend(app, { ...wanted, send: template('nao_ha') }, context());
    await acceptFlowSend(app, { ...wanted, channelUuid: app.newId() }, context());
    expect(await eventsOf(app, wanted.operationUuid)).to.deep.equal(['SendAccepted']);
    expect((await acceptedAs(wanted.operationUuid))?.text).to.equal('Oi');
  });

  it('of two at once one is written', async () => {
    const wanted = input(await person());
    const all = Array.from({ length: 8 }, (_, n) =>
      acceptFlowSend(app, { ...wanted, send: { ...OI, text: `Oi ${n}` } }, context()),
    );
    await Promise.all(all);
    expect(await eventsOf(app, wanted.operationUuid)).to.deep.equal(['SendAccepted']);
  });

  it('is not another execution\u2019s', async () => {
    const wanted = input(await person());
    await acceptFlowSend(app, wanted, context());
    const other = { ...wanted, executionUuid: app.newId() };
    const refusal = await refusalOf(acceptFlowSend(app, other, context()));
    expect(refusal.code).to.equal('idempotency_key_reused');
    const wrong = { ...other, send: { ...OI, text: '' } };
    expect((await refusalOf(acceptFlowSend(app, wrong, context()))).code).to.equal('validation_failed');
  });

  it('is refused as POST /messages is, and then there is no operation', async () => {
    const contact = await person();
    const another = await makeWorld(app, 'Outra');
    const closed = await makeWorld(app, 'Fechada');
    await disconnectChannel(app, closed, closed.channel);
    const cases: readonly [Wanted & { readonly companyUuid?: string }, string][] = [
      [{ channelUuid: another.channel }, 'channel_not_found'],
      [{ channelUuid: closed.channel, companyUuid: closed.company }, 'channel_not_connected'],
      [{ send: template('nao_ha') }, 'template_not_found'],
      [{ send: template('pedido', ['Ana']) }, 'template_parameters_invalid'],
      [{ send: template('ofertas') }, 'marketing_sends_disabled'],
      [{ send: { ...OI, text: 'x'.repeat(4_097) } }, 'validation_failed'],
    ];
    for (const [over, code] of cases) {
      const wanted = input(contact, over);
      expect((await refusalOf(acceptFlowSend(app, wanted, context()))).code).to.equal(code);
      expect(await eventsOf(app, wanted.operationUuid), code).to.deep.equal([]);
    }
  });

  describe('the gates of templates', () => {
    const marketing = (enabled: boolean) =>
      changeMarketingSettings(app, { companyUuid: world.company, settings: { enabled } }, { actor: 'test' });
    before(() => marketing(true));
    after(() => marketing(false));

    it('know who somebody without a phone is: slots are taken, and given back when it comes to nothing', async () => {
      const contact = await person({ userId: `BR.${app.newId()}` });
      const send = template('ofertas');
      provider.answer = () => rejected(131026);
      const lost = input(contact, { send });
      await acceptFlowSend(app, lost, context());
      await attempt(app, lost.operationUuid);
      expect((await app.executor.load(operationAggregate, lost.operationUuid)).state.phase).to.equal(
        'failed',
      );
      provider.answer = () => accepted();
      const first = input(contact, { send });
      await acceptFlowSend(app, first, context());
      await attempt(app, first.operationUuid);
      const refusal = await refusalOf(acceptFlowSend(app, input(contact, { send }), context()));
      expect(refusal.code).to.equal('duplicate_template_send');
      expect(refusal.details['earlier_events']).to.have.nested.property(
        '[0].operation_uuid',
        first.operationUuid,
      );
      // Repeating the send that closes the gate is no duplicate: its operation is known to be accepted.
      await acceptFlowSend(app, { ...first, send: template('ofertas', ['Bia', '882']) }, context());
    });

    it('keep out who has opted out', async () => {
      const contact = await person({ userId: `BR.${app.newId()}` });
      const at = new Date().toISOString();
      await app.executor.execute(
        contactAggregate,
        contact.uuid,
        { type: 'OptOut', source: 'manual', at, messageUuid: null },
        context(contact.subject),
      );
      const wanted = input(contact, { send: template('ofertas') });
      expect((await refusalOf(acceptFlowSend(app, wanted, context()))).code).to.equal('recipient_opted_out');
    });

    it('see the identical message that POST /messages has sent to the phone', async () => {
      // The contact was created by user id and its phone was learned later. Both messages go to the phone.
      const waUserId = `BR.${app.newId()}`;
      await person({ userId: waUserId });
      const phone = '+5511966665555';
      const both = { phone, phoneKey: phoneKey(phone), waUserId, name: null };
      const contact = await resolveContact(app, world.company, both, 'inbound', context());
      expect(contact.subject).to.not.equal(subjectOf(app.indexSecret, world.company, phoneKey(phone)));
      const { key } = world;
      const content = { name: 'pedido', language: 'pt_BR', parameters: ['Ana', '881'] };
      const sent = await ask(api, 'POST', '/messages', {
        key,
        json: { recipient: { phone }, type: 'template', content },
        headers: { 'idempotency-key': app.newId() },
      });
      expect(sent.status, sent.text).to.equal(202);
      const earlier = String((sent.body.data as Record<string, unknown>)['uuid']);
      await attempt(app, earlier);
      const refusal = await refusalOf(
        acceptFlowSend(app, input(contact, { send: template('pedido') }), context()),
      );
      expect(refusal.code).to.equal('duplicate_template_send');
      await acceptFlowSend(app, input(contact, { send: template('pedido', ['Ana', '882']) }), context());
    });
  });

  it('to somebody without a phone goes to their user id, past the gates of who they are', async () => {
    const contact = await person({ userId: `BR.${app.newId()}` });
    const wanted = input(contact);
    await acceptFlowSend(app, wanted, context());
    expect(await acceptedAs(wanted.operationUuid)).to.include({ phone: null, subject: contact.subject });
    await attempt(app, wanted.operationUuid);
    expect(provider.sent.map(({ to }) => to)).to.deep.equal([{ userId: contact.contact.waUserId }]);
    const waId = '5511900001111';
    await app.executor.execute(
      contactAggregate,
      contact.uuid,
      { type: 'LearnWaId', channelUuid: world.channel, waId },
      context(contact.subject),
    );
    const second = input(contact);
    await acceptFlowSend(app, second, context());
    await attempt(app, second.operationUuid);
    expect(provider.sent[1]!.to).to.deep.equal({ waId });
  });

  it('goes to the one who goes on when the contact was merged meanwhile', async () => {
    const older = await person();
    const contact = await person({ userId: `BR.${app.newId()}` });
    const wanted = input(contact);
    await acceptFlowSend(app, wanted, context());
    await mergeContacts(app, world.company, [older.uuid, contact.uuid], 'manual', context());
    await attempt(app, wanted.operationUuid);
    const { state } = await app.executor.load(operationAggregate, wanted.operationUuid);
    expect([state.phase, state.contactUuid]).to.deep.equal(['succeeded', older.uuid]);
    expect(provider.sent.map(({ to }) => to)).to.deep.equal([{ phone: older.contact.phone }]);
  });

  it('ends as recipient_erased when the person was erased, before and after', async () => {
    for (const contact of [await person(), await person({ userId: `BR.${app.newId()}` })]) {
      const wanted = input(contact);
      await acceptFlowSend(app, wanted, context());
      await eraseContact(app, { contactUuid: contact.uuid }, { actor: 'test' });
      await attempt(app, wanted.operationUuid);
      const { state } = await app.executor.load(operationAggregate, wanted.operationUuid);
      expect([state.phase, state.failureCode]).to.deep.equal(['failed', 'recipient_erased']);
      const { state: gone } = await app.executor.load(contactAggregate, contact.uuid);
      const late = input({ ...contact, contact: gone });
      expect((await refusalOf(acceptFlowSend(app, late, context()))).code).to.equal('recipient_erased');
      expect(await eventsOf(app, late.operationUuid)).to.deep.equal([]);
    }
    expect(provider.sent).to.deep.equal([]);
  });
});
