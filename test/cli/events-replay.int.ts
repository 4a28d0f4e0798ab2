/** `recado events replay` and `recado events tail`: past events to somewhere else, and what happens from now on. */
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dueAfter, readRate, readSpeed } from '../../cli/replay/pace.js';
import { replay } from '../../cli/replay/run.js';
import type { ReplayedEvent, Target } from '../../cli/replay/target.js';
import { ADMIN_TOKEN, openAdmin, type AdminServer } from '../api/admin/server.js';
import { eventually } from '../support/e2e/eventually.js';
import { manualClock, type ManualClock } from '../support/fakes/manual-clock.js';
import { everyEvent } from '../support/history.js';
import { runProcess } from './process.js';
import { run, type Ran } from './run.js';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly lines: readonly { readonly position: string; readonly type: string }[];
}

describe('cli: events replay', function () {
  this.timeout(120_000);
  let server: AdminServer;
  let folder: string;
  let receiver: Server;
  let endpoint: string;
  let seen: Seen[];
  /** Status of each answer in turn; 200 when there is none left. */
  let answers: number[];
  let all: readonly string[];
  const at = (name: string): string => join(folder, name);

  before(async () => {
    server = await openAdmin();
    folder = await mkdtemp(join(tmpdir(), 'recado-replay-'));
    await everyEvent(server.app);
    receiver = createServer((req, res) => {
      let body = '';
      req.on('data', (piece: Buffer) => (body += piece.toString()));
      req.on('end', () => {
        const status = answers.shift() ?? 200;
        if (status < 300) {
          const lines = body.trimEnd().split('\n');
          seen.push({
            headers: req.headers,
            lines: lines.map((line) => JSON.parse(line) as Seen['lines'][0]),
          });
        }
        res.writeHead(status, status === 503 ? { 'retry-after': '0' } : {}).end();
      });
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
    const exported = await recado('export', '--out', at('all'));
    expect(exported.code, exported.stderr).to.equal(0);
    all = (await readFile(at('all/events.ndjson'), 'utf8')).trimEnd().split('\n');
  });
  beforeEach(() => {
    seen = [];
    answers = [];
  });
  after(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await server.close();
    await rm(folder, { recursive: true });
  });

  const recado = (...args: string[]): Promise<Ran> =>
    run(['events', ...args], {
      env: {
        RECADO_ADMIN_URL: server.url,
        RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
        RECADO_REPLAY_AUTHORIZATION: 'Bearer of-the-receiver',
      },
    });
  const positionsOf = (lines: readonly string[]): string[] =>
    lines.map((line) => (JSON.parse(line) as { position: string }).position);
  const received = (): string[] => seen.flatMap(({ lines }) => lines.map(({ position }) => position));

  it('posts each event once and in order, with what a receiver needs to take it once', async () => {
    const ran = await recado('replay', at('all'), '--to', endpoint);
    expect(ran.code, ran.stderr).to.equal(0);
    expect(received()).to.deep.equal(positionsOf(all));
    const [first] = seen;
    expect(first!.headers).to.include({
      'content-type': 'application/json',
      authorization: 'Bearer of-the-receiver',
      'recado-event': first!.lines[0]!.type,
      'recado-position': first!.lines[0]!.position,
    });
    expect(first!.headers['recado-event-id']).to.match(/^[0-9a-f-]{36}$/);
  });

  it('posts the live history in batches, narrowed', async () => {
    const ran = await recado(
      'replay',
      '--to',
      endpoint,
      '--batch',
      '2',
      '--types',
      'OrderPlaced,OrderPaid,OrderConfirmed',
    );
    expect(ran.code, ran.stderr).to.equal(0);
    expect(seen.map(({ lines }) => lines.map(({ type }) => type))).to.deep.equal([
      ['OrderPlaced', 'OrderConfirmed'],
      ['OrderPaid'],
    ]);
    expect(seen[0]!.headers['content-type']).to.equal('application/x-ndjson');
  });

  it('tries again what may pass, gives up what is refused, and goes on behind what was delivered', async () => {
    answers = [200, 200, 503, 429, 200, 422];
    const args = ['replay', at('all'), '--to', endpoint, '--progress', at('progress.json')];
    const refused = await recado(...args);
    expect(refused.code).to.equal(3);
    const third = positionsOf(all)[2]!;
    expect(refused.stderr).to.include('answered 503').and.to.include(`up to position ${third}`);
    expect(received()).to.deep.equal(positionsOf(all).slice(0, 3));
    const resumed = await recado(...args);
    expect(resumed.code, resumed.stderr).to.equal(0);
    expect(received()).to.deep.equal(positionsOf(all));
    const other = await recado(
      'replay',
      at('all'),
      '--to',
      `${endpoint}/other`,
      '--progress',
      at('progress.json'),
    );
    expect(other.code).to.equal(2);
    receiver.close();
    receiver.closeAllConnections();
    await once(receiver, 'close');
    const { port } = new URL(endpoint);
    const away = await recado('replay', at('all'), '--to', endpoint, '--attempts', '1', '--from', third);
    expect([away.code, away.stderr]).to.satisfy(
      ([code, said]: [number, string]) => code === 5 && said.includes('ECONNREFUSED'),
    );
    receiver.listen(Number(port), '127.0.0.1');
    await once(receiver, 'listening');
  });

  it('writes into a file, from behind one position up to another', async () => {
    const positions = positionsOf(all);
    const ran = await recado(
      'replay',
      '--to',
      `file:${at('some.ndjson')}`,
      '--from',
      positions[3]!,
      '--until',
      positions[9]!,
    );
    expect(ran.code, ran.stderr).to.equal(0);
    expect(await readFile(at('some.ndjson'), 'utf8')).to.equal(`${all.slice(4, 10).join('\n')}\n`);
    const times = await recado('replay', at('all'), '--to', 'file:-', '--from', '2026-03-01');
    expect(times.code).to.equal(2);
  });

  it('says what it does not understand, and never a password', async () => {
    for (const [to, said] of [
      ['ftp://example.com', 'is no target'],
      ['kafka://user:geheim@broker:9092/topic', 'names no topic'],
      ['kafka://broker/topic', 'KAFKA_BROKERS'],
    ] as const) {
      const ran = await recado('replay', at('all'), '--to', to);
      expect([ran.code, ran.stderr.includes(said), ran.stderr.includes('geheim')], to).to.deep.equal([
        2,
        true,
        false,
      ]);
    }
    await writeFile(
      at('exact.ndjson'),
      '{"position":"1","id":"x","type":"T","stream":"s-1","revision":0,"meta":{},"data":{}}\n',
    );
    const exact = await recado('replay', at('exact.ndjson'), '--to', endpoint);
    expect(exact.code).to.equal(2);
  });

  it('delivers nothing where it could not be what was meant', async () => {
    for (const [args, sentence] of [
      [['--to', 'file:-', '--types', 'OrderPaid,Nope'], 'There is no event type Nope.'],
      [['--to', 'file:-', '--from', '2026-12-01', '--until', '2026-11-01'], 'no event can be in between'],
      [['--to', 'file:-', '--progress', at('none/p.json')], "p.json can't be written"],
      [['--to', `file:${at('none/events')}`], 'its folder does not exist'],
      [[at('none'), '--to', 'file:-'], 'Nothing was delivered.'],
    ] as const) {
      const ran = await recado('replay', ...args);
      expect([ran.code, ran.stdout], sentence).to.deep.equal([2, '']);
      expect(ran.stderr).to.include(sentence);
    }
    for (const command of [['list'], ['tail'], ['export', '--out', at('never')]]) {
      const ran = await recado(...command, '--types', 'Nope');
      expect(ran.code, command[0]).to.equal(2);
      expect(ran.stderr).to.include('There is no event type Nope.');
    }
  });

  describe('at a pace', () => {
    const eventAt = (n: number, at: number): ReplayedEvent => ({
      line: '{}',
      position: String(n),
      type: 'T',
      id: 'i',
      stream: 's',
      at,
    });

    it('reads rates and speeds', () => {
      expect([
        readRate('100/s'),
        readRate('60/m'),
        readRate('5'),
        readRate('0'),
        readRate('x'),
      ]).to.deep.equal([100, 1, 5, undefined, undefined]);
      expect([readSpeed('10x'), readSpeed('0.5x'), readSpeed('fast')]).to.deep.equal([10, 0.5, undefined]);
      expect(dueAfter({ kind: 'rate', perSecond: 20 }, 10, 0)).to.equal(500);
      expect(dueAfter({ kind: 'speed', factor: 60 }, 10, 120_000)).to.equal(2_000);
      expect(dueAfter({ kind: 'speed', factor: 60 }, 10, -5), 'clocks that ran back').to.equal(0);
    });

    /** So many events, each so long after the one before; what was delivered of them together, and when. */
    async function replayed(clock: ManualClock, batch: number, times: readonly number[]) {
      const sent: { readonly at: number; readonly positions: readonly string[] }[] = [];
      const begun = clock.now();
      const target: Target = {
        name: 'test',
        batch,
        send: async (events) =>
          void sent.push({ at: clock.now() - begun, positions: events.map(({ position }) => position) }),
        close: async () => undefined,
      };
      async function* source(): AsyncGenerator<ReplayedEvent> {
        for (const [n, ms] of times.entries()) yield eventAt(n, ms);
      }
      const pace = { kind: 'speed', factor: 100 } as const;
      const replaying = replay({ events: source(), target, pace, clock, onDelivered: () => undefined });
      await clock.advance(Math.max(...times) / 100);
      return { sent, done: await replaying };
    }

    it('lets nothing go before its time, and delivers what is due before it waits', async () => {
      const { sent, done } = await replayed(manualClock(), 100, [0, 0, 6_000, 12_000]);
      expect(done).to.deep.equal({ events: 4, position: '3' });
      expect(sent).to.deep.equal([
        { at: 0, positions: ['0', '1'] },
        { at: 60, positions: ['2'] },
        { at: 120, positions: ['3'] },
      ]);
    });

    it('lets nothing go more than a millisecond early, though timers ring earlier than that', async () => {
      const clock = manualClock(0);
      const hasty = {
        ...clock,
        after: (ms: number, task: () => void) => clock.after(Math.max(0.5, ms - 2), task),
      };
      const times = Array.from({ length: 100 }, (_, n) => n * 760);
      const { sent } = await replayed(hasty, 1, times);
      const early = sent.map(({ at, positions }) => Number(positions[0]) * 7.6 - at);
      expect(early).to.have.length(100);
      expect(Math.max(...early))
        .to.be.greaterThan(0)
        .and.at.most(1.000_001);
    });
  });
});

describe('cli: events tail', function () {
  this.timeout(180_000);

  it('shows what happens from now on, over a server that goes away, until it is interrupted', async () => {
    const server = await openAdmin();
    // Stands in for the server's address: what it lets through is a server that is up.
    let up = true;
    let cut = 0;
    let asked = 0;
    const doorway = createServer((req, res) => {
      if (!up) {
        cut += 1;
        return void res.socket!.destroy();
      }
      if (req.url!.includes('/events?')) asked += 1;
      const inner = request(`${new URL(server.url).origin}${req.url}`, { headers: req.headers }, (answer) => {
        res.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(res);
      });
      inner.on('error', () => res.destroy());
      inner.end();
    }).listen(0, '127.0.0.1');
    await once(doorway, 'listening');
    const { port } = doorway.address() as AddressInfo;
    try {
      await server.call('POST', '/companies', { name: 'before' });
      const tail = runProcess(['events', 'tail', '--json', '--types', 'CompanyRegistered'], {
        env: {
          RECADO_ADMIN_URL: `http://127.0.0.1:${port}/admin/v1`,
          RECADO_ADMIN_TOKEN: ADMIN_TOKEN,
        },
        interruptAfter: '"name":"last"',
      });
      const waiting = (times: number) =>
        eventually(() => asked >= times, { timeoutMs: 60_000, what: 'the tail' });
      await waiting(1);
      await server.call('POST', '/companies', { name: 'n1' });
      await waiting(2);
      await server.call('POST', '/companies', { name: 'n2' });
      await waiting(3);
      up = false;
      doorway.closeAllConnections();
      await server.call('POST', '/companies', { name: 'n3' });
      await eventually(() => cut >= 2, { timeoutMs: 60_000, what: 'a tail that tries again' });
      await server.call('POST', '/companies', { name: 'last' });
      up = true;
      const { code, stdout, stderr } = await tail;
      expect(code, stderr).to.equal(130);
      const names = stdout
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { data: { name: string } }).data.name);
      expect(names).to.not.include('before');
      // None left out and none twice, also of those that happened while the server was away.
      expect(names).to.deep.equal(['n1', 'n2', 'n3', 'last']);
      expect(stderr).to.include('Waiting for it to come back').and.to.include('answers again');
    } finally {
      doorway.closeAllConnections();
      doorway.close();
      await server.close();
    }
  });
});
