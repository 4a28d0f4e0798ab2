import { expect } from 'chai';
import { closedPort } from '../support/closed-port.js';
import { countEvents } from '../support/api/client.js';
import { makeApi } from '../support/api/make-api.js';
import { addTemplate, issueKey, makeWorld } from '../support/api/world.js';
import { eventually } from '../support/e2e/eventually.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';
import { commands } from './commands.js';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Row = Readonly<Record<string, unknown>>;

const TO = '--to +5511987654321';

describe('cli: messages', () => {
  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));
  const nobody = opened(closedPort);
  const folder = opened(tempFolder);
  before(() => addTemplate(api.app, world, { name: 'pedido_enviado' }));
  const { done, ends, begin } = commands(
    () => ({ RECADO_URL: api.url, RECADO_API_KEY: world.key }),
    'messages',
  );

  it('sends a text with an API key alone, and shows the operation', async () => {
    const before = await countEvents(api);
    const ran = await done(`send ${TO} --text Oi --json`);
    expect(ran.json()).to.include({ type: 'message.send', status: 'queued' });
    expect(await countEvents(api)).to.equal(before + 1);
  });

  it('sends once with one idempotency key', async () => {
    const first = await done(`send ${TO} --text Oi --idempotency-key once --json`);
    const again = await done(`send ${TO} --text Oi --idempotency-key once --json`);
    expect(again.json()['uuid']).to.equal(first.json()['uuid']);
    await ends(`send ${TO} --text Olá --idempotency-key once`, 3, 'Request id');
  });

  it('sends templates: with parameters, or with whole content', async () => {
    await done(`send ${TO} --template pedido_enviado --language pt_BR --param Maria --param 4711`);
    await done(`send ${TO} --content '{"name": "pedido_enviado", "parameters": ["Bia", "4712"]}'`);
    await ends(`send ${TO} --template pedido_enviado --named nome=Maria`, 3, 'takes exactly 2');
  });

  it('refuses what it can not mean', async () => {
    await ends(`send ${TO}`, 2, 'either --text');
    await ends(`send ${TO} --text a --template b`, 2, 'either --text');
    await ends(`send ${TO} --text a --param b`, 2, 'need --template');
    await ends(`send ${TO} --template a --content {}`, 2, 'whole content');
    await ends(`send ${TO} --content []`, 2, 'JSON object');
    await ends(`send ${TO} --template a --named b`, 2, 'name=value');
    await ends('send --to 123 --text a', 2, 'recipient');
  });

  it('finds what it sent, by one filter', async () => {
    const sent = await done(
      `send ${TO} --text Saiu --metadata order_id=4711 --metadata branch=Centro --json`,
    );
    expect(sent.json()['metadata']).to.deep.equal({ order_id: '4711', branch: 'Centro' });
    const found = (await done('list --metadata order_id=4711 --json')).json<Row[]>();
    expect(found.map((row) => row['operation_uuid'])).to.deep.equal([sent.json()['uuid']]);
    const table = await done('list --phone +5511987654321 --limit 2');
    expect(table.stdout).to.match(
      /^CREATED +UUID +STATUS +ERROR +METADATA +TEXT\n.* queued .* order_id=4711.* Saiu\n/,
    );
    expect(table.stderr).to.include('Show more with --limit');
    const shown = await done(`show ${String(sent.json()['uuid'])}`);
    expect(shown.stdout).to.match(/\n\nAT +KIND +FACTS\n(.*\n)*.* accepted +by=api/);
    await ends('show 00000000-0000-4000-8000-000000000000', 3, 'right integration');
    await ends('list --template a --error-code b', 2, 'error_code');
    await ends('list --metadata order_id', 2, 'name=value');
  });

  it('says what the key lacks, and that there is none', async () => {
    const { apiKey } = await issueKey(api.app, world.integration, ['contacts:read']);
    await ends(`send ${TO} --text a`, 4, 'key that has it', { env: { RECADO_API_KEY: apiKey } });
    await ends(`send ${TO} --text a`, 4, 'RECADO_API_KEY', { env: { RECADO_API_KEY: 'recado_api_no' } });
    await ends(`send ${TO} --text a`, 4, 'RECADO_API_KEY is not set', { env: { RECADO_API_KEY: '' } });
  });

  it('keeps the key of a data folder from other servers', async () => {
    const file = { base_url: api.url, api_key: world.key };
    await writeFile(join(folder.path, 'credentials.json'), JSON.stringify(file));
    const env = { RECADO_API_KEY: '', RECADO_URL: '', RECADO_DATA_DIR: folder.path };
    const elsewhere = `http://${nobody.address}`;
    await ends(`send ${TO} --text a --api-url ${elsewhere}`, 4, 'is not set', { env });
    await done(`send ${TO} --text a --api-url ${api.url.replace(/\/api\/v1$/, '/')}`, { env });
  });

  it('repeats the key of a send whose answer did not come', async () => {
    const lost = { env: { RECADO_URL: `http://${nobody.address}` } };
    await ends(`send ${TO} --text a --idempotency-key k-1`, 5, '--idempotency-key k-1', lost);
    await ends(`send ${TO} --text a`, 5, /--idempotency-key [0-9a-f-]{36}/, lost);
  });

  it('waits for the end, and exits with 1 when the message failed', async () => {
    const operation = { uuid: 'o-1', type: 'message.send', status: 'processing', error: null };
    let polled = 0;
    const server = await serve((req, res) => {
      const over = req.method === 'GET' && (polled += 1) > 1;
      const error = { code: 'recipient_unreachable', message: 'No WhatsApp.' };
      const data = over ? { ...operation, status: 'failed', error } : operation;
      res.end(JSON.stringify({ data }));
    });
    const running = begin(`send ${TO} --text a --wait 3600 --timeout 3600`, {
      env: { RECADO_URL: server.origin },
    });
    await eventually(() => polled > 0, { what: 'a poll' });
    const ran = await running.pass(1_000);
    await server.close();
    expect([ran.code, ran.stderr]).to.deep.equal([
      1,
      'processing\nfailed\nrecado: The operation failed: recipient_unreachable. No WhatsApp.\n',
    ]);
    expect(ran.stdout).to.include('recipient_unreachable');
  });
});
