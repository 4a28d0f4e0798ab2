/** docs/analysts.md is true: its queries give the right results for an export of a known month. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openAdmin } from '../api/admin/server.js';
import { liveThroughMonth, shopMonth, type Truth } from '../support/shop-month.js';
import { answerAll, MORE, QUESTIONS, rowsOfAll, type Answered, type Row } from '../tools/analysts.js';
import { projectFile } from '../support/root.js';
import { opened } from '../support/opened.js';
import { tempFolder } from '../support/temp-folder.js';
import { adminEnv, commands } from './commands.js';

const PAGE = projectFile('docs/analysts.md');

describe('what analysts ask an export', function () {
  this.timeout(180_000);
  let month: ReturnType<typeof shopMonth>;
  let truth: Truth;
  let answers: ReadonlyMap<string, Answered>;
  let more: ReadonlyMap<string, readonly Row[]>;

  const server = opened(openAdmin);
  const folder = opened(tempFolder);
  before(async () => {
    month = shopMonth();
    truth = month.truth;
    await liveThroughMonth(server.app, month);
    const out = join(folder.path, 'month');
    await commands(() => adminEnv(server.url)).done(`events export --out ${out} --format parquet`);
    answers = new Map((await answerAll(out)).map((answer) => [answer.question, answer]));
    more = new Map((await rowsOfAll(out, MORE)).map(({ question, rows }) => [question, rows]));
  });

  const rowsOf = (question: string): readonly Row[] => answers.get(question)!.rows;
  const counted = (question: string, keyOf: (row: Row) => string, value: string): object =>
    Object.fromEntries(rowsOf(question).map((row) => [keyOf(row), Number(row[value])]));

  it('the funnel of a campaign', () => {
    expect(counted('campaign-funnel', (row) => String(row['name']), 'people')).to.deep.equal(truth.funnel);
    expect(truth.funnel['accepted']).to.equal(300);
    expect(truth.funnel['paid']).to.be.greaterThan(10);
  });

  it('refusals by gate', () => {
    const found = counted('refusals-by-gate', ({ gate, category }) => `${gate} ${category}`, 'messages');
    expect(found).to.deep.equal(truth.refusals);
    expect(Object.keys(found).length).to.be.greaterThan(4);
  });

  it('response times by hour', () => {
    const expected = Object.entries(truth.waits).map(([hour, waits]) => {
      const sorted = [...waits].sort((a, b) => a - b);
      const at = (q: number): number => sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!;
      return { hour: Number(hour), questions: waits.length, median_minutes: at(0.5), p90_minutes: at(0.9) };
    });
    expect(rowsOf('response-times')).to.deep.equal(expected);
    expect(expected.length).to.be.greaterThan(8);
  });

  it('revenue by product', () => {
    const found = Object.fromEntries(
      rowsOf('revenue-by-product').map(({ product, came_from, revenue }) => [
        `${product}|${came_from}`,
        Math.round(Number(revenue) * 100),
      ]),
    );
    expect(found).to.deep.equal(truth.revenue);
    expect(Object.keys(found).join()).to.include('click-to-WhatsApp ad').and.to.include('black-friday');
  });

  it('deliveries by hour', () => {
    const found = counted('delivery-by-hour', ({ hour, status }) => `${hour} ${status}`, 'messages');
    expect(found).to.deep.equal(truth.statuses);
  });

  it('opt-outs after a campaign', () => {
    expect(more.get('opt-outs')).to.deep.equal([
      { recipients: truth.funnel['sent'], opted_out: truth.optOuts },
    ]);
    expect(truth.optOuts).to.be.greaterThan(3);
  });

  it('statuses by day', () => {
    const rows = more.get('statuses-by-day') ?? [];
    expect(rows.length).to.be.greaterThan(10);
    for (const status of ['sent', 'delivered', 'read']) {
      const inAll = Object.entries(truth.statuses).filter(([key]) => key.endsWith(` ${status}`));
      const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
      expect(sum(rows.map((row) => Number(row[status]))), status).to.equal(
        sum(inAll.map(([, count]) => count)),
      );
    }
  });

  it('gates by template', () => {
    const found = Object.fromEntries(
      (more.get('gates-by-template') ?? []).map(({ template, gate, messages }) => [
        `${gate} MARKETING`,
        template === 'black_friday' ? Number(messages) : -1,
      ]),
    );
    const ofTemplates = Object.entries(truth.refusals).filter(([key]) => key.endsWith(' MARKETING'));
    expect(found).to.deep.equal(Object.fromEntries(ofTemplates));
  });

  it('first answers in conversations', () => {
    const first = new Map<unknown, number>();
    const answered = new Map<unknown, number>();
    for (const { at, event } of month.events) {
      const conversation = event.data['conversation_uuid'];
      if (event.type === 'MessageReceived' && !first.has(conversation)) first.set(conversation, at);
      if (event.type === 'MessageQueued' && first.has(conversation) && !answered.has(conversation))
        answered.set(conversation, at);
    }
    const waits = [...answered].map(([conversation, at]) => (at - first.get(conversation)!) / 60_000);
    const sorted = waits.sort((a, b) => a - b);
    const at = (q: number): number =>
      Number(sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!.toFixed(1));
    expect(more.get('first-answers')).to.deep.equal([
      {
        conversations: first.size,
        answered: answered.size,
        median_minutes: at(0.5),
        p90_minutes: at(0.9),
      },
    ]);
    expect(first.size).to.be.greaterThan(100);
  });

  it('revenue by month', () => {
    const expected: Record<string, number> = {};
    for (const [key, cents] of Object.entries(truth.revenue)) {
      const product = key.slice(0, key.indexOf('|'));
      expected[product] = (expected[product] ?? 0) + cents;
    }
    const rows = more.get('revenue-by-month') ?? [];
    const byProduct: Record<string, number> = {};
    for (const { product, revenue } of rows)
      byProduct[String(product)] = (byProduct[String(product)] ?? 0) + Math.round(Number(revenue) * 100);
    expect(byProduct).to.deep.equal(expected);
    expect(new Set(rows.map((row) => row['month']))).to.include('2026-11');
  });

  it('one order with its conversation', () => {
    const rows = more.get('one-order') ?? [];
    const types = rows.map(({ type }) => type);
    expect(types.slice(types.indexOf('OrderPlaced'))).to.include.ordered.members([
      'OrderPlaced',
      'OrderConfirmed',
      'OrderPaid',
    ]);
    expect(types).to.include('MessageQueued');
    const orders = rows.filter(({ type }) => String(type).startsWith('Order'));
    expect(new Set(orders.map((row) => row['stream_uuid'])).size).to.equal(1);
  });

  it('draws the plots that the page shows', async () => {
    for (const [question, { svg }] of answers) {
      const path = join(QUESTIONS, `${question}.svg`);
      if (process.env['RECADO_WRITE_PLOTS'] === 'on') await writeFile(path, svg);
      expect(await readFile(path, 'utf8'), question).to.equal(svg);
    }
  });

  it('and the page has every question with its plot, word for word', async () => {
    const page = await readFile(PAGE, 'utf8');
    const files = await readdir(QUESTIONS);
    expect(answers.size).to.equal(5);
    for (const question of answers.keys()) {
      expect(files).to.include.members([`${question}.sql`, `${question}.vl.json`, `${question}.svg`]);
      expect(page).to.include(await readFile(join(QUESTIONS, `${question}.sql`), 'utf8'));
      expect(page).to.include(`(analysts/${question}.svg)`);
    }
    expect(more.size).to.equal(6);
    for (const question of more.keys())
      expect(page).to.include(await readFile(join(MORE, `${question}.sql`), 'utf8'));
  });
});
