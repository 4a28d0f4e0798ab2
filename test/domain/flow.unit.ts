import { expect } from 'chai';
import fc from 'fast-check';
import type { Block, FlowDefinition } from '../../domain/flow/blocks.js';
import { flowAggregate } from '../../domain/flow/decide.js';
import { diffFlows } from '../../domain/flow/diff.js';
import { flowCommandExamples, flowEventExamples } from '../support/examples/flow.js';
import { knots, outputsOf, pauses, reachable } from '../../domain/flow/graph.js';
import { mermaidOf } from '../../domain/flow/mermaid.js';
import { durationSeconds } from '../../domain/flow/duration.js';
import { readDefinition } from '../../domain/flow/problems.js';
import { given } from '../support/decider.js';
import { ask, flowOf as flow } from '../support/flow-blocks.js';
import { withData } from '../support/events.js';

const { created, draftSaved, published, unpublished, deleted } = flowEventExamples;
const publish = flowCommandExamples.publish.command;

const text = (next: string | null, said = 'Oi'): Block => ({ type: 'send_text', text: said, next });
/** `code block path` of each problem. */
const found = (definition: unknown): readonly string[] =>
  readDefinition(definition).problems.map(
    ({ code, block, path }) => `${code} ${block ?? '-'} ${path ?? '-'}`,
  );

describe('flow', () => {
  describe('versions', () => {
    it('are published from the draft, numbered from one, and only when they differ', () => {
      given(flowAggregate, created, draftSaved).when(publish).then(published);
      given(flowAggregate, created, draftSaved, published).when(publish).thenNothing();
      const other = withData(draftSaved, { digest: 'f'.repeat(64) });
      given(flowAggregate, created, draftSaved, published, other)
        .when(publish)
        .then(withData(published, { version: 2, digest: 'f'.repeat(64) }));
    });

    it('go on counting after the flow was taken back', () => {
      given(flowAggregate, created, draftSaved, published, unpublished)
        .when(publish)
        .then(withData(published, { version: 2 }));
    });

    it('do not come about without a draft, or with an error in it', () => {
      given(flowAggregate, created).when(publish).thenRefused('flow_invalid');
      const definition = flow({ a: text('nowhere') });
      const bad = { ...draftSaved, data: { definition: { ...definition }, digest: 'e'.repeat(64) } };
      given(flowAggregate, created, bad).when(publish).thenRefused('flow_invalid');
    });

    it('a draft that says the same again is no change', () => {
      given(flowAggregate, created, draftSaved).when(flowCommandExamples.saveDraft.command).thenNothing();
    });

    it('a deleted flow is nobody to talk to', () => {
      for (const command of [publish, { type: 'UnpublishFlow' }, { type: 'RenameFlow', name: 'x' }] as const)
        given(flowAggregate, created, draftSaved, published, deleted).when(command).thenRefused('not_found');
    });
  });

  describe('problems', () => {
    it('of a sound flow: none', () => {
      expect(found(draftSaved.data.definition)).to.deep.equal([]);
    });

    it('name what is not even a definition', () => {
      expect(found('x')).to.deep.equal(['definition_invalid - -']);
      expect(found({ schema: 2, start: 'a', blocks: {} })).to.deep.equal([
        'definition_invalid - schema',
        'start_missing - start',
      ]);
      expect(found({ schema: 1, blocks: {} })).to.deep.equal(['definition_invalid - start']);
      expect(found({ ...flow({ a: text(null) }), extra: 1 })).to.deep.equal(['definition_invalid - extra']);
    });

    it('name each block that is wrong, all at once', () => {
      expect(
        found(
          flow({
            a: { type: 'fly', next: null },
            b: { type: 'send_text', next: null },
            'c d': text(null),
            d: { ...text(null), colour: 'red' },
            e: { type: 'wait', for: 'soon', next: null },
          }),
        ),
      ).to.deep.equal([
        'block_type_unknown a type',
        'block_invalid b text',
        'block_id_invalid c d -',
        'block_invalid d colour',
        'block_invalid e for',
      ]);
    });

    it('name what leads nowhere beside a block that can not be read, and say what would be right', () => {
      const { definition, problems } = readDefinition({
        schema: 1,
        start: 'gone',
        blocks: {
          a: { type: 'send_text', text: 'a', next: 'nowhere' },
          q: { type: 'ask', text: '?', save_as: '1x', expect: 'date', timeout: '5 min', next: null },
        },
      });
      expect(definition).to.equal(null);
      expect(problems.map(({ code, block, path }) => [code, block, path])).to.have.deep.members([
        ['block_invalid', 'q', 'save_as'],
        ['block_invalid', 'q', 'expect'],
        ['block_invalid', 'q', 'timeout'],
        ['start_missing', null, 'start'],
        ['edge_dangling', 'a', 'next'],
      ]);
      const said = problems.map(({ message }) => message).join(' ');
      expect(said).to.include('"expect" must be one of "text", "number", "email", "phone".');
      expect(said).to.include('Expected: A duration: `30s`');
    });

    it('are not fooled by names that every object has', () => {
      expect(found(flow({ a: { type: 'constructor', next: null } }))).to.deep.equal([
        'block_type_unknown a type',
      ]);
      expect(found(flow({ a: text('constructor') }))).to.deep.equal(['edge_dangling a next']);
      expect(found(flow({ a: text(null) }, 'constructor'))).to.include('start_missing - start');
    });

    it('find every edge that leads nowhere', () => {
      const definition = flow({
        a: { ...text('x'), on_error: 'y' },
        b: ask({ choices: [{ id: '1', title: 'Um', next: 'z' }], timeout: '1h', on_timeout: 'w', next: 'v' }),
        c: { type: 'condition', branches: [{ when: { value: '1', is: 'set' }, next: 'u' }], otherwise: 't' },
      });
      expect(found(definition).filter((one) => one.startsWith('edge_dangling'))).to.deep.equal([
        'edge_dangling a next',
        'edge_dangling a on_error',
        'edge_dangling b choices[0].next',
        'edge_dangling b next',
        'edge_dangling b on_timeout',
        'edge_dangling c branches[0].next',
        'edge_dangling c otherwise',
      ]);
    });

    it('refuse a way back without a pause, and allow one with', () => {
      expect(found(flow({ a: text('b'), b: text('a') }))).to.deep.equal(['cycle_without_wait a -']);
      expect(found(flow({ a: text('a') }))).to.deep.equal(['cycle_without_wait a -']);
      expect(found(flow({ a: text('b'), b: { type: 'wait', for: '1m', next: 'a' } }))).to.deep.equal([]);
      expect(found(flow({ a: text('b'), b: ask({ next: 'a' }) }))).to.deep.equal([]);
    });

    it('only warn of blocks no way leads to, and of answers nobody gives', () => {
      const { definition, problems } = readDefinition(
        flow({ a: text(null, '{{answer.size}}'), b: text(null) }),
      );
      expect(problems.map(({ severity, code }) => `${severity} ${code}`)).to.have.members([
        'warning answer_unknown',
        'warning block_unreachable',
      ]);
      expect(definition).to.not.equal(null);
    });

    it('read placeholders in every text', () => {
      expect(
        found(
          flow({
            a: text('b', '{{contact.age}}'),
            b: {
              type: 'http_request',
              method: 'POST',
              url: 'https://a.example/{{x}}',
              body: '{{vars.a',
              next: 'c',
            },
            c: { type: 'send_template', name: 't', parameters: ['ok', '{{}}'], next: 'd' },
            d: text(null, '{{callback.a}}'),
          }),
        ),
      ).to.deep.equal([
        'placeholder_invalid a text',
        'placeholder_invalid b url',
        'placeholder_invalid b body',
        'placeholder_invalid c parameters[1]',
        'callback_unknown d text',
      ]);
    });

    it('judge questions, conditions, waits and requests', () => {
      const choices = (...titles: readonly string[]) =>
        titles.map((title, id) => ({ id: String(id), title }));
      expect(
        found(
          flow({
            a: ask({ choices: choices('Sim', 'sim'), expect: 'text', on_timeout: null, next: 'b' }),
            b: ask({ choices: choices('A button of 21 chars.'), next: 'c' }),
            c: {
              type: 'condition',
              branches: [{ when: { value: 'x', is: 'matches', to: '(?=a)' }, next: 'd' }],
              otherwise: null,
            },
            d: {
              type: 'condition',
              branches: [{ when: { value: 'x', is: 'equal' }, next: 'e' }],
              otherwise: null,
            },
            e: { type: 'wait', for: '57d', next: 'f' },
            f: { type: 'wait', next: 'g' },
            g: {
              type: 'http_request',
              method: 'GET',
              url: 'ftp://a',
              body: 'x',
              headers: { Host: 'a', 'a b': '1' },
              next: 'h',
            },
            h: { type: 'http_request', method: 'GET', url: 'https://{{vars.host}}/', next: null },
          }),
        ),
      ).to.deep.equal([
        'ask_invalid a expect',
        'choice_duplicated a choices',
        'ask_invalid a on_timeout',
        'choice_invalid b choices[0].title',
        'pattern_invalid c branches[0].when',
        'condition_invalid d branches[0].when',
        'wait_too_long e for',
        'wait_invalid f for',
        'request_invalid g url',
        'request_invalid g headers.Host',
        'request_invalid g headers.a b',
        'request_invalid g body',
        'request_invalid h url',
      ]);
    });

    it('bound what is read: blocks, bytes, and how much is said', () => {
      const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`b${n}`, text(null, 'x')]));
      expect(found(flow(many))).to.deep.equal(['definition_too_large - -']);
      const short = Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`b${n}`, { type: 'x' }]));
      expect(found(flow(short))).to.deep.equal(['too_many_blocks - -']);
      const wrong = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`b${n}`, { type: 'x' }]));
      expect(found(flow(wrong))).to.have.length(200);
    });

    it('never throw, whatever is given', () => {
      fc.assert(
        fc.property(fc.jsonValue(), fc.jsonValue(), (anything, block) => {
          readDefinition(anything);
          readDefinition(flow({ a: block }));
          readDefinition(flow({ a: { type: 'ask', ...(block as object) } }));
        }),
      );
    });
  });

  it('finds a knot exactly where a walk without pauses comes back', () => {
    const size = 6;
    const edges = fc.array(fc.tuple(fc.nat(size - 1), fc.nat(size - 1)), { maxLength: 14 });
    const paused = fc.array(fc.boolean(), { minLength: size, maxLength: size });
    fc.assert(
      fc.property(edges, paused, (pairs, waits) => {
        const blocks: Record<string, Block> = {};
        for (let n = 0; n < size; n += 1) {
          const next = pairs.filter(([from]) => from === n).map(([, to]) => `b${to}`);
          blocks[`b${n}`] = waits[n]
            ? { type: 'wait', for: '1m', next: next[0] ?? null }
            : {
                type: 'condition',
                branches: next.map((to) => ({ when: { value: 'x', is: 'set' as const }, next: to })),
                otherwise: null,
              };
        }
        const definition: FlowDefinition = { schema: 1, start: 'b0', blocks };
        const comesBack = Object.keys(blocks).filter((id) => {
          if (pauses(blocks[id]!)) return false;
          const seen = new Set<string>();
          const open = outputsOf(blocks[id]!).flatMap(({ to }) => to ?? []);
          for (let at = open.pop(); at !== undefined; at = open.pop()) {
            if (at === id) return true;
            if (seen.has(at) || pauses(blocks[at]!)) continue;
            seen.add(at);
            open.push(...outputsOf(blocks[at]!).flatMap(({ to }) => to ?? []));
          }
          return false;
        });
        expect(knots(definition).flat().sort()).to.deep.equal(comesBack.sort());
        for (const id of reachable(definition)) expect(blocks).to.have.property(id);
      }),
    );
  });

  it('reads durations', () => {
    expect(['30s', '10m', '2h', '3d', '1w'].map(durationSeconds)).to.deep.equal([
      30, 600, 7200, 259_200, 604_800,
    ]);
  });

  it('is drawn with every block and edge, and nothing of a text is markup', () => {
    const drawn = mermaidOf({
      schema: 1,
      start: 'end',
      blocks: { end: text('b', '"]; click <b>'), b: { type: 'end' } },
    });
    expect(drawn).to.include('start((start)) --> b_end');
    expect(drawn).to.include('b_end["end<br/>&quot;]; click &lt;b&gt;"]');
    expect(drawn).to.include('b_end --> b_b');
  });

  it('is compared block by block', () => {
    const before = flow({ a: text('b'), b: text(null) });
    const after = flow({ a: text('c', 'Olá'), c: text(null) });
    expect(diffFlows(before, after).map(({ change, block, field }) => [change, block, field])).to.deep.equal([
      ['changed', 'a', 'next'],
      ['changed', 'a', 'text'],
      ['removed', 'b', null],
      ['added', 'c', null],
    ]);
    expect(diffFlows(before, before)).to.deep.equal([]);
  });
});
