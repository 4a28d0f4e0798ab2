/** `recado events replay` and `recado events tail`: sending past events elsewhere, and following new ones. */
import { readFile, writeFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { shortPosition } from '../../cli/position.js';
import { dueAfter, readRate, readSpeed } from '../../cli/replay/pace.js';
import { replay } from '../../cli/replay/run.js';
import type { ReplayedEvent, Target } from '../../cli/replay/target.js';
import { newCompany, openAdmin } from '../api/admin/server.js';
import { eventually } from '../support/e2e/eventually.js';
import { manualClock, type ManualClock } from '../support/fakes/manual-clock.js';
import { everyEvent } from '../support/history.js';
import { opened } from '../support/opened.js';
import { serve, serveBodies } from '../support/servers.js';
import { tempFolder } from '../support/temp-folder.js';
import { adminEnv, commands, rowsOf } from './commands.js';
import { openDoorway } from './doorway.js';
import { runProcess } from './process.js';

interface Seen {
  readonly headers: IncomingHttpHeaders;
  readonly lines: readonly { readonly position: string; readonly type: string }[];
}

describe('cli: events replay', () => {
  let endpoint: string;
  let seen: Seen[];
  /** Status of each response, in order; 200 after the last one. */
  let answers: number[];
  let all: readonly string[];

  const server = opened(openAdmin);
  const folder = opened(tempFolder);
  const receiver = opened(() =>
    serveBodies(({ headers }, res, body) => {
      const status = answers.shift() ?? 200;
      if (status < 300) {
        const lines = body.toString().trimEnd().split('\n');
        seen.push({ headers, lines: lines.map((line) => JSON.parse(line) as Seen['lines'][0]) });
      }
      res.writeHead(status, status === 503 ? { 'retry-after': '0' } : {}).end();
    }),
  );
  const environment = () => ({
    ...adminEnv(server.url),
    RECADO_REPLAY_AUTHORIZATION: 'Bearer of-the-receiver',
  });
  const { done, ends } = commands(environment, 'events');
  const at = (name: string): string => join(folder.path, name);
  before(async () => {
    await everyEvent(server.app);
    endpoint = `${receiver.origin}/events`;
    await done(`export --out ${at('all')}`);
    all = (await readFile(at('all/events.ndjson'), 'utf8')).trimEnd().split('\n');
  });
  beforeEach(() => {
    seen = [];
    answers = [];
  });

  const positionsOf = (lines: readonly string[]): string[] =>
    lines.map((line) => (JSON.parse(line) as { position: string }).position);
  const received = (): string[] => seen.flatMap(({ lines }) => lines.map(({ position }) => position));

  it('posts each event once and in order, with what a receiver needs to take it once', async () => {
    await done(`replay ${at('all')} --to ${endpoint}`);
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
    await done(`replay --to ${endpoint} --batch 2 --types OrderPlaced,OrderPaid,OrderConfirmed`);
    expect(seen.map(({ lines }) => lines.map(({ type }) => type))).to.deep.equal([
      ['OrderPlaced', 'OrderConfirmed'],
      ['OrderPaid'],
    ]);
    expect(seen[0]!.headers['content-type']).to.equal('application/x-ndjson');
  });

  it('tries again what may pass, gives up what is refused, and goes on behind what was delivered', async () => {
    answers = [200, 200, 503, 429, 200, 422];
    const progress = `--progress ${at('progress.json')}`;
    const replayed = `replay ${at('all')} --to ${endpoint} ${progress}`;
    const third = positionsOf(all)[2]!;
    const refused = await ends(replayed, 3, 'answered 503');
    expect(refused.stderr).to.include(`up to position ${third}`);
    expect(received()).to.deep.equal(positionsOf(all).slice(0, 3));
    await done(replayed);
    expect(received()).to.deep.equal(positionsOf(all));
    await ends(`replay ${at('all')} --to ${endpoint}/other ${progress}`, 2);
    const gone = await serve(() => undefined);
    await gone.close();
    await ends(`replay ${at('all')} --to ${gone.origin} --attempts 1 --from ${third}`, 5, 'ECONNREFUSED');
  });

  it('writes into a file, from behind one position up to another', async () => {
    const positions = positionsOf(all);
    const [from, until] = [positions[3]!, positions[9]!];
    await done(`replay --to file:${at('some.ndjson')} --from ${from} --until ${until}`);
    expect(await readFile(at('some.ndjson'), 'utf8')).to.equal(`${all.slice(4, 10).join('\n')}\n`);
    const shown = `--from ${shortPosition(from)} --until ${shortPosition(until)}`;
    await done(`replay --to file:${at('as-shown.ndjson')} ${shown}`);
    expect(await readFile(at('as-shown.ndjson'), 'utf8')).to.equal(await readFile(at('some.ndjson'), 'utf8'));
    await ends(`replay ${at('all')} --to file:- --from 2026-03-01`, 2);
  });

  it('says what it does not understand, and never a password', async () => {
    for (const [to, said] of [
      ['ftp://example.com', 'is no target'],
      ['kafka://user:geheim@broker:9092/topic', 'names no topic'],
      ['kafka://broker/topic', 'KAFKA_BROKERS'],
    ] as const) {
      const ran = await ends(`replay ${at('all')} --to ${to}`, 2, said);
      expect(ran.stderr, to).to.not.include('geheim');
    }
    await writeFile(
      at('exact.ndjson'),
      '{"position":"1","id":"x","type":"T","stream":"s-1","revision":0,"meta":{},"data":{}}\n',
    );
    await ends(`replay ${at('exact.ndjson')} --to ${endpoint}`, 2);
  });

  it('delivers nothing where it could not be what was meant', async () => {
    for (const [words, sentence] of [
      ['--to file:- --types OrderPaid,Nope', 'There is no event type Nope.'],
      ['--to file:- --from 2026-12-01 --until 2026-11-01', 'no event can be in between'],
      [`--to file:- --progress ${at('none/p.json')}`, "p.json can't be written"],
      [`--to file:${at('none/events')}`, 'its folder does not exist'],
      [`${at('none')} --to file:-`, 'Nothing was delivered.'],
    ] as const) {
      expect((await ends(`replay ${words}`, 2, sentence)).stdout, sentence).to.equal('');
    }
    for (const command of ['list', 'tail', `export --out ${at('never')}`]) {
      await ends(`${command} --types Nope`, 2, 'There is no event type Nope.');
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

    /** Replays this many events at this interval; returns the batches delivered, and when. */
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
  let asked = 0;
  const server = opened(openAdmin);
  const doorway = opened(() =>
    openDoorway(
      server.url,
      (_req, res, answer) => void answer.pipe(res),
      ({ url }) => void (asked += url!.includes('/events?') ? 1 : 0),
    ),
  );

  it('shows what happens from now on, over a server that goes away, until it is interrupted', async () => {
    const until = (condition: () => boolean, what: string) =>
      eventually(condition, { timeoutMs: 60_000, what });
    const asks = (times: number) => until(() => asked >= times, 'the tail');
    await newCompany(server, 'before');
    const tail = runProcess(['events', 'tail', '--json', '--types', 'CompanyRegistered'], {
      env: adminEnv(doorway.url),
      interruptAfter: '"name":"last"',
    });
    await asks(1);
    await newCompany(server, 'n1');
    await asks(2);
    await newCompany(server, 'n2');
    await asks(3);
    doorway.goAway();
    await newCompany(server, 'n3');
    await until(() => doorway.turnedAway >= 2, 'a tail that tries again');
    await newCompany(server, 'last');
    doorway.comeBack();
    const ran = await tail;
    expect(ran.code, ran.stderr).to.equal(130);
    const names = rowsOf(ran).map(({ data }) => (data as { name: string }).name);
    expect(names).to.not.include('before');
    // No event is missing or repeated, including those that happened while the server was unreachable.
    expect(names).to.deep.equal(['n1', 'n2', 'n3', 'last']);
    expect(ran.stderr).to.include('Waiting for it to come back').and.to.include('answers again');
  });
});
