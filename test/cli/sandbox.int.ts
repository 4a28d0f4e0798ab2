import { expect } from 'chai';
import { createWhatsAppProvider } from '../../adapters/whatsapp/client.js';
import type { Provider } from '../../ports/provider.js';
import { SANDBOX_NUMBER } from '../application/provisioning/workspace.js';
import { startReceiver } from '../sandbox/support.js';
import { openAdmin } from '../api/admin/server.js';
import { eventually } from '../support/e2e/eventually.js';
import { opened } from '../support/opened.js';
import { adminEnv, commands } from './commands.js';
import type { Running } from './run.js';

const ANA = '+5511987654321';
const BIA = '+5511987651111';
const SIM = { id: 'y', title: 'Sim' };
const NAO = { id: 'n', title: 'Não' };
const VENDAS = { id: 'v', title: 'Vendas' };
const SUPORTE = { id: 's', title: 'Suporte', description: 'Seg a sex' };
type Row = Readonly<Record<string, unknown>>;

describe('cli: sandbox', () => {
  let provider: Provider;

  after(() => provider.close());
  const server = opened(openAdmin);
  const receiver = opened(startReceiver);
  before(() => {
    server.sandbox.setWebhookUrl(receiver.url);
    provider = createWhatsAppProvider({ baseUrl: server.sandbox.url, graphVersion: 'v25.0' });
  });

  const { begin, recado, done, ends } = commands(() => adminEnv(server.url), 'sandbox');
  /** The chat waits ten minutes for answers, enough for any machine; a call may take an hour. */
  const chat = (words: string, lines: readonly string[]): Running =>
    begin(`chat ${words} --wait 600 --timeout 3600`, { stdin: `${lines.join('\n')}\n` });
  const shown = (chatting: Running, text: string) =>
    eventually(() => chatting.stdout().includes(text), { what: text });
  type Content = Parameters<Provider['send']>[1]['content'];
  const send = (phone: string, content: Content, opaque: string) =>
    provider.send(SANDBOX_NUMBER, { to: { phone }, content, opaque });
  const write = (phone: string, text: string) => send(phone, { type: 'text', text, previewUrl: false }, text);

  it('a customer orders, reacts and is quoted', async () => {
    const order = await done(`message order --from ${ANA} --item SKU-1:2:19.90 --item SKU-2:1:5 --json`);
    await server.sandbox.idle();
    const update = receiver
      .updates()
      .find((one) => 'messageId' in one && one.messageId === order.json()['message_id']);
    expect(update).to.have.nested.property('content.items').with.length(2);
    expect(update).to.have.nested.property('content.items[0].item_price', 19.9);
    expect((await ends(`message reaction --from ${ANA}`, 2, 'message_id')).stdout).to.equal('');
  });

  it('faults, calls, numbers and templates', async () => {
    await done(`fault --code 131000 --to ${ANA}`);
    expect((await write(ANA, 'um')).kind).to.equal('rejected');
    const calls = (await recado(`calls --to ${ANA} --json`)).json<Row[]>();
    expect(calls.map(({ text, code }) => [text, code])).to.deep.equal([['um', 131000]]);
    const number = await recado('number --quality RED --service-window on --json');
    expect(number.json()).to.include({ quality: 'RED', service_window: true });
    await recado('number --service-window off');
    const paused = await recado('template weekly_offers pause --json');
    expect(paused.json()).to.include({ status: 'PAUSED' });
    await ends('template weekly_offers pause', 3);
    await done(`play preference '${JSON.stringify({ from: ANA, value: 'stop' })}'`);
    await ends('play preference []', 2);
  });

  it('chats through a pipe: lines go in, answers come out, what was before stays out', async () => {
    await write(ANA, 'de ontem');
    const stops = (): number => receiver.updates().filter(({ kind }) => kind === 'preference').length;
    const before = stops();
    const chatting = chat(`${ANA} --name Ana`, ['Oi', '', '/button Sim', '/stop']);
    // The customer's last action; then the business answers.
    await eventually(() => stops() > before, { what: 'the customer to stop marketing' });
    await write(ANA, 'Olá, Ana!');
    await shown(chatting, 'Olá, Ana!');
    const { code, stdout, stderr } = await chatting.pass(600_000);
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(stdout).to.equal('< Olá, Ana!\n');
    const texts = receiver.updates().flatMap((one) => (one.kind === 'message' ? [one.content] : []));
    expect(texts).to.deep.include.members([{ text: 'Oi' }, { text: 'Sim', payload: 'Sim' }]);
  });

  it('shows choices numbered; a number or a title taps one as long as nothing came after them', async () => {
    const buttons = { kind: 'buttons', text: 'Posso?', buttons: [SIM, NAO] } as const;
    const list = { kind: 'list', text: 'Com quem?', button: 'Abrir', rows: [VENDAS, SUPORTE] } as const;
    const said = (): readonly object[] =>
      receiver
        .updates()
        .flatMap((one) => (one.kind === 'message' && one.from === BIA.slice(1) ? [one.content] : []));
    const heard = (words: string) =>
      eventually(() => said().some((content) => Object.values(content).includes(words)), { what: words });

    const script = ['Oi', '/wait', '2', '/wait', 'SUPORTE', '/wait', '1', '/tap 1', '/wait'];
    const chatting = chat(BIA, script);
    await heard('Oi');
    await send(BIA, { type: 'interactive', ...buttons }, 'buttons');
    await heard('Não');
    await send(BIA, { type: 'interactive', ...list }, 'list');
    await heard('Suporte');
    await send(BIA, { type: 'image', link: 'https://example.com/a.jpg', caption: 'Chegou' }, 'file');
    await heard('Vendas');
    await write(BIA, 'Até logo');
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
    await ends('chat +5511955556666 --wait 0', 2, 'There is no choice "1" to tap.', { stdin: '/tap 1\n' });
  });
});
