/** `recado events export`: the files, their manifest, and the state after an interruption. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { parse } from 'csv-parse/sync';
import { expect } from 'chai';
import type { Manifest } from '../../cli/export/manifest.js';
import type { HistoryTexts } from '../../ports/history-texts.js';
import { EventDamaged, StoreUnavailable } from '../../ports/event-store.js';
import { describeEvents } from '../../application/history/types.js';
import { openAdmin } from '../api/admin/server.js';
import { eventually } from '../support/e2e/eventually.js';
import { built } from '../support/built.js';
import { everyEvent } from '../support/history.js';
import { opened } from '../support/opened.js';
import { tempFolder } from '../support/temp-folder.js';
import { adminEnv, commands } from './commands.js';
import { openDoorway } from './doorway.js';

const ROUNDS = 12;

describe('cli: events export', function () {
  this.timeout(180_000);
  let total: number;
  /** Position of the last of them. What follows is that exports were asked for. */
  let end: string;

  const server = opened(openAdmin);
  const folder = opened(tempFolder);
  const { done, ends } = commands(() => adminEnv(server.url), 'events');
  const at = (...names: string[]): string => join(folder.path, ...names);
  before(async () => {
    total = await everyEvent(server.app, { rounds: ROUNDS });
    end = String(await server.mark());
    for (const format of ['ndjson', 'parquet'])
      await done(`export --out ${at(format)} --format ${format} --to ${end}`);
  });

  const manifestOf = async (name: string): Promise<Manifest> =>
    JSON.parse(await readFile(at(name, 'manifest.json'), 'utf8')) as Manifest;
  const linesOf = async (name: string): Promise<readonly Record<string, unknown>[]> =>
    (await readFile(at(name, 'events.ndjson'), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  it('writes every event once, in order, with a manifest that its files can be held against', async () => {
    const events = await linesOf('ndjson');
    expect(events).to.have.length(total);
    const positions = events.map(({ position }) => position as string);
    expect(positions).to.deep.equal([...positions].sort());
    const manifest = await manifestOf('ndjson');
    expect(manifest.events).to.equal(total);
    expect(manifest.types).to.have.length(describeEvents().length);
    expect(manifest.types.reduce((sum, { events: count }) => sum + count, 0)).to.equal(total);
    expect(manifest.positions).to.include({ first: positions[0], last: positions[total - 1] });
    const [file] = manifest.files;
    const bytes = await readFile(at('ndjson', file!.name));
    expect(file).to.deep.equal({
      name: 'events.ndjson',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      rows: total,
    });
    expect(await readdir(at('ndjson'))).to.have.members(['events.ndjson', 'manifest.json']);
  });

  it('shows nothing personal and nothing secret, and says who an event is about', async () => {
    const text = await readFile(at('ndjson', 'events.ndjson'), 'utf8');
    for (const secret of ['Beatriz', '553188887777', '"box"', 'v1.', 'customer-42']) {
      expect(text).to.not.include(secret);
    }
    const created = (await linesOf('ndjson')).find(({ type }) => type === 'ContactCreated')!;
    expect(created['data']).to.include({ name: '***', phone: '***', source: 'send' });
    expect(created['person']).to.equal((created['data'] as Record<string, unknown>)['subject']);
  });

  it('asks before personal data is written, and says so in the log', async () => {
    await ends(`export --out ${at('personal')} --include-personal`, 2, '--yes');
    await done(`export --out ${at('personal')} --include-personal --yes`);
    const created = (await linesOf('personal')).find(({ type }) => type === 'ContactCreated')!;
    expect(created['data']).to.include({ phone: '+553188887777' });
    expect(await readFile(at('personal', 'events.ndjson'), 'utf8')).to.not.match(
      /"(?:\w+_sealed|\w*secret_hash)":"v1/,
    );
  });

  it('divides the history by times and positions without sharing or leaving out an event', async () => {
    const days = ['2026-03-01', '2026-03-01T07:00:30-03:00', '2026-03-02', '2026-03-05'];
    const pieces: unknown[] = [];
    for (const [index, from] of days.entries()) {
      const name = `day-${index}`;
      const until = days[index + 1];
      await done(`export --out ${at(name)} --from ${from} --to ${until ?? end}`);
      const { events, positions } = await manifestOf(name);
      if (events > 0) pieces.push(...(await linesOf(name)).map(({ position }) => position));
      if (index === 1) {
        // From a position (exclusive) up to another (inclusive): the manifest's range can be requested again.
        await done(`export --out ${at('day-again')} --from ${positions.after!} --to ${positions.up_to!}`);
        expect(await readFile(at('day-again', 'events.ndjson'))).to.deep.equal(
          await readFile(at(name, 'events.ndjson')),
        );
      }
    }
    expect(pieces).to.deep.equal((await linesOf('ndjson')).map(({ position }) => position));
    const second = (await linesOf('day-1'))[0]!;
    expect(second['occurred_at']).to.equal('2026-03-01T10:01:00.000Z');
    for (const place of ['soon', '2026-13-40', '41']) {
      await ends(`export --out ${at('nowhere')} --from ${place}`, 2, 'query.from');
    }
  });

  it('narrows by type and company', async () => {
    const company = (await linesOf('ndjson'))[1]!['company_uuid'] as string;
    await done(`export --out ${at('some')} --types OrderPlaced,SendFailed --company ${company}`);
    const wanted = (await linesOf('ndjson')).filter(
      ({ type, company_uuid }) =>
        (type === 'OrderPlaced' || type === 'SendFailed') && company_uuid === company,
    );
    expect(await linesOf('some')).to.deep.equal(wanted);
    expect(wanted.length).to.be.greaterThan(2);
  });

  it('makes a table of each type, with columns of the types of its fields', async () => {
    const read = async (name: string): Promise<readonly Record<string, unknown>[]> =>
      parquetReadObjects({ file: await asyncBufferFromFile(at('parquet', `${name}.parquet`)) });
    const events = await read('events');
    const lines = await linesOf('ndjson');
    expect(events.map(({ position, type }) => [position, type])).to.deep.equal(
      lines.map(({ position, type }) => [position, type]),
    );
    expect((events[0]!['occurred_at'] as Date).toISOString()).to.equal(lines[0]!['occurred_at']);
    const orders = await read('types/OrderPlaced');
    const placed = lines
      .filter(({ type }) => type === 'OrderPlaced')
      .map(({ data }) => data as Record<string, unknown>);
    expect(orders.map(({ total_cents }) => total_cents)).to.deep.equal(
      placed.map(({ total_cents }) => BigInt(total_cents as number)),
    );
    expect(orders[0]!['items']).to.deep.equal(placed[0]!['items']);
    expect(orders[0]).to.not.have.property('customer');
    const slots = await read('types/SlotTaken');
    expect(slots[0]!['counted']).to.be.a('boolean');
    expect(slots[0]!['at']).to.be.instanceOf(Date);
    const manifest = await manifestOf('parquet');
    expect(manifest.files).to.have.length(describeEvents().length + 1);
    expect(manifest.files.reduce((sum, { rows }) => sum + rows, 0)).to.equal(2 * total);
    expect(await readdir(at('parquet'))).to.have.members(['events.parquet', 'manifest.json', 'types']);
  });

  it('has a table, with its columns and no row, of what did not happen', async () => {
    const nobodys = '--types OrderPaid,SendFailed --company 00000000-0000-4000-8000-00000000dead';
    await done(`export --out ${at('none')} --format parquet ${nobodys}`);
    expect(await readdir(at('none/types'))).to.have.members(['OrderPaid.parquet', 'SendFailed.parquet']);
    const file = await asyncBufferFromFile(at('none/types/SendFailed.parquet'));
    expect(await parquetReadObjects({ file })).to.deep.equal([]);
    const { schema } = await parquetMetadataAsync(file);
    expect(schema.map(({ name }) => name)).to.include.members(['position', 'stream_uuid', 'code']);
  });

  it('writes the same as CSV', async () => {
    await done(`export --out ${at('csv')} --format csv --types OrderPlaced`);
    const csv = await readFile(at('csv', 'types', 'OrderPlaced.csv'));
    const rows: readonly Record<string, string>[] = parse(csv, { columns: true });
    const placed = (await linesOf('ndjson')).filter(({ type }) => type === 'OrderPlaced');
    expect(rows.map(({ position, total_cents }) => [position, total_cents])).to.deep.equal(
      placed.map(({ position, data }) => [
        position,
        String((data as Record<string, unknown>)['total_cents']),
      ]),
    );
    expect(JSON.parse(rows[0]!['items']!)).to.deep.equal(
      (placed[0]!['data'] as Record<string, unknown>)['items'],
    );
    expect(rows[0]!['occurred_at']).to.equal(placed[0]!['occurred_at']);
  });

  it('writes into a new or empty folder only', async () => {
    await ends(`export --out ${at('ndjson')}`, 2, 'holds an export already');
    await ends(`export --out ${at('new')} --resume`, 2);
  });

  describe('that can not go on', () => {
    /** Makes reading the history fail this many times from its second page on; none succeeds in between. */
    function failing(error: Error, times: number): () => void {
      const sound = { ...server.historyTexts };
      let left = times;
      const read: HistoryTexts['read'] = async (asked) => {
        if (asked.after === '' || left <= 0) return sound.read(asked);
        left -= 1;
        throw error;
      };
      Object.assign(server.historyTexts, { read });
      return () => void Object.assign(server.historyTexts, sound);
    }

    it('says which event the server can not read, and how far it came', async () => {
      const heal = failing(new EventDamaged('the event at position 201 does not match its checksum'), 1);
      const { stderr } = await ends(`export --out ${at('damaged')} --to ${end}`, 1);
      heal();
      expect(stderr).to.match(/The history can not be read: the event at position 201 .*checksum/);
      expect(stderr).to.match(/Stopped after [1-9]\d* events\. Resume with --resume\./);
      expect(stderr).to.match(/Request id: \S+/);
      await done(`export --out ${at('damaged')} --to ${end} --resume`);
      expect((await manifestOf('damaged')).files).to.deep.equal((await manifestOf('ndjson')).files);
    });

    it('tries again while the store of the server is away, then says so', async () => {
      const heal = failing(new StoreUnavailable('gone for a moment'), 2);
      const { stderr } = await done(`export --out ${at('away')} --to ${end}`);
      heal();
      expect(stderr.match(/temporarily unavailable.*Trying again\./g)).to.have.length(2);
      expect((await manifestOf('away')).files).to.deep.equal((await manifestOf('ndjson')).files);
    });

    it('says that the output can not be written', async () => {
      const heal = failing(new EventDamaged('the event at position 201 does not match its checksum'), 1);
      await ends(`export --out ${at('blocked')} --to ${end}`, 1);
      heal();
      await rm(at('blocked', 'events.ndjson'));
      await mkdir(at('blocked', 'events.ndjson'));
      const { stderr } = await ends(
        `export --out ${at('blocked')} --to ${end} --resume`,
        1,
        "can't be written: EISDIR",
      );
      expect(stderr)
        .to.match(/repeat the command with --resume/)
        .and.not.match(/unexpected/);
    });
  });

  describe('that is interrupted', () => {
    /** Bytes of each response that pass before the connection is cut; null lets all pass. */
    let lets: number | null;
    let asked: string[];

    // A proxy between client and server, so that an export can be stopped anywhere.
    const doorway = opened(() =>
      openDoorway(server.url, (req, res, answer) => {
        const streamed = req.url!.includes('/events/export');
        if (streamed) asked.push(req.url!);
        if (!streamed || lets === null) return void answer.pipe(res);
        let left = lets;
        answer.on('data', (piece: Buffer) => {
          res.write(piece.subarray(0, left));
          left -= piece.length;
          if (left <= 0) res.socket!.destroySoon();
        });
      }),
    );
    const cut = commands(() => adminEnv(doorway.url), 'events');
    beforeEach(() => {
      lets = null;
      asked = [];
    });

    it('asks again behind its last whole line when the connection is cut', async () => {
      lets = 150_000;
      await cut.done(`export --out ${at('cut')} --to ${end}`);
      expect(asked.length).to.be.greaterThan(2);
      expect(await readFile(at('cut', 'events.ndjson'))).to.deep.equal(
        await readFile(at('ndjson', 'events.ndjson')),
      );
    });

    for (const format of ['ndjson', 'parquet'] as const) {
      it(`is finished by --resume after it was killed: ${format}, byte for byte`, async () => {
        const name = `killed-${format}`;
        const lines = at(name, format === 'ndjson' ? 'events.ndjson' : 'events.ndjson.part');
        lets = 60_000;
        const child = spawn(
          process.execPath,
          [
            await built('cli/main.ts'),
            'events',
            'export',
            '--out',
            at(name),
            '--format',
            format,
            '--to',
            end,
          ],
          { env: adminEnv(doorway.url) },
        );
        const ended = once(child, 'exit');
        await eventually(
          async () => {
            const { size } = await stat(lines);
            return size >= 30_000;
          },
          { timeoutMs: 120_000, what: 'the first lines' },
        );
        child.kill('SIGKILL');
        await ended;
        expect(await readdir(at(name)))
          .to.include('export.state.json')
          .and.to.not.include('manifest.json');
        // A killed process may leave part of a line at the end of a file.
        const left = await readFile(lines);
        await truncate(lines, left.length - 7);
        await cp(at(name), at(`${name}-otherwise`), { recursive: true });
        lets = null;
        const otherwise = at(`${name}-otherwise`);
        await cut.ends(
          `export --out ${otherwise} --format ${format} --to ${end} --types OrderPaid --resume`,
          2,
        );
        await cut.done(`export --out ${at(name)} --format ${format} --to ${end} --resume`);
        const [resumed, uninterrupted] = [await manifestOf(name), await manifestOf(format)];
        expect(resumed.files).to.deep.equal(uninterrupted.files);
        const whole = { ...uninterrupted, made_at: '', source: '' };
        expect({ ...resumed, made_at: '', source: '' }).to.deep.equal(whole);
        expect(asked[asked.length - 1], 'it did not begin again').to.match(/from=0+[1-9]/);
      });
    }
  });
});
