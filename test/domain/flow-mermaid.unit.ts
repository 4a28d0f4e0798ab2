import { expect } from 'chai';
import type { Block } from '../../domain/flow/blocks.js';
import { knots, outputsOf, pauses, reachable } from '../../domain/flow/graph.js';
import { mermaidOf } from '../../domain/flow/mermaid.js';
import * as blocks from '../support/flow-blocks.js';
import { FLOW_UUID, flowOf, text } from '../support/flow-blocks.js';

const drawn = (blocks: Readonly<Record<string, Block>>): readonly string[] =>
  mermaidOf(flowOf(blocks)).split('\n');
/** The diagram line of block `a`, without its name. */
const shapeOf = (block: Block): string => drawn({ a: block })[2]!.replace('  b_a', '');
/** Labels and targets of its edges. */
const edgesOf = (block: Block): readonly string[] =>
  drawn({ a: block })
    .filter((line) => line.startsWith('  b_a -->'))
    .map((line) => line.replace('  b_a -->', ''));

const ask = (more: object = {}): Block => blocks.ask({ next: 'b', ...more });

describe('drawing of a flow', () => {
  it('has a start, each block, each edge and an end', () => {
    expect(
      mermaidOf(flowOf({ hello: text('Oi', 'pause'), pause: { type: 'wait', for: '1h', next: null } })),
    ).to.equal(
      [
        'flowchart TD',
        '  start((start)) --> b_hello',
        '  b_hello["hello<br/>Oi"]',
        '  b_pause[/"pause<br/>1h"/]',
        '  b_hello --> b_pause',
        '  b_pause --> stop',
        '  stop(((end)))',
        '',
      ].join('\n'),
    );
  });

  it('has an end once, and only where a way leads to it', () => {
    const ends = (blocks: Readonly<Record<string, Block>>) =>
      drawn(blocks).filter((line) => line.includes('stop(((end)))')).length;
    expect(ends({ a: { type: 'wait', for: '1h', next: 'a' } })).to.equal(0);
    expect(
      ends({
        a: { type: 'send_text', text: 'x', next: null, on_error: 'b' },
        b: { type: 'send_text', text: 'y', next: 'a' },
      }),
    ).to.equal(1);
  });

  it('says in short what each type of block does', () => {
    const cases: readonly [block: Block, shape: string][] = [
      [{ type: 'send_text', text: 'Oi', next: null }, '["a<br/>Oi"]'],
      [{ type: 'send_template', name: 'hello', next: null }, '["a<br/>template hello"]'],
      [{ type: 'send_media', media: 'audio', link: 'https://a.example', next: null }, '["a<br/>audio"]'],
      [ask(), '[/"a<br/>Qual?"/]'],
      [{ type: 'condition', branches: [], otherwise: null }, '{"a<br/>condition"}'],
      [{ type: 'set_field', field: 'city', value: 'Recife', next: null }, '["a<br/>city := Recife"]'],
      [{ type: 'set_variable', name: 'n', value: '1', next: null }, '["a<br/>n := 1"]'],
      [{ type: 'add_tag', tag: 'vip', next: null }, '["a<br/>+ vip"]'],
      [{ type: 'remove_tag', tag: 'vip', next: null }, '["a<br/>- vip"]'],
      [{ type: 'wait', for: '1h', next: null }, '[/"a<br/>1h"/]'],
      [{ type: 'wait', until: { time: '09:30' }, next: null }, '[/"a<br/>until 09:30"/]'],
      [{ type: 'wait', for: '1d', until: { time: '09:30' }, next: null }, '[/"a<br/>1d, until 09:30"/]'],
      [{ type: 'wait_for_callback', timeout: '1h', next: null }, '[/"a<br/>wait_for_callback"/]'],
      [
        { type: 'http_request', method: 'PUT', url: 'https://a.example', next: null },
        '["a<br/>PUT https://a.example"]',
      ],
      [{ type: 'handoff' }, '(["a<br/>handoff"])'],
      [{ type: 'start_flow', flow_uuid: FLOW_UUID }, '(["a<br/>start_flow"])'],
      [{ type: 'end' }, '(["a<br/>end"])'],
      [{ type: 'end', outcome: 'sold' }, '(["a<br/>sold"])'],
    ];
    for (const [block, shape] of cases) expect(shapeOf(block), block.type).to.equal(shape);
  });

  it('names a block by its label, where it has one', () => {
    expect(shapeOf({ type: 'end', label: 'Done' })).to.equal('(["Done<br/>end"])');
  });

  it('shortens what is longer than 60 characters', () => {
    const summary = (length: number): string =>
      shapeOf({ type: 'send_text', text: 'x'.repeat(length), next: null }).slice('["a<br/>'.length, -2);
    expect(summary(60)).to.equal('x'.repeat(60));
    expect(summary(61)).to.equal(`${'x'.repeat(57)}…`);
  });

  it('has no markup in what people wrote', () => {
    const text = 'a & b "c" <d> `e`\nf\r\ng';
    expect(shapeOf({ type: 'send_text', text, next: null })).to.equal(
      '["a<br/>a &amp; b &quot;c&quot; &lt;d&gt; &#96;e&#96;<br/>f<br/>g"]',
    );
    expect(edgesOf(ask({ choices: [{ id: '1', title: '"1"', next: 'b' }] }))[0]).to.equal(
      '|"&quot;1&quot;"| b_b',
    );
  });

  it('says on an edge which way out of the block it is', () => {
    expect(
      edgesOf(
        ask({
          choices: [
            { id: '1', title: 'Um' },
            { id: '2', title: 'Dois', next: 'c' },
          ],
          on_invalid: 'd',
          timeout: '1h',
          on_timeout: null,
        }),
      ),
    ).to.deep.equal(['|"Dois"| b_c', ' b_b', '|"on_invalid"| b_d', '|"on_timeout"| stop']);
  });

  it('says on an edge of a condition when it is taken', () => {
    const set = { value: '{{vars.a}}', is: 'set' } as const;
    const is = (to: string) => ({ value: '{{vars.b}}', is: 'equal', to }) as const;
    expect(
      edgesOf({
        type: 'condition',
        branches: [
          { when: is('1'), next: 'b' },
          { when: { all: [set, is('1')] }, next: 'b' },
          { when: { any: [set, is('1')] }, next: 'b' },
          { when: is('x'.repeat(60)), next: null },
        ],
        otherwise: 'c',
      }),
    ).to.deep.equal([
      '|"{{vars.b}} equal 1"| b_b',
      '|"{{vars.a}} set and {{vars.b}} equal 1"| b_b',
      '|"{{vars.a}} set or {{vars.b}} equal 1"| b_b',
      `|"{{vars.b}} equal ${'x'.repeat(40)}…"| stop`,
      '|"otherwise"| b_c',
    ]);
  });
});

describe('graph of a flow', () => {
  it('has the ways out of a block as edges, by path', () => {
    expect(outputsOf(ask({ on_invalid: 'c', on_timeout: null }))).to.deep.equal([
      { path: 'next', to: 'b' },
      { path: 'on_invalid', to: 'c' },
      { path: 'on_timeout', to: null },
    ]);
    expect(outputsOf({ type: 'end' })).to.deep.equal([]);
  });

  it('pauses where somebody or some time is waited for', () => {
    expect(pauses(ask())).to.equal(true);
    expect(pauses({ type: 'wait', for: '1m', next: null })).to.equal(true);
    expect(pauses({ type: 'wait_for_callback', timeout: '1m', next: null })).to.equal(true);
    expect(pauses({ type: 'send_text', text: 'x', next: null })).to.equal(false);
  });

  it('is reached from the start alone, along edges that exist', () => {
    const definition = flowOf({
      a: { ...text('x', 'b'), on_error: 'constructor' },
      b: text('y'),
      c: text('z', 'a'),
    });
    expect([...reachable(definition)]).to.have.members(['a', 'b']);
    expect([...reachable({ ...definition, start: 'constructor' })]).to.deep.equal([]);
  });

  it('takes no end of the flow for a block that is called null', () => {
    expect([...reachable(flowOf({ a: text('x'), null: { type: 'end' } }))]).to.deep.equal(['a']);
  });

  it('has one knot of all blocks in a ring, however long', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const ring = ids.map((id, n) => [id, text('x', ids[(n + 1) % ids.length])] as const);
    expect(knots(flowOf(Object.fromEntries(ring)))).to.deep.equal([ids]);
  });
});
