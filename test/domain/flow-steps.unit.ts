import { expect } from 'chai';
import type { Block, FlowDefinition } from '../../domain/flow/blocks.js';
import {
  effectOf,
  stepAfter,
  type Effect,
  type Outcome,
  type ValuesAround,
} from '../../domain/flow/interpreter.js';
import { beginSession, type Session, type Step } from '../../domain/flow/session.js';

const FLOW_UUID = '0190f0c0-0000-7000-8000-000000000001';
const around: ValuesAround = {
  contact: { name: 'Ana', phone: null, email: null, external_id: null },
  fields: {},
  callback: { a: 'https://recado.example/c' },
};

const alone = (block: Block): FlowDefinition => ({ schema: 1, start: 'a', blocks: { a: block } });
const at = (asked = 0): Session => ({ ...beginSession('a', { code: '7' }), asked });
const effect = (block: Block, asked = 0): Effect => effectOf(alone(block), at(asked), around);
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
  describe('what has to be done', () => {
    it('a text is sent with its values, and without a preview unless the flow asks for one', () => {
      const block = { type: 'send_text', text: 'Oi {{contact.name}}', next: null } as const;
      expect(effect(block)).to.deep.equal({ do: 'send_text', text: 'Oi Ana', previewUrl: false });
      expect(effect({ ...block, preview_url: true })).to.include({ previewUrl: true });
      expect(effect({ ...block, preview_url: false })).to.include({ previewUrl: false });
    });

    it('a template is sent with values in everything but its name and language', () => {
      expect(
        effect({
          type: 'send_template',
          name: '{{vars.code}}',
          language: '{{vars.code}}',
          parameters: ['{{contact.name}}', 'x'],
          named_parameters: { who: '{{contact.name}}' },
          header: {
            type: 'image',
            image: { link: 'https://a.example/{{vars.code}}', cached: true, none: null },
          },
          buttons: [{ index: 0, payload: 'p{{vars.code}}' }],
          next: null,
        }),
      ).to.deep.equal({
        do: 'send_template',
        content: {
          name: '{{vars.code}}',
          language: '{{vars.code}}',
          parameters: ['Ana', 'x'],
          named_parameters: { who: 'Ana' },
          header: { type: 'image', image: { link: 'https://a.example/7', cached: true, none: null } },
          buttons: [{ index: 0, payload: 'p7' }],
        },
      });
    });

    it('a template is sent without the fields that the flow leaves out', () => {
      expect(effect({ type: 'send_template', name: 'hello', next: null })).to.deep.equal({
        do: 'send_template',
        content: { name: 'hello' },
      });
    });

    it('media are sent with values in link, caption and file name', () => {
      expect(
        effect({
          type: 'send_media',
          media: 'document',
          link: 'https://a.example/{{vars.code}}',
          caption: 'For {{contact.name}}',
          filename: '{{vars.code}}.pdf',
          next: null,
        }),
      ).to.deep.equal({
        do: 'send_media',
        media: 'document',
        link: 'https://a.example/7',
        caption: 'For Ana',
        filename: '7.pdf',
      });
      expect(
        effect({ type: 'send_media', media: 'audio', link: 'https://a.example/1', next: null }),
      ).to.deep.equal({
        do: 'send_media',
        media: 'audio',
        link: 'https://a.example/1',
        caption: null,
        filename: null,
      });
    });

    it('a question is put with its choices, its time and how often it was put before', () => {
      expect(effect(ask())).to.deep.equal({
        do: 'ask',
        text: 'Qual, Ana?',
        choices: null,
        listButton: 'Opções',
        attempt: 0,
        timeoutSeconds: null,
      });
      const choices = [{ id: 'y', title: 'Sim' }];
      expect(effect(ask({ choices, list_button: 'Ver', timeout: '1h' }), 2)).to.deep.equal({
        do: 'ask',
        text: 'Qual, Ana?',
        choices,
        listButton: 'Ver',
        attempt: 2,
        timeoutSeconds: 3_600,
      });
    });

    it('a question is put again in other words, when it has any', () => {
      const block = ask({ retry_text: 'De novo, {{contact.name}}?' });
      expect(effect(block, 0)).to.include({ text: 'Qual, Ana?' });
      expect(effect(block, 1)).to.include({ text: 'De novo, Ana?' });
    });

    it('a contact is changed', () => {
      expect(effect({ type: 'set_field', field: 'city', value: 'x{{vars.code}}', next: null })).to.deep.equal(
        { do: 'set_field', field: 'city', value: 'x7' },
      );
      for (const type of ['add_tag', 'remove_tag'] as const)
        expect(effect({ type, tag: 't{{vars.code}}', next: null })).to.deep.equal({ do: type, tag: 't7' });
    });

    it('a wait lasts for a time, until a time, or both', () => {
      const until = { time: '09:30' };
      expect(effect({ type: 'wait', for: '2m', next: null })).to.deep.equal({
        do: 'wait',
        seconds: 120,
        until: null,
      });
      expect(effect({ type: 'wait', until, next: null })).to.deep.equal({ do: 'wait', seconds: 0, until });
      expect(effect(callback())).to.deep.equal({ do: 'wait_for_callback', timeoutSeconds: 7_200 });
    });

    it('another system is asked, for ten seconds unless the flow says how long', () => {
      expect(effect(request())).to.deep.equal({
        do: 'http_request',
        method: 'GET',
        url: 'https://erp.example/7',
        headers: {},
        body: null,
        timeoutSeconds: 10,
      });
      expect(
        effect(
          request({
            method: 'POST',
            headers: { 'X-A': 'a{{vars.code}}' },
            body: '{{vars.code}}',
            timeout_seconds: 3,
          }),
        ),
      ).to.include({ method: 'POST', body: '7', timeoutSeconds: 3 });
    });

    it('people are handed the conversation, with a note', () => {
      expect(effect({ type: 'handoff' })).to.deep.equal({
        do: 'handoff',
        groupUuid: null,
        agentUuid: null,
        note: null,
      });
      expect(
        effect({ type: 'handoff', group_uuid: 'g', agent_uuid: 'u', note: 'See {{contact.name}}' }),
      ).to.deep.equal({ do: 'handoff', groupUuid: 'g', agentUuid: 'u', note: 'See Ana' });
    });

    it('another flow is started, with values in its variables', () => {
      expect(effect({ type: 'start_flow', flow_uuid: FLOW_UUID })).to.deep.equal({
        do: 'start_flow',
        flowUuid: FLOW_UUID,
        variables: {},
      });
      expect(
        effect({ type: 'start_flow', flow_uuid: FLOW_UUID, variables: { who: '{{contact.name}}' } }),
      ).to.deep.equal({ do: 'start_flow', flowUuid: FLOW_UUID, variables: { who: 'Ana' } });
    });

    it('nothing, where the way is known', () => {
      const blocks: readonly Block[] = [
        { type: 'end' },
        { type: 'set_variable', name: 'n', value: 'v', next: null },
        { type: 'condition', branches: [], otherwise: null },
      ];
      for (const block of blocks) expect(effect(block), block.type).to.deep.equal({ do: 'move' });
    });

    it('nothing can be done when the flow is over, or in a block that the version does not have', () => {
      const over: Session = { ...at(), at: null };
      expect(() => effectOf(alone({ type: 'end' }), over, around)).to.throw('nothing to do at the end');
      const oddlyNamed: FlowDefinition = { schema: 1, start: 'null', blocks: { null: { type: 'end' } } };
      expect(() => effectOf(oddlyNamed, over, around)).to.throw('nothing to do at the end');
      for (const id of ['gone', 'constructor']) {
        expect(() => effectOf(alone({ type: 'end' }), { ...at(), at: id }, around)).to.throw(
          `nothing to do at ${id}`,
        );
      }
    });
  });

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
