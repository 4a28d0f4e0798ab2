/** Checks that every send passes before it is accepted. Tests set the stream states. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { subjectOf } from '../../../application/people/subject.js';
import { acceptFlowSend, type AcceptFlowSendInput } from '../../../application/send/accept-flow-send.js';
import { acceptSend, type MessageRequest } from '../../../application/send/accept.js';
import { checkSend } from '../../../application/send/check-send.js';
import { freeForm, type ComposedMessage } from '../../../application/send/compose.js';
import { identicalLedger, templateKey } from '../../../application/send/quotas.js';
import type { CommandContext } from '../../../application/execute.js';
import type { ChannelRestriction } from '../../../domain/channel/state.js';
import { initialContact, type Contact } from '../../../domain/contact/state.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';
import { parsePhone } from '../../../domain/policies/phone.js';
import { recordedCommands } from '../../support/fakes/loaded-states.js';
import { manualClock } from '../../support/fakes/manual-clock.js';
import { START, StoreUnavailable } from '../../../ports/event-store.js';
import { upTo } from '../../../workers/kernel/up-to.js';
import { refusalOf } from '../provisioning/workspace.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const PHONE = '+5511987650001';

type Given = Readonly<Record<string, unknown>> & { readonly type: string };

function world(restrictions: readonly ChannelRestriction[] = []) {
  const { given: commands, ...streams } = recordedCommands<Given>(() => ({ events: [{}], state: {} }));
  const channel = {
    uuid: 'channel',
    company_uuid: 'company',
    waba_id: 'waba',
    status: 'connected',
    restrictions,
  };
  const first = { data: null as Readonly<Record<string, unknown>> | null };
  const app = {
    clock: { now: () => NOW },
    settings: { pacingWindowMs: 900_000 },
    newId: () => 'id',
    indexSecret: Buffer.from('secret'),
    executor: streams.executor,
    barrier: { mayLag: () => false },
    store: { read: async () => (first.data === null ? [] : [{ data: first.data }]) },
    readModels: {
      get: async (collection: string, id: string) =>
        collection === 'channels' ? (id === 'channel' ? { doc: channel } : undefined) : { doc: { uuid: id } },
      find: async () => ({ documents: [] }),
    },
  } as unknown as App;
  return {
    ...streams,
    app,
    commands,
    /** Sets the data of the first event in the operation's stream. */
    accepted: (data: Readonly<Record<string, unknown>>): void => void (first.data = data),
  };
}
const RESTRICTED = {
  type: 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING',
  expires_at: null,
};

describe('a send that is checked', () => {
  const send = {
    companyUuid: 'company',
    channelUuid: 'channel',
    subject: 'person',
    addressee: { contactUuid: 'ana' },
    messageType: 'text',
  } as const;

  it('is composed only where its channel may send such a message', async () => {
    const { app } = world([RESTRICTED]);
    const none = (): never => expect.fail('it was composed');
    const { code, details } = await refusalOf(checkSend(app, send, none));
    expect([code, details['capability']]).to.deep.equal(['channel_not_connected', 'send_text']);
    const template = freeForm('template', {}, null);
    const passed = await checkSend(app, { ...send, messageType: 'template' }, () => template);
    expect(passed.composed).to.equal(template);
    expect(passed.channel.uuid).to.equal('channel');
  });

  describe('whose channel is remembered', () => {
    /** A process that may lag, and remembers each answer. */
    function remembering(passed = (shown: boolean) => Promise.resolve(shown)) {
      const { app } = world();
      const channel = { uuid: 'channel', company_uuid: 'company', status: 'connected', restrictions: [] };
      const clock = manualClock();
      const state = { reads: 0, shown: true, channel: { ...channel, restrictions: [] as unknown[] } };
      const answers = new Map<string, Promise<object>>();
      const get = async () => {
        state.reads += 1;
        return { doc: { ...state.channel } };
      };
      const barrier = {
        mayLag: () => true,
        passed: (): Promise<boolean> => passed(state.shown),
        guards: () => true,
        wait: async () => undefined,
        remembered: (model: string, key: string, read: () => Promise<object>) => {
          const answer = answers.get(`${model} ${key}`) ?? read();
          answers.set(`${model} ${key}`, answer);
          return answer;
        },
      };
      const lagging = { ...app, barrier, clock, readModels: { ...app.readModels, get } } as unknown as App;
      const checkBy = (app: App) => checkSend(app, send, () => freeForm('text', {}, null));
      const check = () => checkBy(lagging);
      /** As a worker checks a send of a flow: its own reads of channels are remembered too. */
      const checkByWorker = () => checkBy(upTo(lagging, START));
      return { state, clock, check, checkByWorker };
    }

    it('reads it once', async () => {
      const { state, check } = remembering();
      expect((await check()).channel.uuid).to.equal('channel');
      await check();
      expect(state.reads).to.equal(1);
    });

    it('reads it once for a worker, and waits for nobody', async () => {
      const { state, check, checkByWorker } = remembering();
      await checkByWorker();
      await checkByWorker();
      await check();
      expect(state.reads).to.equal(1);
    });

    it('reads it each time where channels lag', async () => {
      const { state, check } = remembering();
      state.shown = false;
      await check();
      await check();
      expect(state.reads).to.equal(2);
    });

    for (const [what, passed] of [
      ['does not answer', () => new Promise<boolean>(() => undefined)],
      ['is away', () => Promise.reject(new StoreUnavailable('gone'))],
    ] as const) {
      it(`reads it, and waits no longer, where the history ${what}`, async () => {
        const { state, clock, check } = remembering(passed);
        const checked = check();
        await clock.advance(100);
        expect((await checked).channel.uuid).to.equal('channel');
        expect([state.reads, clock.pending()]).to.deep.equal([1, 0]);
      });
    }

    it('is refused only by what is stored', async () => {
      const { state, check } = remembering();
      for (const [was, is] of [
        [{ status: 'banned' }, { status: 'connected' }],
        [{ restrictions: [RESTRICTED] }, { restrictions: [] }],
      ]) {
        const fresh = remembering();
        Object.assign(fresh.state.channel, was);
        expect((await refusalOf(fresh.check())).code).to.equal('channel_not_connected');
        Object.assign(fresh.state.channel, is);
        expect((await fresh.check()).channel.uuid).to.equal('channel');
      }
      expect(state.reads).to.equal(0);
      state.channel.company_uuid = 'theirs';
      expect((await refusalOf(check())).code).to.equal('channel_not_found');
      expect(state.reads, 'remembered, then read again').to.equal(2);
    });
  });

  it('passes the gates where it is a template, by all that tells it from another', async () => {
    const composed: ComposedMessage = {
      type: 'template',
      content: { name: 'order', language: 'pt_BR' },
      components: [{ type: 'body' }],
      text: 'Oi',
      templateUuid: 'template',
      category: 'UTILITY',
    };
    const streams = world();
    const { app } = streams;
    const ledger = identicalLedger(app, 'person', {
      name: 'order',
      language: 'pt_BR',
      components: composed.components,
    });
    await checkSend(app, send, () => composed);
    // An earlier identical message closes the gate for this message.
    const slot = { operationUuid: 'earlier', at: NOW, what: templateKey('company', 'order'), counted: true };
    streams.set(quotaAggregate, ledger, { slots: [slot] });
    expect((await refusalOf(checkSend(app, send, () => composed))).code).to.equal('duplicate_template_send');
    await checkSend(app, send, () => ({ ...composed, templateUuid: null }));
    await checkSend(app, send, () => ({ ...composed, category: null }));
  });
});

describe('a message that is accepted', () => {
  const accept = (w: ReturnType<typeof world>, recipient: MessageRequest['recipient']) =>
    acceptSend(w.app, {
      companyUuid: 'company',
      integrationUuid: 'integration',
      keyId: 'key',
      keyOwner: 'integration',
      actor: 'key:key',
      idempotencyKey: 'one',
      requestId: 'request',
      method: 'POST',
      route: '/messages',
      body: { type: 'text', content: { text: 'Oi' }, channel_uuid: 'channel', recipient },
    });

  it('is what was asked for, to the phone as WhatsApp writes it, within the pacing window', async () => {
    const w = world();
    await accept(w, { phone: PHONE, external_id: 'customer-42' });
    const { command, context } = w.commands[0]!;
    const { fingerprint, ...data } = command['data'] as SendAsAccepted;
    const subject = subjectOf(w.app.indexSecret, 'company', parsePhone(PHONE, 'phone').key);
    expect(fingerprint).to.have.length(43);
    expect(data).to.deep.equal({
      company_uuid: 'company',
      integration_uuid: 'integration',
      execution_uuid: null,
      contact_uuid: null,
      subject,
      phone: PHONE,
      external_id: 'customer-42',
      channel_uuid: 'channel',
      message_type: 'text',
      content: { text: 'Oi' },
      components: [],
      text: 'Oi',
      template_uuid: null,
      template_category: null,
      deadline: iso(NOW + 900_000),
    });
    expect(command.type).to.equal('AcceptSend');
    expect(context).to.include({ subject, actor: 'key:key', company: 'company' });
    const plain = world();
    await accept(plain, { phone: PHONE });
    expect(plain.commands[0]!.command['data']).to.include({ external_id: null });
  });

  it('names its field where the phone is none', async () => {
    const { code, details } = await refusalOf(accept(world(), { phone: 'ana' }));
    expect(code).to.equal('validation_failed');
    expect(details).to.have.nested.property('fields[0].path', 'recipient.phone');
  });
});

describe('a message of a flow that is accepted', () => {
  const ana: Contact = {
    ...initialContact,
    exists: true,
    subject: 'person',
    phone: PHONE,
    phoneKey: 'key of the phone',
  };
  const input = (contact: Contact = ana): AcceptFlowSendInput => ({
    operationUuid: 'operation',
    executionUuid: 'execution',
    companyUuid: 'company',
    integrationUuid: null,
    channelUuid: 'channel',
    contact: { uuid: 'ana', contact },
    send: { type: 'text', text: 'Oi', previewUrl: false },
  });
  const context = { actor: 'worker:flows', commandId: 'command' } as CommandContext;

  it('names execution and contact, and counts as one to the same phone by POST /messages does', async () => {
    const w = world();
    await acceptFlowSend(w.app, input(), context);
    const { id, command, context: given } = w.commands[0]!;
    const subject = subjectOf(w.app.indexSecret, 'company', 'key of the phone');
    expect(id).to.equal('operation');
    expect(command['data']).to.include({
      execution_uuid: 'execution',
      contact_uuid: 'ana',
      integration_uuid: null,
      subject,
      phone: PHONE,
      external_id: null,
      text: 'Oi',
    });
    expect(given).to.deep.equal({ ...context, company: 'company', subject, assumeNew: true });
  });

  it('goes by the contact where there is no phone', async () => {
    const w = world();
    await acceptFlowSend(w.app, input({ ...ana, phone: null, phoneKey: null, waUserId: 'BR.1' }), context);
    expect(w.commands[0]!.command['data']).to.include({ subject: 'person', phone: null });
  });

  it('is refused for somebody who was erased, and sealed nowhere', async () => {
    const w = world();
    const { code, details } = await refusalOf(
      acceptFlowSend(w.app, input({ ...ana, erased: true }), context),
    );
    expect([code, details]).to.deep.equal(['recipient_erased', { contact_uuid: 'ana' }]);
    expect(w.commands).to.deep.equal([]);
  });

  it('is not refused where it was accepted before, but where the operation is of another request', async () => {
    const w = world();
    await acceptFlowSend(w.app, input(), context);
    const { fingerprint } = w.commands[0]!.command['data'] as SendAsAccepted;
    w.accepted({ fingerprint });
    await acceptFlowSend(w.app, input({ ...ana, erased: true }), context);
    expect(w.commands).to.have.length(1);
    w.accepted({ fingerprint: 'other' });
    const again = acceptFlowSend(w.app, input({ ...ana, erased: true }), context);
    expect((await refusalOf(again)).code).to.equal('recipient_erased');
  });
});
