/** How tables and fields are shown to people: times, positions, states, nested objects. */
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'chai';
import type { Io } from '../../cli/io.js';
import { createOutput, type Column, type OutputOptions } from '../../cli/output.js';
import { place, shortPosition } from '../../cli/position.js';
import { counted, createShow } from '../../cli/readable.js';

const AT = '2026-11-20T14:03:11.482Z';

/** The printed text, on a terminal if the caller asks for one. */
function printed(
  print: (out: ReturnType<typeof createOutput>) => void,
  options: OutputOptions = {},
  { terminal = false, env = {} }: { terminal?: boolean; env?: Readonly<Record<string, string>> } = {},
): { readonly stdout: string; readonly stderr: string } {
  const [stdout, stderr] = [[], []] as [string[], string[]];
  const stream = (into: string[]) => ({ isTTY: terminal, write: (text: string) => into.push(text) });
  const io = { env: { TZ: 'America/Sao_Paulo', ...env }, stdout: stream(stdout), stderr: stream(stderr) };
  print(createOutput(io as unknown as Io, options));
  return { stdout: stdout.join(''), stderr: stderr.join('') };
}

const COLUMNS: readonly Column[] = [
  ['POSITION', 'position'],
  ['WHEN', 'at'],
  ['STATUS', 'status'],
];
const ROW = { position: '00000000000000012345', at: AT, status: 'failed' };

describe('cli: what people read', () => {
  it('shows times of the machine, or UTC, and JSON as the API says it', () => {
    const list = (options: OutputOptions) => printed((out) => out.list([ROW], COLUMNS), options).stdout;
    expect(list({})).to.match(/\n@12345 +2026-11-20 11:03:11 +failed\n$/);
    expect(list({ utc: true })).to.match(/\n@12345 +2026-11-20 14:03:11Z +failed\n$/);
    expect(JSON.parse(list({ json: true }))).to.deep.equal([ROW]);
    expect(printed((out) => out.one(ROW)).stdout).to.match(/^position +@12345\nat +2026-11-20 11:03:11\n/);
  });

  it('goes by a zone that nobody knows as by that of the machine', () => {
    expect(createShow({ utc: false, timeZone: ':/etc/localtime' })(AT)).to.match(/^2026-11-\d\d \d\d:03:11$/);
  });

  it('takes what is no time for a text', () => {
    const show = createShow({ utc: true });
    for (const text of ['2026-11-20', `um ${AT}`, '14:03', '00000000000000012345']) {
      expect(show(text)).to.equal(text);
    }
  });

  it('shortens positions so that they can be typed again', () => {
    for (const whole of [
      '00000000000000012345',
      '00000000000000000007-00000000000000000003',
      '0'.repeat(20),
    ]) {
      const short = shortPosition(whole);
      expect(short.length).to.be.lessThan(whole.length);
      expect(place(short)).to.equal(whole);
      expect(place(whole)).to.equal(whole);
    }
    for (const text of ['2026-11-20', '2026-11-20T14:00Z', '41', '2026-11', 'yesterday', '@', '']) {
      expect(place(text)).to.equal(text);
    }
  });

  it('colours states on a terminal only, and where nobody forbids it', () => {
    const list = (options: OutputOptions, on: Parameters<typeof printed>[2]) =>
      printed((out) => out.list([ROW], COLUMNS), options, on).stdout;
    const red = '\u001b[31mfailed\u001b[39m';
    expect(list({}, { terminal: true })).to.include(red);
    expect(printed((out) => out.one(ROW), {}, { terminal: true }).stdout).to.include(red);
    for (const [options, on] of [
      [{}, {}],
      [{ color: false }, { terminal: true }],
      [{}, { terminal: true, env: { NO_COLOR: '1' } }],
      [{}, { terminal: true, env: { CLICOLOR: '0' } }],
      [{}, { terminal: true, env: { TERM: 'dumb' } }],
      [{ json: true }, { terminal: true }],
    ] as const) {
      expect(list(options, on)).to.not.include('\u001b');
    }
    const named = { name: 'failed' };
    const { stdout } = printed((out) => out.list([named], [['NAME', 'name']]), {}, { terminal: true });
    expect(stdout, 'a name is no state').to.not.include('\u001b[31m');
  });

  it('lines columns up, coloured or not', () => {
    const rows = [ROW, { ...ROW, status: 'ok' }];
    const columns: readonly Column[] = [
      ['STATUS', 'status'],
      ['WHEN', 'at'],
    ];
    const { stdout } = printed((out) => out.list(rows, columns), {}, { terminal: true });
    const bare = stripVTControlCharacters(stdout).split('\n');
    expect(bare.slice(0, 3).map((line) => line.search(/WHEN|2026/))).to.deep.equal([8, 8, 8]);
  });

  it('indents things within things, and writes them in words in a cell', () => {
    const thing = {
      uuid: 'u-1',
      marketing: { enabled: true, caps: { per_day: 1000 } },
      items: [
        { sku: 'CAN-1', quantity: 2 },
        { sku: 'CAN-2', quantity: 1 },
      ],
      tags: ['vip', 'novo'],
      nothing: null,
      none: [],
      empty: {},
    };
    expect(printed((out) => out.one(thing)).stdout).to.equal(
      [
        'uuid       u-1',
        'marketing',
        '  enabled  true',
        '  caps',
        '    per_day  1000',
        'items',
        '  - sku       CAN-1',
        '    quantity  2',
        '  - sku       CAN-2',
        '    quantity  1',
        'tags       vip, novo',
        'nothing    -',
        'none       -',
        'empty      -',
        '',
      ].join('\n'),
    );
    const { stdout } = printed((out) =>
      out.list([{ data: { name: 'Ana', at: AT, phone: null, by: { type: 'agent' } } }], [['DATA', 'data']]),
    );
    expect(stdout).to.equal('DATA\nname=Ana at=2026-11-20 11:03:11 by=(type=agent)\n');
  });

  it('keeps what strangers wrote from steering the terminal, also in names of fields', () => {
    const evil = { 'a\u001b[2J': { 'b\u0007': 'c\u202ed' }, list: [{ 'e\n': 'f\u001b[31m' }] };
    const { stdout } = printed((out) => out.one(evil));
    expect(stdout.replaceAll('\n', '')).to.not.match(/[\p{Cc}\p{Cf}]/u);
    expect(createShow({ utc: true })(evil)).to.not.match(/[\p{Cc}\p{Cf}]/u);
  });

  it('counts one row and two rows', () => {
    expect([0, 1, 2, 10_000].map((count) => counted(count, 'row'))).to.deep.equal([
      '0 rows',
      '1 row',
      '2 rows',
      '10,000 rows',
    ]);
    expect(counted(2, 'delivery', 'deliveries')).to.equal('2 deliveries');
  });

  it('says of how many it shows some, and nothing where it shows all', () => {
    const list = (more: boolean, total: { count: number; capped: boolean } | null) =>
      printed((out) => out.list({ rows: [ROW], more, total }, COLUMNS)).stderr;
    expect(list(true, { count: 519, capped: false })).to.equal('1 of 519. Show more with --limit.\n');
    expect(list(true, { count: 10_000, capped: true })).to.equal('1 of 10,000+. Show more with --limit.\n');
    expect(list(true, null)).to.equal('1 shown, and there are more. Show more with --limit.\n');
    expect(list(false, { count: 1, capped: false })).to.equal('');
  });
});
