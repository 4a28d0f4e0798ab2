import { GraphApiError, WhatsAppClient } from '@kapso/whatsapp-cloud-api';
import { normalizeWebhook, verifySignature } from '@kapso/whatsapp-cloud-api/server';
import { expect } from 'chai';
import { DEMO_PHONE_NUMBERS } from '../../sandbox/seeds.js';
import type { Sandbox } from '../../sandbox/types.js';
import { verifyWebhookSignature } from '../../adapters/whatsapp/webhook-signature.js';
import type { Provider } from '../../ports/provider.js';
import { failure } from '../conformance/support.js';
import { closedPort } from '../support/closed-port.js';
import { manualClock } from '../support/fakes/manual-clock.js';
import { opened } from '../support/opened.js';
import { CREDENTIALS, text } from '../adapters/whatsapp/support.js';
import { answerOf, APP_SECRET, sandboxes } from './support.js';

const { phoneNumberId, wabaId } = CREDENTIALS;
const ANA = '+5511912345678';

describe('sandbox', () => {
  const { receiver, start, client: ourClient } = sandboxes();

  /** @kapso/whatsapp-cloud-api is a third-party client; it must not notice that this is not Meta. */
  describe('driven by an independent client', () => {
    const independent = (sandbox: Sandbox, accessToken = 'token'): WhatsAppClient =>
      new WhatsAppClient({ accessToken, baseUrl: sandbox.url, graphVersion: 'v24.0' });
    const graphError = async (call: Promise<unknown>): Promise<GraphApiError> => {
      const error = await failure(call);
      expect(error).to.be.instanceOf(GraphApiError);
      return error as GraphApiError;
    };
    const failedText = (sandbox: Sandbox, { to = ANA, from = phoneNumberId, token = 'token' }) =>
      graphError(independent(sandbox, token).messages.sendText({ phoneNumberId: from, to, body: 'oi' }));

    it('sends a text and reads ids', async () => {
      const client = independent(await start());
      const sent = await client.messages.sendText({
        phoneNumberId,
        to: '+55 (31) 98888-7777',
        body: 'Olá 🙂',
      });
      expect(sent.contacts[0]).to.include({ input: '+55 (31) 98888-7777', waId: '553188887777' });
      expect(sent.messages[0]?.id).to.match(/^wamid\./);
      expect(sent.messages[0]).to.not.have.property('messageStatus');
    });

    it('sends a template, media, location, buttons, a reaction and a read receipt', async () => {
      const sandbox = await start();
      const client = independent(sandbox);
      const to = ANA;
      const template = await client.messages.sendTemplate({
        phoneNumberId,
        to,
        template: {
          name: 'new_collection',
          language: { code: 'pt_BR' },
          components: [
            { type: 'header', parameters: [{ type: 'image', image: { link: 'https://example.com/a.jpg' } }] },
            { type: 'body', parameters: [{ type: 'text', text: 'Ana' }] },
            { type: 'button', subType: 'url', index: 0, parameters: [{ type: 'text', text: 'verao' }] },
          ],
        },
      });
      expect(template.messages[0]).to.have.property('messageStatus', 'accepted');
      await client.messages.sendImage({ phoneNumberId, to, image: { link: 'https://example.com/a.jpg' } });
      await client.messages.sendLocation({
        phoneNumberId,
        to,
        location: { latitude: -23.5, longitude: -46.6, name: 'Loja', address: 'Rua A' },
      });
      await client.messages.sendInteractiveButtons({
        phoneNumberId,
        to,
        bodyText: 'Confirma?',
        buttons: [{ id: 'y', title: 'Sim' }],
      });
      await client.messages.sendReaction({
        phoneNumberId,
        to,
        reaction: { messageId: 'wamid.X', emoji: '👍' },
      });
      expect(await client.messages.markRead({ phoneNumberId, messageId: 'wamid.X' })).to.deep.equal({
        success: true,
      });
      expect(sandbox.calls.map((call) => call.body['type'])).to.deep.equal([
        ...['template', 'image', 'location', 'interactive', 'reaction'],
      ]);
      await sandbox.idle();
      const reaction = sandbox.calls.at(-1)?.messageId;
      const statuses = receiver.updates().filter((update) => update.kind === 'status');
      const ofReaction = statuses.filter((update) => update.messageId === reaction);
      expect(ofReaction.map((update) => update.status)).to.deep.equal(['sent']);
    });

    it('lists templates', async () => {
      const client = independent(await start());
      const listed = await client.templates.list({ businessAccountId: wabaId, limit: 3 });
      expect(listed.data).to.have.length(3);
      expect(listed.paging.cursors.after).to.be.a('string');
    });

    const errors: readonly [string, number, string, string, string][] = [
      ['a token problem', 401, '+5511966000190', 'authorization', 'refresh_token'],
      ['throttling', 400, '+5511966130429', 'throttling', 'retry_after'],
      ['a server problem', 500, '+5511966131000', 'server', 'retry'],
      ['a closed window', 400, '+5511966131047', 'reengagementWindow', 'do_not_retry'],
      ['a paused template', 400, '+5511966132015', 'template', 'fix_and_retry'],
      ['an account block', 403, '+5511966000368', 'integrity', 'do_not_retry'],
    ];
    for (const [name, httpStatus, to, category, action] of errors) {
      it(`recognises ${name}`, async () => {
        const error = await failedText(await start(), { to });
        expect(error).to.include({ httpStatus, category, code: Number(to.slice(-6)) });
        expect(error.retry.action).to.equal(action);
        expect(error.fbtraceId).to.be.a('string');
        expect(error.details).to.be.a('string');
      });
    }

    it('recognises wrong and expired tokens and unknown objects', async () => {
      const sandbox = await start({ accessTokens: ['token'] });
      const wrong = await failedText(sandbox, { token: 'other' });
      expect(wrong).to.include({ httpStatus: 401, code: 190 });
      const expired = await failedText(sandbox, { token: 'EXPIRED1' });
      expect(expired).to.include({ httpStatus: 401, code: 190, errorSubcode: 463 });
      const unknown = await failedText(sandbox, { from: '404' });
      expect(unknown).to.include({ httpStatus: 400, code: 100, errorSubcode: 33 });
    });

    it('verifies and understands our webhooks', async () => {
      const sandbox = await start();
      await independent(sandbox).messages.sendText({ phoneNumberId, to: ANA, body: 'oi' });
      sandbox.reply({ phoneNumberId, from: ANA, text: 'Olá/🙂', name: 'Zoë' });
      await sandbox.idle();
      for (const { raw, signature } of receiver.webhooks) {
        expect(signature).to.be.a('string');
        const signed = { rawBody: raw, signatureHeader: signature ?? '' };
        expect(verifySignature({ appSecret: APP_SECRET, ...signed })).to.equal(true);
        expect(verifySignature({ appSecret: 'wrong', ...signed })).to.equal(false);
        expect(verifyWebhookSignature(raw, signature, APP_SECRET)).to.equal(true);
      }
      const all = receiver.webhooks.map(({ raw }) => normalizeWebhook(JSON.parse(raw.toString('utf8'))));
      expect(all.flatMap((webhook) => webhook.statuses.map((status) => status.status))).to.have.members([
        ...['sent', 'delivered', 'read'],
      ]);
      const [message] = all.flatMap((webhook) => webhook.messages);
      expect(message).to.deep.include({ from: '5511912345678', type: 'text', text: { body: 'Olá/🙂' } });
    });
  });

  describe('validation', () => {
    type Row = Readonly<Record<string, unknown>>;
    const post = async (sandbox: Sandbox, request: unknown): Promise<[number, Row]> => {
      const answer = await fetch(`${sandbox.url}/v25.0/${phoneNumberId}/messages`, {
        method: 'POST',
        headers: { authorization: 'Bearer t' },
        body: typeof request === 'string' ? request : JSON.stringify(request),
      });
      return [answer.status, (await answer.json()) as Row];
    };
    const message = (type: string, more: object = {}): Row => ({
      messaging_product: 'whatsapp',
      to: ANA,
      type,
      ...more,
    });
    const aText = (more: object = {}): Row => message('text', { text: { body: 'x' }, ...more });
    const file = (type: string, more: object): Row => message(type, { [type]: more });
    const link = 'https://example.com/a';
    const template = (name: string, components?: unknown, language = 'pt_BR'): Row =>
      message('template', { template: { name, language: { code: language }, components } });
    const body = (...values: unknown[]): unknown[] => [
      { type: 'body', parameters: values.map((value) => ({ type: 'text', text: value })) },
    ];
    const interactive = (type: string, action: object, said = 'x'): Row =>
      message('interactive', { interactive: { type, body: { text: said }, action } });
    const reply = (one: object): object => ({ type: 'reply', reply: one });
    const buttons = (...all: object[]): Row => interactive('button', { buttons: all.map(reply) });
    const sections = (...all: object[]): Row => interactive('list', { button: 'x', sections: all });
    const rows = (...all: object[]): Row => sections({ rows: all });
    const [a, b] = [
      { id: 'a', title: 'x' },
      { id: 'b', title: 'y' },
    ];
    const cases: readonly [name: string, code: number, request: unknown][] = [
      ['not JSON', 100, '{'],
      ['an array', 100, []],
      ['no messaging_product', 100, aText({ messaging_product: undefined })],
      ['no recipient', 100, aText({ to: undefined })],
      ['a bad phone', 131009, aText({ to: '12' })],
      ['a bad user id', 131009, aText({ to: undefined, recipient: 'x' })],
      ['the sender', 131021, aText({ to: '+55 11 4002-8922' })],
      ['an unknown type', 100, file('fax', {})],
      ['no text', 100, message('text')],
      ['4,097 characters', 100, file('text', { body: 'x'.repeat(4_097) })],
      [
        'an opaque value over 512',
        100,
        aText({ type: undefined, biz_opaque_callback_data: 'x'.repeat(513) }),
      ],
      ['an image of nothing', 131008, file('image', {})],
      ['an image from nowhere', 100, file('image', { link: 'ftp://a/b' })],
      ['a caption of audio', 100, file('audio', { link, caption: 'x' })],
      ['the name of an image', 100, file('image', { link, filename: 'x' })],
      ['no choices', 131009, buttons()],
      ['a title of 21 characters', 131009, buttons({ id: 'a', title: 'x'.repeat(21) })],
      ['a button id of 257 characters', 131009, buttons({ id: 'a'.repeat(257), title: 'x' })],
      ['one button twice', 131009, buttons(a, { id: 'a', title: 'y' })],
      [
        'a text over buttons of 1,025 characters',
        131009,
        interactive('button', { buttons: [reply(a)] }, 'x'.repeat(1_025)),
      ],
      ['a row of 25 characters', 131009, rows({ id: 'a', title: 'x'.repeat(25) })],
      ['a second line of 73', 131009, rows({ id: 'a', title: 'x', description: 'x'.repeat(73) })],
      ['a row without an id', 131008, rows({ title: 'x' })],
      ['a row id of 201 characters', 131009, rows({ id: 'a'.repeat(201), title: 'x' })],
      ['eleven rows', 131009, rows(...Array.from({ length: 11 }, (_, n) => ({ id: `${n}`, title: `${n}` })))],
      ['one row twice', 131009, rows(a, { id: 'a', title: 'y' })],
      ['a list that nothing opens', 131009, interactive('list', { sections: [] })],
      ['a list of nothing', 131009, sections()],
      ['a section of nothing', 131008, rows()],
      ['two sections without titles', 131009, sections({ rows: [a] }, { rows: [b] })],
      ['four buttons', 131009, interactive('button', { buttons: [1, 2, 3, 4] })],
      ['an unknown template', 132001, template('nope', body('a'))],
      ['an unknown language', 132001, template('order_confirmation', body('a', 'b'), 'fr')],
      ['a rejected template', 132001, template('lucky_draw')],
      ['a paused template', 132015, template('flash_sale', body('a'))],
      ['no language', 131008, message('template', { template: { name: 'order_confirmation' } })],
      ['one parameter of two', 132000, template('order_confirmation', body('a'))],
      ['no parameters', 132000, template('order_confirmation')],
      ['an empty parameter', 131008, template('order_confirmation', body('a', ''))],
      ['a line break', 132018, template('order_confirmation', body('a', 'b\nc'))],
      ['five spaces', 132018, template('order_confirmation', body('a', 'b     c'))],
      ['a body too long', 132005, template('order_confirmation', body('a', 'b'.repeat(1_024)))],
      ['named without names', 132012, template('delivery_update', body('a', 'b'))],
      ['no header image', 132012, template('new_collection', body('a'))],
      [
        'a header too much',
        132018,
        template('verification_code', [
          ...body('1'),
          { type: 'header', parameters: [{ type: 'text', text: 'x' }] },
        ]),
      ],
      [
        'no button value',
        131008,
        template('new_collection', [
          ...body('a'),
          { type: 'header', parameters: [{ type: 'image', image: { id: '1' } }] },
        ]),
      ],
    ];
    for (const [name, code, request] of cases) {
      it(`refuses ${name} with ${code}`, async () => {
        const [httpStatus, answer] = await post(await start(), request);
        expect(answer).to.have.nested.property('error.code', code);
        expect(httpStatus).to.equal(code === 132001 ? 404 : 400);
      });
    }

    it('takes 4,096 characters, four spaces, and each named parameter in any order', async () => {
      const sandbox = await start();
      const named = [
        {
          type: 'body',
          parameters: [
            { type: 'text', parameter_name: 'order_number', text: '1' },
            { type: 'text', parameter_name: 'first_name', text: 'Ana' },
          ],
        },
      ];
      for (const request of [
        file('text', { body: '🙂'.repeat(4_096) }),
        template('order_confirmation', body('a', 'b    c')),
        template('delivery_update', named),
      ]) {
        expect((await post(sandbox, request))[0]).to.equal(200);
      }
    });

    it('a disabled number and a disabled template refuse', async () => {
      const sandbox = await start();
      sandbox.setTemplateStatus({ name: 'weekly_offers', language: 'pt_BR', status: 'DISABLED' });
      expect((await post(sandbox, template('weekly_offers', body('a', 'b'))))[1]).to.have.nested.property(
        'error.code',
        132016,
      );
      sandbox.setPhoneNumber(phoneNumberId, { status: 'BANNED' });
      const [, answer] = await post(sandbox, aText());
      expect(answer).to.have.nested.property('error.code', 133010);
      await sandbox.idle();
      expect(receiver.updates()[0]).to.include({
        kind: 'template',
        name: 'weekly_offers',
        event: 'DISABLED',
      });
    });
  });

  describe('reads through our client', () => {
    it('pages through all templates and stops', async () => {
      const sandbox = await start();
      const provider = ourClient(sandbox, { pageSize: 3 });
      const names: string[] = [];
      let after: string | null = null;
      let pages = 0;
      do {
        const page = await provider.listTemplates(CREDENTIALS, after);
        if (!page.ok) throw new Error(page.reason);
        names.push(...page.value.templates.map((template) => `${template.name} ${template.language}`));
        after = page.value.next;
        pages += 1;
      } while (after !== null && pages < 10);
      expect(pages).to.equal(3);
      expect(names).to.deep.equal(
        sandbox.templates.map((template) => `${template.name} ${template.language}`),
      );
      const first = await provider.listTemplates(CREDENTIALS, null);
      expect(first.ok ? first.value.templates[0] : first).to.deep.equal({
        id: '900100000000001',
        name: 'order_confirmation',
        language: 'pt_BR',
        status: 'APPROVED',
        category: 'UTILITY',
        parameterFormat: 'POSITIONAL',
        components: sandbox.templates[0]?.components,
        quality: 'GREEN',
        rejectedReason: null,
      });
    });

    it('reads the number', async () => {
      const provider = ourClient(await start());
      expect(await provider.phoneNumber(CREDENTIALS)).to.deep.equal({
        ok: true,
        value: {
          phoneNumberId,
          displayPhoneNumber: '+55 11 4002-8922',
          verifiedName: 'Loja Demonstração',
          status: 'CONNECTED',
          qualityRating: 'GREEN',
          throughputLevel: 'STANDARD',
          messagingLimit: 'TIER_100K',
          nameStatus: 'APPROVED',
          accountMode: null,
          onBusinessApp: false,
        },
      });
    });

    it('gives the provider\u2019s error of a refused read', async () => {
      const provider = ourClient(await start());
      const result = await provider.phoneNumber({ ...CREDENTIALS, accessToken: 'EXPIRED' });
      expect(result.ok ? null : result.error).to.include({ code: 190, subcode: 463, httpStatus: 401 });
      const unknown = await provider.listTemplates({ ...CREDENTIALS, wabaId: '404' }, null);
      expect(unknown.ok ? null : unknown.error).to.include({ code: 100, subcode: 33 });
    });
  });

  describe('limits', () => {
    it('one person: 45 at once, then one per 6 seconds; others are not touched', async () => {
      const clock = manualClock();
      const sandbox = await start({
        clock,
        phoneNumbers: DEMO_PHONE_NUMBERS.map((number) => ({ ...number, throughputLevel: 'HIGH' })),
      });
      const provider = ourClient(sandbox);
      const send = async (phone: string) => answerOf(await provider.send(CREDENTIALS, text(phone)));
      for (let n = 0; n < 45; n += 1) expect(await send(ANA)).to.equal('ok');
      expect(await send(ANA)).to.equal(131056);
      expect(await send('+5511912345679')).to.equal('ok');
      await clock.advance(5_900);
      expect(await send(ANA)).to.equal(131056);
      await clock.advance(100);
      expect(await send(ANA)).to.equal('ok');
      expect(await send(ANA)).to.equal(131056);
    });

    it('one number: 80 per second; off when told so', async () => {
      const clock = manualClock();
      const limited = ourClient(await start({ clock }));
      const free = ourClient(await start({ clock, enforceLimits: false }));
      const burst = async (provider: Provider): Promise<number[]> => {
        const outcomes = await Promise.all(
          Array.from({ length: 100 }, (_, n) => provider.send(CREDENTIALS, text(`+55119123450${10 + n}`))),
        );
        return outcomes.flatMap((outcome) => (outcome.kind === 'rejected' ? [outcome.error.code] : []));
      };
      expect(await burst(limited)).to.deep.equal(Array.from({ length: 20 }, () => 130429));
      await clock.advance(1_000);
      expect(await burst(limited)).to.have.length(20);
      expect(await burst(free)).to.deep.equal([]);
    });

    it('the 24-hour window, when enforced: closed, opened by the person, closed again', async () => {
      const clock = manualClock();
      const sandbox = await start({ clock, enforceServiceWindow: true });
      const provider = ourClient(sandbox);
      const send = async (): Promise<string> => (await provider.send(CREDENTIALS, text(ANA))).kind;
      expect(await send()).to.equal('rejected');
      sandbox.reply({ phoneNumberId, from: '5511912345678', text: 'oi' });
      expect(await send()).to.equal('accepted');
      await clock.advance(86_400_001);
      expect(await send()).to.equal('rejected');
    });
  });

  describe('webhooks', () => {
    const nobody = opened(closedPort);
    it('carry text times, prices, names and the opaque value, escaped as Meta escapes', async () => {
      const sandbox = await start();
      await ourClient(sandbox).send(CREDENTIALS, text('+5531988887777', 'pedido/1'));
      const replied = sandbox.reply({
        phoneNumberId,
        from: '+5531988887777',
        text: 'Olá',
        name: 'Zoë',
        replyTo: 'wamid.O',
      });
      await sandbox.idle();
      const raw = receiver.webhooks.map((webhook) => webhook.raw.toString('latin1')).join('\n');
      expect(raw).to.include('"biz_opaque_callback_data":"pedido\\/1"');
      expect(raw)
        .to.include('Zo\\u00eb')
        .and.match(/"timestamp":"\d{10}"/);
      expect(/[^\n\x20-\x7e]/.test(raw)).to.equal(false);
      // Webhooks may arrive out of order, and the one that reports a read message carries no price.
      const sent = receiver.statusesOf('pedido/1').find(({ status }) => status === 'sent');
      expect(sent).to.deep.include({
        recipientId: '553188887777',
        recipientUserId: 'BR.SANDBOX5531988887777',
        pricing: {
          billable: false,
          pricing_model: 'PMP',
          type: 'free_customer_service',
          category: 'service',
        },
      });
      const reply = receiver.updates().find((update) => update.kind === 'message');
      expect(reply).to.deep.include({
        messageId: replied,
        from: '553188887777',
        profileName: 'Zoë',
        content: { text: 'Olá' },
        context: { id: 'wamid.O', from: '551140028922' },
      });
    });

    it('are repeated with the same bytes until they are answered 200', async () => {
      const sandbox = await start({ webhookRetryDelaysMs: [1, 1, 1] });
      receiver.answerNext(500, 404);
      sandbox.reply({ phoneNumberId, from: ANA, text: 'oi' });
      await sandbox.idle();
      expect(receiver.webhooks).to.have.length(3);
      expect(receiver.webhooks[2]?.raw.equals(receiver.webhooks[0]?.raw ?? Buffer.of())).to.equal(true);
      expect(sandbox.totals()).to.include({
        webhookPosts: 3,
        webhookUpdates: 1,
        webhookFailures: 2,
        webhooksDropped: 0,
      });
    });

    it('are given up after the last repetition, and said so', async () => {
      const warnings: string[] = [];
      const sandbox = await start({
        webhookRetryDelaysMs: [1],
        webhookUrl: `http://${nobody.address}/closed`,
        logger: { warn: (_fields, message) => void warnings.push(message) },
      });
      sandbox.reply({ phoneNumberId, from: ANA, text: 'oi' });
      await sandbox.idle();
      expect(sandbox.totals()).to.include({ webhookPosts: 2, webhookFailures: 2, webhooksDropped: 1 });
      expect(warnings).to.have.length(1);
    });

    it('share a POST when the receiver is slower than they come', async () => {
      const sandbox = await start({ webhookConcurrency: 1, maxUpdatesPerPost: 10 });
      for (let n = 0; n < 25; n += 1)
        sandbox.reply({ phoneNumberId, from: `+55119123456${10 + n}`, text: String(n) });
      await sandbox.idle();
      expect(receiver.webhooks.map((webhook) => webhook.updates.length)).to.deep.equal([10, 10, 5]);
      const texts = receiver
        .updates()
        .map((update) => (update.kind === 'message' && update.type === 'text' ? update.content.text : null));
      expect(texts).to.deep.equal(Array.from({ length: 25 }, (_, n) => String(n)));
    });

    it('the subscription handshake', async () => {
      const sandbox = await start();
      expect(await sandbox.verifyWebhook()).to.equal(true);
      const wrong = await start({ verifyToken: 'other' });
      expect(await wrong.verifyWebhook()).to.equal(false);
      const silent = await start({ webhookUrl: null });
      expect(await silent.verifyWebhook()).to.equal(false);
    });

    it('go nowhere without a receiver, and to the new one once it is set', async () => {
      const sandbox = await start({ webhookUrl: null });
      sandbox.reply({ phoneNumberId, from: ANA, text: 'lost' });
      await sandbox.idle();
      sandbox.setWebhookUrl(receiver.url);
      sandbox.receive({
        phoneNumberId,
        from: ANA,
        message: { type: 'image', image: { id: '7' } },
      });
      await sandbox.idle();
      expect(receiver.updates()).to.have.length(1);
      expect(receiver.updates()[0]).to.deep.include({ type: 'image' });
    });
  });

  it('takes further numbers and templates while it runs, and tells accounts apart', async () => {
    const sandbox = await start();
    const [number] = DEMO_PHONE_NUMBERS;
    const [template] = sandbox.templates;
    if (number === undefined || template === undefined) throw new Error('no seeds');
    const mine = { phoneNumberId: '20002', wabaId: '2', accessToken: 't' };
    sandbox.putPhoneNumber({ ...number, id: '20002', wabaId: '2' });
    sandbox.putTemplate({ ...template, id: '5', wabaId: '2', status: 'PENDING' });
    sandbox.putTemplate({ ...template, id: '5', wabaId: '2', status: 'APPROVED' });
    const provider = ourClient(sandbox);
    expect(await provider.send(mine, text(ANA))).to.include({ kind: 'accepted' });
    const listed = await provider.listTemplates(mine, null);
    expect(listed.ok ? listed.value.templates.map(({ id, status }) => [id, status]) : listed).to.deep.equal([
      ['5', 'APPROVED'],
    ]);
    const { name, language } = template;
    sandbox.setTemplateStatus({ wabaId: '2', name, language, status: 'PAUSED' });
    expect(sandbox.templates.filter((one) => one.status === 'PAUSED' && one.name === name)).to.have.length(1);
    await sandbox.idle();
    expect(receiver.updates()).to.deep.include({
      kind: 'template',
      wabaId: '2',
      templateId: '5',
      name,
      language,
      event: 'PAUSED',
      reason: 'NONE',
      quality: null,
      category: null,
      componentsChanged: false,
    });
  });

  it('keeps the latest calls for inspection', async () => {
    const sandbox = await start({ maxCalls: 10, enforceLimits: false });
    const provider = ourClient(sandbox);
    for (let n = 0; n < 15; n += 1) await provider.send(CREDENTIALS, text(ANA, `op-${n}`));
    expect(sandbox.calls.length).to.be.within(10, 11);
    expect(sandbox.calls.at(-1)?.body).to.include({ biz_opaque_callback_data: 'op-14' });
    expect(sandbox.totals()).to.include({ calls: 15, accepted: 15, refused: 0 });
  });
});
