import { expect } from 'chai';
import type { Block, FlowDefinition } from '../../domain/flow/blocks.js';
import { stepAfter, type Outcome, type ValuesAround } from '../../domain/flow/interpreter.js';
import { beginSession, type Session, type Step } from '../../domain/flow/session.js';

const FLOW_UUID = '0190f0c0-0000-7000-8000-000000000001';
const around: ValuesAround = {
  contact: { name: 'Ana', phone: null, email: null, external_id: null },
  fields: {},
  callback: {},
};

const alone = (block: Block): FlowDefinition => ({ schema: 1, start: 'a', blocks: { a: block } });
const at = (asked = 0): Session => ({ ...beginSession('a', { code: '7' }), asked });
const step = (block: Block, outcome: Outcome, asked = 1): Step =>
  stepAfter(alone(block), at(asked), around, outcome);

const ask = (more: object = {}) =>
  ({ type: 'ask', text: 'Qual, {{contact.name}}?', save_as: 'which', next: 'b', ...more }) as Block;
const callback = (more: object = {}) =>
  ({ type: 'wait_for_callback', timeout: '2h', next: 'b', ...more }) as Block;
const request = (more: object = {}) =>
  ({
    type: 'http_request',
    method: 'GET',
    url: 'https://erp.example/{{vars.code}}',
    next: 'b',
    ...more,
  }) as Block;
const said = (text: string): Outcome => ({ went: 'replied', reply: { text } });

describe('a step of a flow', () => {
  describe('where it leads', () => {
    it('a block that is done leads to the next one', () => {
      const done: Outcome = { went: 'done' };
      const blocks: readonly Block[] = [
        { type: 'send_text', text: 'x', next: 'b' },
        { type: 'add_tag', tag: 't', next: 'b' },
        { type: 'wait', for: '1m', next: 'b' },
      ];
      for (const block of blocks)
        expect(step(block, done), block.type).to.deep.equal({ block: 'a', way: 'next', to: 'b' });
    });

    it('a wait that begins stays where it is', () => {
      expect(step(ask(), { went: 'began' })).to.deep.equal({ block: 'a', way: 'began', to: 'a' });
    });

    it('a variable keeps its value', () => {
      expect(
        step({ type: 'set_variable', name: 'n', value: '{{contact.name}}', next: 'b' }, { went: 'done' }),
      ).to.deep.equal({ block: 'a', way: 'next', to: 'b', vars: { n: 'Ana' } });
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
      expect(step(block('7'), { went: 'done' })).to.deep.equal({
        block: 'a',
        way: 'branches[1].next',
        to: 'b',
      });
      expect(step(block('8'), { went: 'done' })).to.deep.equal({ block: 'a', way: 'otherwise', to: 'd' });
    });

    it('the end, a hand-off and another flow end this one', () => {
      const ended = (status: string, outcome: string | null) => ({ status, outcome, reason: null });
      expect(step({ type: 'end' }, { went: 'done' })).to.deep.equal({
        block: 'a',
        way: 'end',
        to: null,
        ended: ended('completed', null),
      });
      expect(step({ type: 'end', outcome: 'sold' }, { went: 'done' }).ended).to.deep.equal(
        ended('completed', 'sold'),
      );
      expect(step({ type: 'handoff' }, { went: 'done' })).to.deep.equal({
        block: 'a',
        way: 'handed_off',
        to: null,
        ended: ended('handed_off', null),
      });
      expect(step({ type: 'start_flow', flow_uuid: FLOW_UUID }, { went: 'done' })).to.deep.equal({
        block: 'a',
        way: 'start_flow',
        to: null,
        ended: ended('completed', 'started_flow'),
      });
    });

    it('a failure leads along `on_error`, or fails the flow', () => {
      const failed: Outcome = { went: 'failed', reason: 'refused' };
      expect(step(request({ on_error: 'c' }), failed)).to.deep.equal({
        block: 'a',
        way: 'on_error',
        to: 'c',
        vars: { error: 'refused' },
      });
      expect(step(request({ on_error: null }), failed)).to.include({ way: 'on_error', to: null });
      expect(step(request(), failed)).to.deep.equal({
        block: 'a',
        way: 'failed',
        to: null,
        ended: { status: 'failed', outcome: null, reason: 'refused' },
      });
    });

    it('silence leads along `on_timeout`, or lets the flow expire', () => {
      for (const block of [ask, callback]) {
        expect(step(block({ on_timeout: 'c' }), { went: 'timed_out' })).to.deep.equal({
          block: 'a',
          way: 'on_timeout',
          to: 'c',
        });
        expect(step(block(), { went: 'timed_out' })).to.deep.equal({
          block: 'a',
          way: 'timed_out',
          to: null,
          ended: { status: 'expired', outcome: null, reason: null },
        });
      }
    });
  });

  describe('an answer', () => {
    const choices = [
      { id: 'y', title: 'Sim', next: 'yes' },
      { id: 'n', title: 'Não' },
      { id: 'q', title: '?', next: null },
    ];

    it('is kept, and leads to the next block', () => {
      expect(step(ask(), said(' Azul '))).to.deep.equal({
        block: 'a',
        way: 'next',
        to: 'b',
        answer: { which: 'Azul' },
      });
    });

    it('by choice leads along the way of the choice, which may be the end', () => {
      expect(step(ask({ choices }), said('sim'))).to.deep.equal({
        block: 'a',
        way: 'choices[0].next',
        to: 'yes',
        answer: { which: 'y' },
      });
      expect(step(ask({ choices }), said('2'))).to.deep.equal({
        block: 'a',
        way: 'next',
        to: 'b',
        answer: { which: 'n' },
      });
      expect(step(ask({ choices }), { went: 'replied', reply: { text: '', choice: 'q' } })).to.deep.equal({
        block: 'a',
        way: 'choices[2].next',
        to: null,
        answer: { which: 'q' },
      });
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
      expect(step(ask(), said(' '))).to.deep.equal({ block: 'a', way: 'retry', to: 'a' });
    });

    it('is none, when the question is done with for another reason than a reply', () => {
      for (const outcome of [{ went: 'done' }, { went: 'answered', body: 'x' }] as const)
        expect(step(ask(), outcome)).to.deep.equal({ block: 'a', way: 'retry', to: 'a' });
    });

    it('that is none in the end leads along `on_invalid`, or fails the flow', () => {
      expect(step(ask({ on_invalid: 'c', retries: 0 }), said(''))).to.deep.equal({
        block: 'a',
        way: 'on_invalid',
        to: 'c',
      });
      expect(step(ask({ retries: 0 }), said(''))).to.deep.equal({
        block: 'a',
        way: 'invalid',
        to: null,
        ended: { status: 'failed', outcome: null, reason: 'answer_invalid' },
      });
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
        const next = { block: 'a', way: 'next', to: 'b' };
        expect(step(block(), { went: 'answered', body: { a: 1 } })).to.deep.equal(next);
        expect(step(block({ save: save('a') }), { went: 'done' })).to.deep.equal(next);
      }
    });
  });
});
