import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Io } from '../../cli/io.js';
import { readKeys } from '../../cli/feed/keys.js';
import { attemptHeaders } from '../../workers/webhooks/attempt.js';
import { eventually } from '../support/e2e/eventually.js';
import { startWebhookReceiver } from '../support/e2e/receiver.js';
import { opened, openedForEach } from '../support/opened.js';
import { serveBodies } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';
import { standardAccepts, stripeAccepts } from '../support/webhook-verifiers.js';
import { commands } from './commands.js';
import { envelopeOf, startLiveFeed } from './live-feed.js';
import type { Running } from './run.js';

type Row = Readonly<Record<string, unknown>>;

describe('cli: listen and feed tail', () => {
  const feed = openedForEach(startLiveFeed);
  const receiver = openedForEach(startWebhookReceiver);
  const folder = opened(tempFolder);
  const env = () => ({
    RECADO_URL: feed.origin,
    RECADO_API_KEY: 'recado_api_x',
    XDG_CONFIG_HOME: folder.path,
  });
  const { begin, done, ends } = commands(env);
  const rows = (running: Running): readonly Row[] =>
    running
      .stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);

  /** Starts a command, and waits until it is connected. */
  async function connected(line: string, nth = 1): Promise<Running> {
    const running = begin(line);
    await eventually(() => running.stderr().split('Listening.').length > nth, { what: 'a connection' });
    return running;
  }
  const listening = (options = ''): Promise<Running> =>
    connected(`listen --forward ${receiver.url} --timeout 3600 ${options}`);
  const received = (count: number): Promise<boolean> =>
    eventually(() => receiver.deliveries.length >= count, { what: `${count} posts` });
  /** A refusal ends the command, which else would wait for ever. */
  async function over(running: Running): Promise<number | null> {
    feed.refuse(401);
    feed.end();
    return (await running.pass(1_000)).code;
  }

  it('posts exactly the bytes that came, with the headers of a delivery, signed for the libraries', async () => {
    const running = await listening('--types message.received');
    const { stdout } = await done('listen --print-secret');
    const bytes = feed.emit(7, 'message.received', { text: 'Zoë 👍', spaced: '  ' });
    await received(1);
    const [delivery] = receiver.deliveries;
    expect(delivery!.raw.toString('utf8')).to.equal(bytes);
    expect([
      stripeAccepts(delivery!, stdout.trim()),
      standardAccepts(delivery!, stdout.trim()),
    ]).to.deep.equal([true, true]);
    const doc = { event_id: 'e', event_type: 't', delivery_id: 'd', attempts: 0 };
    const real = attemptHeaders(doc as Parameters<typeof attemptHeaders>[0], Buffer.from(''), [], 0);
    expect(delivery!.headers).to.include.keys(...Object.keys(real).map((name) => name.toLowerCase()));
    expect(delivery!.headers).to.include({ 'service-attempt': '1', 'service-event': 'message.received' });
    expect(feed.asked[0]).to.deep.include({ url: '/api/v1/events/stream?types=message.received' });
    expect(feed.asked[0]!.headers).to.include({
      authorization: 'Bearer recado_api_x',
      accept: 'text/event-stream',
    });
    await eventually(() => running.stdout().includes('<-- ok 200'), { what: 'the outcome' });
    expect(running.stdout()).to.match(
      / --> message\.received {2}0190a0b0-\S+\n.* <-- ok 200 {2}0190a0b0-\S+ {2}\d+ ms\n/,
    );
    expect(await over(running)).to.equal(4);
  });

  it('goes on when a receiver fails, refuses or is not there, and says so in NDJSON', async () => {
    const failing = await serveBodies((req, res) => {
      if (req.headers['service-event'] === 'order.created') return void res.socket?.destroy();
      res.writeHead(302, { location: receiver.url }).end();
    });
    const running = await connected(`listen --forward ${failing.origin}/x --json --timeout 3600`);
    feed.emit(1);
    feed.emit(2, 'order.created');
    await eventually(() => rows(running).length === 2, { what: 'two outcomes' });
    await failing.close();
    feed.emit(3);
    await eventually(() => rows(running).length === 3, { what: 'the third outcome' });
    const bySequence = rows(running).toSorted((a, b) => Number(a['sequence']) - Number(b['sequence']));
    expect(bySequence.map(({ status }) => status)).to.deep.equal([302, null, null]);
    expect(bySequence.map(({ error }) => error !== null)).to.deep.equal([false, true, true]);
    expect(receiver.deliveries).to.deep.equal([]);
    expect(await over(running)).to.equal(4);
  });

  it('resumes after the last event when the connection breaks, and says so', async () => {
    const running = await listening();
    feed.emit(41);
    await received(1);
    feed.refuse(503);
    feed.cut();
    await eventually(
      () => {
        running.clock.leap(500);
        return feed.asked.length > 3;
      },
      { what: 'more tries' },
    );
    feed.refuse(200);
    await eventually(
      () => {
        running.clock.leap(500);
        return running.stderr().split('Listening.').length > 2;
      },
      { what: 'a new connection' },
    );
    expect(feed.asked.at(-1)!.headers['last-event-id']).to.equal('41');
    expect(running.stderr()).to.match(
      /cut its answer off.* Connecting again in 0\.5 s, after the last event\.\n/,
    );
    feed.emit(42);
    await received(2);
    expect(await over(running)).to.equal(4);
  });

  it('connects again when the server is silent for a minute', async () => {
    const running = await listening();
    running.clock.leap(60_000);
    await eventually(() => running.stderr().includes('Nothing was heard'), {
      what: 'the silence to be noticed',
    });
    feed.refuse(403);
    expect((await running.pass(1_000)).code).to.equal(4);
  });

  it('starts at the place that the server named, when nothing has happened yet', async () => {
    const running = await listening();
    feed.write('id: 12\n\n');
    feed.end();
    await eventually(
      () => {
        running.clock.leap(500);
        return feed.asked.length > 1;
      },
      { what: 'a new connection' },
    );
    expect(feed.asked[1]!.headers['last-event-id']).to.equal('12');
    expect(await over(running)).to.equal(4);
  });

  it('forwards no event that is not what was announced', async () => {
    const running = await listening();
    feed.write(`event: order.created\nid: 1\ndata: ${envelopeOf(1)}\n\n`);
    const ran = await running.ended;
    expect([ran.code, receiver.deliveries.length]).to.deep.equal([1, 0]);
    expect(ran.stderr).to.include('announced as order.created');
  });

  it('keeps its secret, for its owner only, and tells nothing of it to the server', async () => {
    const [first, second] = [await done('listen --print-secret'), await done('listen --print-secret --json')];
    expect(second.json()['secret']).to.equal(first.stdout.trim());
    expect(first.stdout).to.match(/^whsec_/);
    expect((await stat(join(folder.path, 'recado/listen.json'))).mode & 0o777).to.equal(0o600);
    const none = { env: { XDG_CONFIG_HOME: '' } };
    expect((await done('listen --print-secret', none)).stderr).to.include('new at each start');
    expect(feed.asked).to.deep.equal([]);
  });

  it('refuses what can not be meant', async () => {
    await ends('listen', 2, 'recado feed tail');
    await ends('listen --forward http://', 2, 'is not an address');
    await ends('listen --forward localhost:1/x', 4, 'RECADO_API_KEY', { env: { RECADO_API_KEY: '' } });
  });

  it('feed tail prints the events; with --json the bytes that the webhooks have', async () => {
    const running = await connected('feed tail --after 3 --json --timeout 3600');
    expect(feed.asked[0]!.headers['last-event-id']).to.equal('3');
    const bytes = feed.emit(4, 'order.created', { a: [1, 2] });
    await eventually(() => running.stdout() === `${bytes}\n`, { what: 'the event' });
    expect(await over(running)).to.equal(4);
    feed.refuse(200);
    const people = await connected('feed tail --utc --timeout 3600');
    feed.emit(5, 'order.created', { text: 'a\u001b[31mb' });
    await eventually(() => people.stdout() !== '', { what: 'the event' });
    expect(people.stdout()).to.equal('2026-03-01 12:00:00Z  order.created  5  text=a [31mb\n');
    expect(await over(people)).to.equal(4);
  });

  it('waits for a server that does not answer yet, longer and longer', async () => {
    feed.refuse(503);
    const running = begin('feed tail --timeout 3600');
    await eventually(() => running.stderr().includes('Connecting again in 0.5 s'), { what: 'the first try' });
    running.clock.leap(500);
    await eventually(() => running.stderr().includes('Connecting again in 1.0 s'), {
      what: 'the second try',
    });
    expect(await over(running)).to.equal(4);
  });

  it('reads keys of a terminal, and gives it back', () => {
    const raw: boolean[] = [];
    const keys: string[] = [];
    const stdin = Object.assign(new Readable({ read: () => undefined }), {
      isTTY: true,
      setRawMode: (on: boolean) => raw.push(on),
    }) as unknown as Io['stdin'];
    const reading = readKeys(
      { stdin },
      (key) => keys.push(key),
      () => keys.push('interrupt'),
    );
    stdin.emit('data', 'rQ\u0003');
    reading!.stop();
    stdin.emit('data', 'r');
    expect([keys, raw]).to.deep.equal([
      ['r', 'q', 'interrupt'],
      [true, false],
    ]);
  });
});
