import { expect } from 'chai';
import { createWhatsAppProvider } from '../../adapters/whatsapp/client.js';
import type { Provider } from '../../ports/provider.js';
import { SANDBOX_NUMBER } from '../application/provisioning/workspace.js';
import { startReceiver, type Receiver } from '../adapters/whatsapp/support.js';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { eventually } from '../support/e2e/eventually.js';
import { start, type Ran, type Running } from './run.js';

const ANA = '+5511987654321';
const BIA = '+5511987651111';
const SIM = { id: 'y', title: 'Sim' };
const NAO = { id: 'n', title: 'Não' };
const VENDAS = { id: 'v', title: 'Vendas' };
const SUPORTE = { id: 's', title: 'Suporte', description: 'Seg a sex' };
type Row = Readonly<Record<string, unknown>>;

describe('cli: sandbox', function () {
  this.timeout(120_000);
  let server: AdminServer;
  let receiver: Receiver;
  let provider: Provider;

  before(async () => {
    server = await openAdmin();
    receiver = await startReceiver();
    server.sandbox.setWebhookUrl(receiver.url);
    provider = createWhatsAppProvider({ baseUrl: server.sandbox.url, graphVersion: 'v25.0' });
  });
  after(async () => {
    await provider.close();
    await server.close();
    await receiver.close();
  });

  const begin = (args: readonly string[], stdin = ''): Running =>
    start(['sandbox', ...args], {
      stdin,
      env: { RECADO_ADMIN_URL: server.url, RECADO_ADMIN_TOKEN: ADMIN_TOKEN },
    });
  const recado = (args: readonly string[]): Promise<Ran> => begin(args).ended;
  /** It waits ten minutes for answers, which is time enough for any machine; a call may take an hour. */
  const chat = (args: readonly string[], lines: readonly string[]): Running =>
    begin(['chat', ...args, '--wait', '600', '--timeout', '3600'], `${lines.join('\n')}\n`);
  const shown = (chatting: Running, text: string) =>
    eventually(() => chatting.stdout().includes(text), { what: text });
  const send = (text: string) =>
    provider.send(SANDBOX_NUMBER, {
      to: { phone: ANA },
      content: { type: 'text', text, previewUrl: false },
      opaque: text,
    });

  it('a customer orders, reacts and is quoted', async () => {
    const order = await recado([
      ...['message', 'order', '--from', ANA, '--item', 'SKU-1:2:19.90', '--item', 'SKU-2:1:5', '--json'],
    ]);
    expect(order.code, order.stderr).to.equal(0);
    await server.sandbox.idle();
    const update = receiver
      .updates()
      .find((one) => 'messageId' in one && one.messageId === order.json()['message_id']);
    expect(update).to.have.nested.property('content.items').with.length(2);
    expect(update).to.have.nested.property('content.items[0].item_price', 19.9);
    const wrong = await recado(['message', 'reaction', '--from', ANA]);
    expect([wrong.code, wrong.stdout]).to.deep.equal([2, '']);
    expect(wrong.stderr).to.include('message_id');
  });

  it('faults, calls, numbers and templates', async () => {
    expect((await recado(['fault', '--code', '131000', '--to', ANA])).code).to.equal(0);
    expect((await send('um')).kind).to.equal('rejected');
    const calls = (await recado(['calls', '--to', ANA, '--json'])).json<Row[]>();
    expect(calls.map(({ text, code }) => [text, code])).to.deep.equal([['um', 131000]]);
    const number = await recado(['number', '--quality', 'RED', '--service-window', 'on', '--json']);
    expect(number.json()).to.include({ quality: 'RED', service_window: true });
    await recado(['number', '--service-window', 'off']);
    const paused = await recado(['template', 'weekly_offers', 'pause', '--json']);
    expect(paused.json()).to.include({ status: 'PAUSED' });
    const again = await recado(['template', 'weekly_offers', 'pause']);
    expect(again.code).to.equal(3);
    const played = await recado(['play', 'preference', JSON.stringify({ from: ANA, value: 'stop' })]);
    expect(played.code, played.stderr).to.equal(0);
    expect((await recado(['play', 'preference', '[]'])).code).to.equal(2);
  });

  it('chats through a pipe: lines go in, answers come out, what was before stays out', async () => {
    await send('de ontem');
    const stops = (): number => receiver.updates().filter(({ kind }) => kind === 'preference').length;
    const before = stops();
    const chatting = chat([ANA, '--name', 'Ana'], ['Oi', '', '/button Sim', '/stop']);
    // The last of what the customer does; then the business answers.
    await eventually(() => stops() > before, { what: 'the customer to stop marketing' });
    await send('Olá, Ana!');
    await shown(chatting, 'Olá, Ana!');
    const { code, stdout, stderr } = await chatting.pass(600_000);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal('< Olá, Ana!\n');
    const texts = receiver.updates().flatMap((one) => (one.kind === 'message' ? [one.content] : []));
    expect(texts).to.deep.include.members([{ text: 'Oi' }, { text: 'Sim', payload: 'Sim' }]);
  });

  it('shows choices numbered; a number or a title taps one as long as nothing came after them', async () => {
    const ask = (kind: 'buttons' | 'list') =>
      provider.send(SANDBOX_NUMBER, {
        to: { phone: BIA },
        content:
          kind === 'buttons'
            ? { type: 'interactive', kind, text: 'Posso?', buttons: [SIM, NAO] }
            : { type: 'interactive', kind, text: 'Com quem?', button: 'Abrir', rows: [VENDAS, SUPORTE] },
        opaque: kind,
      });
    const said = (): readonly object[] =>
      receiver
        .updates()
        .flatMap((one) => (one.kind === 'message' && one.from === BIA.slice(1) ? [one.content] : []));
    const heard = (words: string) =>
      eventually(() => said().some((content) => Object.values(content).includes(words)), { what: words });

    const script = ['Oi', '/wait', '2', '/wait', 'SUPORTE', '/wait', '1', '/tap 1', '/wait'];
    const chatting = chat([BIA], script);
    await heard('Oi');
    await ask('buttons');
    await heard('Não');
    await ask('list');
    await heard('Suporte');
    await provider.send(SANDBOX_NUMBER, {
      to: { phone: BIA },
      content: { type: 'image', link: 'https://example.com/a.jpg', caption: 'Chegou' },
      opaque: 'file',
    });
    await heard('Vendas');
    await provider.send(SANDBOX_NUMBER, {
      to: { phone: BIA },
      content: { type: 'text', text: 'Até logo', previewUrl: false },
      opaque: 'bye',
    });
    await shown(chatting, 'Até logo');
    const { code, stdout, stderr } = await chatting.pass(600_000);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal(
      [
        '< Posso?',
        '  1. Sim',
        '  2. Não',
        '< Com quem?',
        '  1. Vendas',
        '  2. Suporte - Seg a sex',
        '< [image] Chegou',
        '< Até logo',
        '',
      ].join('\n'),
    );
    expect(said()).to.deep.equal([
      { text: 'Oi' },
      { kind: 'button_reply', ...NAO },
      { kind: 'list_reply', ...SUPORTE },
      { text: '1' },
      { kind: 'list_reply', ...VENDAS },
    ]);
  });

  it('refuses to tap where there is nothing to tap', async () => {
    const { code, stderr } = await begin(['chat', '+5511955556666', '--wait', '0'], '/tap 1\n').ended;
    expect(code).to.equal(2);
    expect(stderr).to.include('There is no choice "1" to tap.');
  });
});
