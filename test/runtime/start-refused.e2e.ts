/** Starts that cannot succeed: one sentence with the remedy, exit code 1, no stack trace. */
import { mkdir, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DatabaseRefused } from '../../adapters/embedded/database.js';
import { ConfigError, readConfig } from '../../runtime/config.js';
import { start } from '../../runtime/start.js';
import { openRealStack } from '../../runtime/stores/real.js';
import { silentLogger } from '../../ports/logger.js';
import { closedPort } from '../support/closed-port.js';
import { startAndEnd } from '../real/support/start-and-end.js';
import { opened } from '../support/opened.js';
import { serveSockets } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';

type Env = Readonly<Record<string, string>>;

const serversAt = (address: string): Env => ({
  EVENTSTORE_URL: `esdb://${address}?tls=false`,
  MONGODB_URL: `mongodb://${address}/recado`,
  KAFKA_BROKERS: address,
  RECADO_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  CONNECT_TIMEOUT_SECONDS: '1',
});

describe('a start that can not succeed', () => {
  let nobody: string;
  let servers: Env;

  const folder = opened(tempFolder);
  const taken = opened(() => serveSockets(() => undefined));
  const closed = opened(closedPort);
  before(() => {
    nobody = closed.address;
    servers = serversAt(nobody);
  });

  /** The text that `main.ts` prints before it ends with code 1. */
  async function refusal(env: Env): Promise<string> {
    try {
      const config = readConfig({ DATA_DIR: join(folder.path, 'data'), PORT: '0', ...env }, false);
      const running = await start(config, silentLogger, { openRealStack });
      await running.stop();
    } catch (error) {
      const kinds = [ConfigError, DatabaseRefused];
      expect(
        kinds.some((kind) => error instanceof kind),
        String(error),
      ).to.equal(true);
      expect((error as Error).message).to.match(/^[^\n]+$/);
      return (error as Error).message;
    }
    throw new Error('it started');
  }

  const without = (...names: readonly string[]): Env =>
    Object.fromEntries(Object.entries(servers).filter(([name]) => !names.includes(name)));

  it('names what is missing where only some of the servers are named', async () => {
    expect(await refusal(without('MONGODB_URL'))).to.match(
      /EVENTSTORE_URL and KAFKA_BROKERS are set, MONGODB_URL is not/,
    );
    expect(await refusal(without('MONGODB_URL', 'KAFKA_BROKERS'))).to.match(
      /MONGODB_URL and KAFKA_BROKERS are not/,
    );
  });

  it('asks for the key that all processes share', async () => {
    expect(await refusal(without('RECADO_MASTER_KEY'))).to.include('RECADO_MASTER_KEY is not set');
    expect(await refusal({ ...servers, RECADO_MASTER_KEY: 'too-short' })).to.include('RECADO_MASTER_KEY');
  });

  it('asks for one provider where processes share the work', async () => {
    expect(await refusal({ ...servers, ROLES: 'workers' })).to.include('WHATSAPP_API_URL is not set');
  });

  it('names every server that does not answer', async () => {
    const said = await refusal(servers);
    for (const what of [
      `EventStoreDB at ${nobody}`,
      `MongoDB at ${nobody}`,
      `Kafka at ${nobody}`,
      'CONNECT_TIMEOUT_SECONDS',
    ]) {
      expect(said).to.include(what);
    }
  });

  it('says that an address can not be one, and repeats no password', async () => {
    for (const [name, address] of [
      ['EVENTSTORE_URL', `http://admin:geheim@${nobody}`],
      ['MONGODB_URL', `http://admin:geheim@${nobody}`],
      ['KAFKA_BROKERS', `admin:geheim@${nobody}`],
    ] as const) {
      const said = await refusal({ ...servers, [name]: address });
      expect(said).to.not.include('geheim');
      expect(said.split(name), `${said} names it once`).to.have.length(2);
    }
  });

  it('refuses roles that do not exist, and roles without servers', async () => {
    expect(await refusal({ ROLES: 'api,cook' })).to.include('it has "cook"');
    expect(await refusal({ ROLES: 'api' })).to.include('one process does everything');
  });

  it('names a credentials.json that holds no object, and leaves it as it is', async () => {
    const dir = join(folder.path, 'torn');
    const file = join(dir, 'credentials.json');
    const config = readConfig({ DATA_DIR: dir, PORT: '0', DEMO: 'off' }, false);
    await (await start(config, silentLogger, {})).stop({ noticeMs: 0, quietMs: 0 });
    for (const text of ['', '{"api_key": "recado_', '[]', 'null']) {
      await writeFile(file, text);
      expect(await refusal({ DATA_DIR: dir, DEMO: 'off' })).to.include(`${file} holds no JSON object`);
      expect(await readFile(file, 'utf8')).to.equal(text);
    }
  });

  it('refuses a base address to which no path can be appended', async () => {
    for (const name of ['PUBLIC_URL', 'CONSOLE_URL', 'WHATSAPP_API_URL']) {
      for (const more of ['?a=b', '/#top']) {
        const said = await refusal({ [name]: `https://recado.example.com${more}` });
        expect(said).to.include(`${name} must be an address without a query or a fragment`);
      }
    }
  });

  it('names a data folder that is a file, and a key that is none', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    expect(await refusal({ DATA_DIR: file })).to.include('DATA_DIR');
    expect(await refusal({ RECADO_MASTER_KEY: 'too-short' })).to.include('RECADO_MASTER_KEY');
  });

  describe('on a folder that was used', () => {
    const used = () => join(folder.path, 'used');
    const inIt = (name: string) => join(used(), name);
    const started = (more: Env = {}) => refusal({ DATA_DIR: used(), DEMO: 'off', ...more });
    const restore = /recado restore BACKUP --data-dir NEW_FOLDER/;

    beforeEach(async () => {
      await rm(used(), { recursive: true, force: true });
      const config = readConfig({ DATA_DIR: used(), PORT: '0', DEMO: 'off' }, false);
      await (await start(config, silentLogger, {})).stop({ noticeMs: 0, quietMs: 0 });
    });

    it('says that the database is gone, and begins no new history', async () => {
      await rm(inIt('recado.db'));
      const said = await started();
      expect(said)
        .to.match(/no recado\.db/)
        .and.match(restore);
      await writeFile(inIt('recado.db'), '');
      expect(await started(), 'truncated to nothing').to.match(/an empty recado\.db/);
      await rm(inIt('recado.db'));
      await rm(inIt('master.key'));
      expect(await started({ RECADO_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') })).to.equal(said);
    });

    it('says that a truncated or overwritten database is damaged, and how to restore a backup', async () => {
      const { size } = await stat(inIt('recado.db'));
      await truncate(inIt('recado.db'), Math.floor(size / 8192) * 4096);
      expect(await started())
        .to.match(/recado\.db is damaged/)
        .and.match(restore);
      await truncate(inIt('recado.db'), 700);
      expect(await started())
        .to.match(/recado\.db is damaged/)
        .and.match(restore);
      await writeFile(inIt('recado.db'), 'x'.repeat(size));
      expect(await started())
        .to.match(/recado\.db is damaged/)
        .and.match(restore);
    });

    it('says so of pages that only a later step of the start reads', async () => {
      const file = await open(inIt('recado.db'), 'r+');
      const { size } = await file.stat();
      for (let at = 8 * 4096; at < size; at += 4096) await file.write(Buffer.alloc(4096, 0xee), 0, 4096, at);
      await file.close();
      expect(await started())
        .to.match(/recado\.db is damaged/)
        .and.match(restore);
    });

    it('says that the database can not be written', async () => {
      await rm(inIt('recado.db'));
      await mkdir(inIt('recado.db'));
      await writeFile(join(inIt('recado.db'), 'file'), 'x');
      const said = await started();
      expect(said)
        .to.match(/recado\.db can not be written/)
        .and.include(`ls -la ${used()}`);
    });
  });

  it('prints that sentence, nothing else, and ends with code 1', async () => {
    const used = { PORT: String(taken.port), DEMO: 'off', DATA_DIR: join(folder.path, 'data') };
    const cases: readonly (readonly [Env, readonly string[], RegExp])[] = [
      [used, [], /^Port \d+ is taken\. /],
      [
        { ...servers, WHATSAPP_API_URL: `http://${nobody}` },
        ['--roles', 'api'],
        /^After 1 s it still can not start: /,
      ],
    ];
    for (const [env, args, sentence] of cases) {
      const { code, said } = await startAndEnd(env, args);
      expect(code).to.equal(1);
      expect(said).to.have.length(1);
      expect(said[0]).to.match(sentence);
    }
  });
});
