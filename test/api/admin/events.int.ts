/**
 * `/admin/v1/events…`: ranges, waiting for new events, and masked lines that are built from text but equal the listed
 * events.
 */
import { expect } from 'chai';
import { createRecordedCheck } from '../../../application/history/check-recorded.js';
import { describeEvents } from '../../../application/history/types.js';
import { textsOf } from '../../../application/history/texts.js';
import { createMaskedLines } from '../../../api/admin/masked-lines.js';
import { presentEvent } from '../../../api/admin/masking.js';
import { createCodec } from '../../../application/codec.js';
import { createRegistry } from '../../../domain/catalog.js';
import { START } from '../../../ports/event-store.js';
import { frozenKeys, MANIFEST, readFrozen, type FrozenEvent } from '../../support/frozen-events.js';
import { everyEvent } from '../../support/history.js';
import { ADMIN_TOKEN, openAdmin } from './server.js';
import { opened } from '../../support/opened.js';

describe('admin API: the history', () => {
  let total: number;

  const server = opened(openAdmin);
  before(async () => {
    total = await everyEvent(server.app, { rounds: 2 });
  });

  const exported = async (query: string): Promise<readonly string[]> => {
    const answer = await fetch(`${server.url}/events/export?${query}`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('application/x-ndjson');
    return (await answer.text()).trimEnd().split('\n');
  };

  it('exports the very events that it lists, and ends with a line that says so', async () => {
    const lines = await exported('');
    const listed = (await server.pages('/events?limit=100')).flat();
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as unknown)).to.deep.equal(listed);
    // The last of them is that the export was asked for.
    total += 1;
    const last = listed[total - 1] as { position: string; type: string };
    expect(last.type).to.equal('UpkeepRequested');
    expect(JSON.parse(lines[total]!)).to.deep.equal({ end: { events: total, position: last.position } });
  });

  it('makes the same lines whether a store keeps texts or records', async () => {
    const { registry, store } = server.app;
    const { records } = await store.readAll({ after: START, limit: 1_000 });
    const expected = records.map((record) => `${JSON.stringify(presentEvent(registry, record))}\n`);
    for (const texts of [server.historyTexts, textsOf(store)]) {
      const line = createMaskedLines({ registry });
      const found = await texts.read({ after: START, limit: 1_000 });
      expect(found.records.map(line)).to.deep.equal(expected);
      const some = await texts.read({ after: START, limit: 1_000, types: ['OrderPlaced', 'NoSuchType'] });
      expect(some.records.map(({ type }) => type)).to.deep.equal(['OrderPlaced', 'OrderPlaced']);
      expect(some.atEnd).to.equal(true);
    }
  });

  it('knows every version of every event that was ever released', async () => {
    const registry = createRegistry();
    const line = createMaskedLines({ registry });
    for (const erased of [false, true]) {
      const codec = createCodec(registry, frozenKeys({ erased }));
      const check = createRecordedCheck(registry.definitions);
      for (const [name, bytes] of readFrozen()) {
        if (name === MANIFEST) continue;
        const { record } = JSON.parse(bytes.toString()) as FrozenEvent;
        const text = { ...record, meta: JSON.stringify(record.meta), data: JSON.stringify(record.data) };
        expect(line(text), name).to.equal(`${JSON.stringify(presentEvent(registry, record))}\n`);
        const [recorded] = await codec.decodeAll([record]);
        expect(check(recorded!), name).to.equal(null);
      }
    }
    const check = createRecordedCheck(registry.definitions);
    const { records } = await server.app.store.readAll({ after: START, limit: 1 });
    const [one] = await server.app.codec.decodeAll(records);
    const broken = { ...one!, event: { ...one!.event, data: { ...one!.event.data, company_uuid: 7 } } };
    expect(check(broken)).to.include('does not fit its schema').and.to.not.include('7');
    const newer = { ...one!, record: { ...one!.record, meta: { ...one!.record.meta, schema_version: 99 } } };
    expect(check(newer)).to.include('99');
  });

  it('is not fooled by data that looks like a box', async () => {
    const { registry } = server.app;
    const { records } = await server.historyTexts.read({ after: START, limit: 1, types: ['OrderPlaced'] });
    const [order] = records;
    const odd = order!.data.replace(
      '"tracking":{',
      '"tracking":{"sealed":{"key":"x","box":"y"},"a":"\\"sealed\\":{\\"key\\":\\"",',
    );
    expect(odd).to.not.equal(order!.data);
    const line = createMaskedLines({ registry })({ ...order!, data: odd });
    const record = { ...order!, meta: JSON.parse(order!.meta) as never, data: JSON.parse(odd) as never };
    expect(line).to.equal(`${JSON.stringify(presentEvent(registry, record))}\n`);
    // The codec writes the sealed box last. A box elsewhere is not the codec's, and the text behind it must not pass
    // for it.
    const [box] = /"sealed":\{"key":"[^"]+","box":"[^"]+"\}(?=\}$)/.exec(odd)!;
    const swapped = `{${box},${odd.slice(1, -box.length - 2)}}`;
    const first = createMaskedLines({ registry })({ ...order!, data: swapped });
    expect(first).to.include('"customer":"***"');
    expect(first).to.not.include(box);
  });

  it('masks every secret, whatever it holds', async () => {
    const { registry } = server.app;
    const { records } = await server.historyTexts.read({
      after: START,
      limit: 1,
      types: ['WebhookSecretRotated'],
    });
    const line = createMaskedLines({ registry });
    const secret = 'v1.k"\\secret';
    for (const data of [
      { secret_sealed: secret, previous_secret_sealed: null, previous_expires_at: null },
      { secret_sealed: 'v1.secret', previous_secret_sealed: 'v1.secret', previous_expires_at: 'x' },
      { secret_sealed: ['secret'], previous_secret_sealed: 7, previous_expires_at: null },
      { secret_sealed: { a: 'secret' }, previous_expires_at: null },
      { previous_expires_at: { secret_sealed: 'not the member' }, secret_sealed: 'v1.secret' },
      { previous_expires_at: '"secret_sealed":"told of"', secret_sealed: 'v1.secret' },
    ]) {
      const record = { ...records[0]!, meta: JSON.parse(records[0]!.meta) as never, data };
      const found = line({ ...records[0]!, data: JSON.stringify(data) });
      expect(found).to.equal(`${JSON.stringify(presentEvent(registry, record))}\n`);
      expect(found).to.include('"secret_sealed":"***"').and.to.not.match(/v1|\[/);
    }
  });

  it('resolves ranges, and refuses what is no place', async () => {
    const all = (await server.call('GET', '/events/range')).data;
    expect([all['after'], all['from_sequence'], all['to_sequence']]).to.deep.equal([null, 0, total]);
    const day = (await server.call('GET', '/events/range?from=2026-03-01T00:10Z&to=2026-03-01T00:20:00.000Z'))
      .data;
    expect([day['from_sequence'], day['to_sequence']]).to.deep.equal([10, 20]);
    const late = (await server.call('GET', '/events/range?from=2036-01-01')).data;
    expect([late['from_sequence'], late['to_sequence']]).to.deep.equal([total, total]);
    for (const place of ['x', '12', '2026-02-31T99:00Z', '2026-02-30', `${all['up_to'] as string}0`]) {
      const { status, code } = await server.call('GET', `/events/export?from=${place}`);
      expect([status, code], place).to.deep.equal([422, 'validation_failed']);
    }
  });

  it('refuses a range that ends before it begins, in each list that takes one', async () => {
    const { list } = await server.call('GET', '/events?limit=2');
    const [first, second] = list.map(({ position }) => String(position));
    const ranges = [
      `from=${second!}&to=${first!}`,
      'from=2026-03-01T00:20Z&to=2026-03-01T00:10Z',
      // Between two events, and after the last one.
      'from=2026-03-01T00:10:30Z&to=2026-03-01T00:10:20Z',
      'from=2036-01-02&to=2036-01-01',
      `from=2026-03-01T00:20Z&to=${first!}`,
    ];
    for (const range of ranges) {
      for (const path of ['/events', '/events/range', '/events/export', '/audit']) {
        const { status, body } = await server.call('GET', `${path}?${range}`);
        expect(status, `${path}?${range}`).to.equal(422);
        expect(JSON.stringify(body)).to.include('"path":"query.to","code":"range_not_possible"');
      }
    }
    expect((await server.call('GET', `/events?from=${first!}&to=${first!}`)).list).to.deep.equal([]);
  });

  it('lists newest first: every event once, also in a range, a stream, and by actor or correlation', async () => {
    type Listed = { id: string; position: string; stream: string; correlation_id: string };
    const all = (await server.pages('/events?limit=100')).flat() as unknown as Listed[];
    const back = async (query: string) =>
      (await server.pages(`/events?limit=7&order=desc&${query}`)).flat() as unknown as Listed[];
    expect(await back('')).to.deep.equal([...all].reverse());
    const [from, to] = [all[4]!, all[11]!];
    expect((await back(`from=${from.position}&to=${to.position}`)).map(({ id }) => id)).to.deep.equal(
      all
        .slice(5, 12)
        .reverse()
        .map(({ id }) => id),
    );
    const one = await server.call('GET', `/events?order=desc&limit=1&to=${to.position}`);
    expect(one.list.map(({ id }) => id)).to.deep.equal([to.id]);
    const stream = all.filter((event) => event.stream === to.stream);
    expect(await back(`stream=${to.stream}`)).to.deep.equal([...stream].reverse());
    for (const order of ['asc', 'desc']) {
      const found = (
        await server.pages(
          `/events?limit=7&order=${order}&correlation=${encodeURIComponent(to.correlation_id)}`,
        )
      ).flat() as unknown as Listed[];
      const expected = all.filter(({ correlation_id }) => correlation_id === to.correlation_id);
      expect(found).to.deep.equal(order === 'asc' ? expected : expected.reverse());
    }
    expect(await back('actor=nobody')).to.deep.equal([]);
    expect((await server.call('GET', '/events?order=desc&after=x')).code).to.equal('invalid_cursor');
  });

  it('continues from the newest page without a gap', async () => {
    const { body } = await server.call('GET', '/events?order=desc&limit=1');
    const { position } = body['meta'] as { position: string };
    await server.call('POST', '/companies', { name: 'Depois' });
    const news = await server.call('GET', `/events?after=${position}`);
    expect(news.list.map(({ type }) => type)).to.deep.equal(['CompanyRegistered']);
  });

  it('holds an empty page back until there is something to put on it', async () => {
    const head = (await server.call('GET', '/events/range')).data['up_to'] as string;
    const waiting = server.call('GET', `/events?after=${head}&types=CompanyRegistered&wait=30`);
    await server.call('POST', '/companies', { name: 'Nova' });
    const { list, body } = await waiting;
    expect(list.map(({ type }) => type)).to.deep.equal(['CompanyRegistered']);
    const { position } = body['meta'] as { position: string };
    expect(position).to.equal(list[0]!['position']);
    const begun = performance.now();
    const nothing = await server.call('GET', `/events?after=${position}&wait=1`);
    expect(nothing.list).to.deep.equal([]);
    expect(performance.now() - begun).to.be.at.least(900);
    expect((nothing.body['meta'] as { position: string }).position).to.equal(position);
  });

  it('describes every field of every type', () => {
    const types = describeEvents();
    const order = types.find(({ type }) => type === 'OrderPlaced')!;
    const field = (name: string) => order.fields.find((one) => one.name === name);
    expect(field('total_cents')).to.deep.include({ type: 'integer', nullable: false, personal: false });
    expect(field('contact_uuid')).to.deep.include({ type: 'uuid', nullable: true });
    expect(field('customer')).to.deep.include({ type: 'json', nullable: true, personal: true });
    expect(field('fulfillment')!.values).to.deep.equal(['delivery', 'pickup']);
    expect(
      types.flatMap(({ fields }) => fields).filter(({ type }) => type === 'timestamp').length,
    ).to.be.greaterThan(8);
    expect(types.every(({ description }) => description.length > 10)).to.equal(true);
  });
});
