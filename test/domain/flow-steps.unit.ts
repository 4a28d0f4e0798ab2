import { expect } from 'chai';
import type { Block } from '../../domain/flow/blocks.js';
import { stepAfter, type Outcome } from '../../domain/flow/interpreter.js';
import { failureWith, type Step } from '../../domain/flow/session.js';
import * as blocks from '../support/flow-blocks.js';
import { alone, around, atA as at, FLOW_UUID } from '../support/flow-blocks.js';

const step = (block: Block, outcome: Outcome, asked = 1): Step =>
  stepAfter(alone(block), at(asked), around, outcome);
/** The edge taken, its target, and the values that the step stores. */
const took = (block: Block, outcome: Outcome): readonly unknown[] => {
  const { block: left, way, to, ...kept } = step(block, outcome);
  expect(left).to.equal('a');
  return Object.keys(kept).length === 0 ? [way, to] : [way, to, kept];
};
const ask = (more: object = {}): Block => blocks.ask({ next: 'b', ...more });
const callback = (more: object = {}): Block => blocks.callback({ next: 'b', ...more });
const request = (more: object = {}): Block => blocks.request({ next: 'b', ...more });
const said = (text: string): Outcome => ({ went: 'replied', reply: { text } });

describe('a step of a flow', () => {
  describe('where it leads', () => {
    it('a block that is done leads to the next one', () => {
      const done: Outcome = { went: 'done' };
      const simple: readonly Block[] = [
        { type: 'send_text', text: 'x', next: 'b' },
        { type: 'add_tag', tag: 't', next: 'b' },
        { type: 'wait', for: '1m', next: 'b' },
      ];
      for (const block of simple) expect(took(block, done), block.type).to.deep.equal(['next', 'b']);
    });

    it('a wait that begins stays where it is', () => {
      expect(took(ask(), { went: 'began' })).to.deep.equal(['began', 'a']);
    });

    it('a variable keeps its value', () => {
      const block = { type: 'set_variable', name: 'n', value: '{{contact.name}}', next: 'b' } as const;
      expect(took(block, { went: 'done' })).to.deep.equal(['next', 'b', { vars: { n: 'Ana' } }]);
    });

    it('a condition leads along its first branch that holds, or otherwise', () => {
      const block = (to: string): Block => ({
        type: 'condition',
        branches: [
          { when: { value: 'x', is: 'empty' }, next: 'never' },
          { when: { value: '{{vars.code}}', is: 'equal', to }, next: 'b' },
          { when: { value: '{{vars.code}}', is: 'equal', to }, next: 'c' },
        ],
        otherwise: 'd',
      });
      expect(took(block('7'), { went: 'done' })).to.deep.equal(['branches[1].next', 'b']);
      expect(took(block('8'), { went: 'done' })).to.deep.equal(['otherwise', 'd']);
    });

    it('the end, a hand-off and another flow end this one', () => {
      const ended = (status: string, outcome: string | null) => ({ status, outcome, reason: null });
      expect(took({ type: 'end' }, { went: 'done' })).to.deep.equal([
        'end',
        null,
        { ended: ended('completed', null) },
      ]);
      expect(step({ type: 'end', outcome: 'sold' }, { went: 'done' }).ended).to.deep.equal(
        ended('completed', 'sold'),
      );
      expect(took({ type: 'handoff' }, { went: 'done' })).to.deep.equal([
        'handed_off',
        null,
        { ended: ended('handed_off', null) },
      ]);
      expect(took({ type: 'start_flow', flow_uuid: FLOW_UUID }, { went: 'done' })).to.deep.equal([
        'start_flow',
        null,
        { ended: ended('completed', 'started_flow') },
      ]);
    });

    it('a failure leads along `on_error`, or fails the flow', () => {
      const failure = failureWith('refused', 'Not that.', { limit: 5 });
      const failed: Outcome = { went: 'failed', failure };
      expect(took(request({ on_error: 'c' }), failed)).to.deep.equal([
        'on_error',
        'c',
        { vars: { error: 'refused' }, failure },
      ]);
      expect(step(request({ on_error: null }), failed)).to.include({ way: 'on_error', to: null });
      expect(took(request(), failed)).to.deep.equal([
        'failed',
        null,
        { ended: { status: 'failed', outcome: null, reason: 'refused' }, failure },
      ]);
    });

    it('silence leads along `on_timeout`, or lets the flow expire', () => {
      for (const block of [ask, callback]) {
        expect(took(block({ on_timeout: 'c' }), { went: 'timed_out' })).to.deep.equal(['on_timeout', 'c']);
        expect(took(block(), { went: 'timed_out' })).to.deep.equal([
          'timed_out',
          null,
          { ended: { status: 'expired', outcome: null, reason: null } },
        ]);
      }
    });
  });

  describe('what it may keep', () => {
    const KIB_64 = 65_536;
    const failed = (reason: string) => [
      'failed',
      null,
      { ended: { status: 'failed', outcome: null, reason } },
    ];
    /** The step's result when these variables are already set. The quotes count as two of the bytes. */
    const setting = (block: Block, vars: Readonly<Record<string, unknown>>, outcome: Outcome) => {
      const { way, to, ended, vars: set } = stepAfter(alone(block), { ...at(), vars }, around, outcome);
      return ended ? [way, to, { ended }] : [way, to, Object.keys(set ?? {})];
    };
    const copy = { type: 'set_variable', name: 'n', value: '{{vars.from}}', next: 'b' } as const;
    const done: Outcome = { went: 'done' };
    const filled = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, n) => [`v${n}`, 'x'.repeat(KIB_64 - 100)]));

    it('is 64 KiB in a variable', () => {
      expect(setting(copy, { from: 'x'.repeat(KIB_64 - 2) }, done)).to.deep.equal(['next', 'b', ['n']]);
      expect(setting(copy, { from: 'x'.repeat(KIB_64 - 1) }, done)).to.deep.equal(
        failed('variable_too_large'),
      );
      expect(setting(copy, { from: 'é'.repeat(KIB_64 / 2) }, done)).to.deep.equal(
        failed('variable_too_large'),
      );
    });

    it('is refused with the name of the variable', () => {
      const { failure } = stepAfter(
        alone(copy),
        { ...at(), vars: { from: 'x'.repeat(KIB_64) } },
        around,
        done,
      );
      expect(failure).to.deep.equal({
        code: 'variable_too_large',
        message: 'The variable "n" would have 65538 bytes as JSON; at most 65536 are allowed.',
        details: { variable: 'n', limit: KIB_64 },
      });
    });

    it('is 256 KiB in all of them, and in answers', () => {
      const saved = request({ save: [{ path: 'a', as: 'n' }], on_error: 'c' });
      const brought: Outcome = { went: 'answered', body: { a: 'y'.repeat(1_000) } };
      expect(setting(saved, filled(3), brought)).to.deep.equal(['next', 'b', ['n']]);
      expect(setting(saved, filled(4), brought)).to.deep.equal(['on_error', 'c', ['error']]);
      expect(setting(ask(), filled(4), said('z'.repeat(1_000)))).to.deep.equal(failed('variables_too_large'));
      expect(setting(copy, filled(4), done), 'what adds next to nothing').to.deep.equal(['next', 'b', ['n']]);
    });

    it('is not counted where it only compares, but one text is bounded there too', () => {
      const compare = (value: string) => ({ value, is: 'equal', to: 'x' });
      const vars = { from: 'x'.repeat(KIB_64 - 2) };
      const many = blocks.condition(...Array.from({ length: 20 }, () => compare('{{vars.from}}')));
      expect(setting(many, vars, done)).to.deep.equal(['otherwise', null, []]);
      const long = blocks.condition(compare('{{vars.from}}'.repeat(5)));
      expect(setting(long, vars, done)).to.deep.equal(failed('text_too_long'));
    });
  });

  describe('an answer', () => {
    const choices = [
      { id: 'y', title: 'Sim', next: 'yes' },
      { id: 'n', title: 'Não' },
      { id: 'q', title: '?', next: null },
    ];

    it('is kept, and leads to the next block', () => {
      expect(took(ask(), said(' Azul '))).to.deep.equal(['next', 'b', { answer: { which: 'Azul' } }]);
    });

    it('by choice leads along the way of the choice, which may be the end', () => {
      expect(took(ask({ choices }), said('sim'))).to.deep.equal([
        'choices[0].next',
        'yes',
        { answer: { which: 'y' } },
      ]);
      expect(took(ask({ choices }), said('2'))).to.deep.equal(['next', 'b', { answer: { which: 'n' } }]);
      expect(took(ask({ choices }), { went: 'replied', reply: { text: '', choice: 'q' } })).to.deep.equal([
        'choices[2].next',
        null,
        { answer: { which: 'q' } },
      ]);
    });

    it('without words chooses nothing, although a title has no letters either', () => {
      for (const text of ['', ' ', '!', '...']) {
        expect(step(ask({ choices }), said(text)), text).to.include({ way: 'retry' });
      }
      expect(step(ask({ choices }), said(' ? '))).to.include({ way: 'choices[2].next' });
    });

    it('that is none is asked for twice more, or as often as the flow says', () => {
      const ways = (block: Block) => [1, 2, 3].map((asked) => step(block, said(' '), asked).way);
      expect(ways(ask())).to.deep.equal(['retry', 'retry', 'invalid']);
      expect(ways(ask({ retries: 1 }))).to.deep.equal(['retry', 'invalid', 'invalid']);
      expect(ways(ask({ retries: 0 }))).to.deep.equal(['invalid', 'invalid', 'invalid']);
      expect(took(ask(), said(' '))).to.deep.equal(['retry', 'a']);
    });

    it('is none, when the question is done with for another reason than a reply', () => {
      for (const outcome of [{ went: 'done' }, { went: 'answered', body: 'x' }] as const)
        expect(took(ask(), outcome)).to.deep.equal(['retry', 'a']);
    });

    it('that is none in the end leads along `on_invalid`, or fails the flow', () => {
      expect(took(ask({ on_invalid: 'c', retries: 0 }), said(''))).to.deep.equal(['on_invalid', 'c']);
      expect(took(ask({ retries: 0 }), said(''))).to.deep.equal([
        'invalid',
        null,
        { ended: { status: 'failed', outcome: null, reason: 'answer_invalid' } },
      ]);
    });
  });

  describe('what another system answers', () => {
    const save = (path: string) => [{ path, as: 'kept' }];
    const kept = (path: string, body: unknown): unknown => {
      const fromRequest = step(request({ save: save(path) }), { went: 'answered', body });
      const fromCallback = step(callback({ save: save(path) }), { went: 'answered', body });
      expect(fromRequest).to.include({ way: 'next', to: 'b' });
      expect(fromCallback).to.deep.equal(fromRequest);
      return fromRequest.vars!['kept'];
    };

    it('is kept by path', () => {
      expect(kept('items.1.sku', { items: [{}, { sku: 'CAM' }] })).to.equal('CAM');
      expect(kept('price', { price: 0 })).to.equal(0);
      expect(kept('open', { open: false })).to.equal(false);
      expect(kept('order', { order: { id: 1 } })).to.deep.equal({ id: 1 });
    });

    it('is null where there is nothing', () => {
      expect(kept('a.b', { a: null })).to.equal(null);
      expect(kept('a.length', { a: 'text' })).to.equal(null);
      expect(kept('a', 'text')).to.equal(null);
      expect(kept('a', null)).to.equal(null);
      expect(kept('constructor', {})).to.equal(null);
      expect(kept('a.constructor.name', { a: {} })).to.equal(null);
    });

    it('is null when it is longer than 4,096 characters of JSON', () => {
      const longest = 'x'.repeat(4_094);
      expect(kept('a', { a: longest })).to.equal(longest);
      expect(kept('a', { a: `${longest}x` })).to.equal(null);
    });

    it('changes nothing when the flow keeps nothing of it, or when there was no answer', () => {
      for (const block of [request, callback]) {
        expect(took(block(), { went: 'answered', body: { a: 1 } })).to.deep.equal(['next', 'b']);
        expect(took(block({ save: save('a') }), { went: 'done' })).to.deep.equal(['next', 'b']);
      }
    });
  });
});
