/** Flows that start each other: refused when the cycle contains no wait. */
import { expect } from 'chai';
import type { Block } from '../../domain/flow/blocks.js';
import { chainProblems, startsWithoutWait, type PublishedFlow } from '../../domain/flow/chains.js';
import { flowAggregate } from '../../domain/flow/decide.js';
import { flowEventExamples } from '../support/examples/flow.js';
import { ask, flowOf as flow, text } from '../support/flow-blocks.js';
import { given } from '../support/decider.js';

const start = (flow_uuid: string): Block => ({ type: 'start_flow', flow_uuid });
const own = { uuid: 'own', name: 'Oi' };

/** Published flows by uuid, each of which starts others: `name → [block, flow]`. */
const published = (flows: Readonly<Record<string, readonly (readonly [string, string])[]>>) =>
  new Map<string, PublishedFlow>(
    Object.entries(flows).map(([uuid, starts]) => [
      uuid,
      {
        name: uuid.toUpperCase(),
        startsWithoutWait: starts.map(([block, flowUuid]) => ({ block, flowUuid })),
      },
    ]),
  );

describe('flows that start each other', () => {
  it('lead where a start_flow is come to before anything is waited for', () => {
    const definition = flow({
      a: { ...text('a', 'b'), on_error: 'error' },
      b: ask({ next: 'later', timeout: '1h', on_timeout: 'later' }),
      later: start('later'),
      error: start('at once'),
      nowhere: start('no way leads here'),
    });
    expect(startsWithoutWait(definition)).to.deep.equal([{ block: 'error', flowUuid: 'at once' }]);
    expect(startsWithoutWait(flow({ a: start('first') }))).to.deep.equal([{ block: 'a', flowUuid: 'first' }]);
  });

  it('are an error at the block, with the whole way round by the names of the flows', () => {
    const others = published({
      b: [['again', 'c']],
      c: [
        ['out', 'd'],
        ['back', 'own'],
      ],
      d: [],
    });
    expect(chainProblems(own, flow({ a: text('Oi', 'go'), go: start('b') }), others)).to.deep.equal([
      {
        severity: 'error',
        code: 'flow_cycle_without_wait',
        reason: 'flow_cycle_without_wait',
        values: { way: '"Oi" (go) → "B" (again) → "C" (back) → "Oi"' },
        block: 'go',
        path: 'flow_uuid',
        message:
          'The flows "Oi" (go) → "B" (again) → "C" (back) → "Oi" would start each other for ever: put an ask, a wait or a wait_for_callback before one of these start_flow blocks.',
      },
    ]);
  });

  it('are an error also where a flow starts itself', () => {
    const [problem] = chainProblems(own, flow({ go: start('own') }), new Map());
    expect(problem).to.include({ code: 'flow_cycle_without_wait', block: 'go' });
    expect(problem!.message).to.include('"Oi" (go) → "Oi"');
  });

  it('are none where something is waited for, or the way does not come back', () => {
    const waits = flow({ a: { type: 'wait', for: '1w', next: 'go' }, go: start('own') });
    expect(chainProblems(own, waits, new Map())).to.deep.equal([]);
    // The other two flows form a cycle without this one; it is not reported as this flow's problem.
    const others = published({ b: [['x', 'c']], c: [['y', 'b']] });
    expect(chainProblems(own, flow({ go: start('b') }), others)).to.deep.equal([]);
  });

  it('keep a draft from being published, together with what else is wrong with it', () => {
    const { created, draftSaved } = flowEventExamples;
    const definition = flow({ a: text('Oi', 'go'), go: start('b'), bad: text('{{', 'a') });
    const draft = { ...draftSaved, data: { definition: { ...definition }, digest: 'e'.repeat(64) } };
    given(flowAggregate, created, draft)
      .when({ type: 'PublishFlow', flowUuid: 'own', others: published({ b: [['x', 'own']] }) })
      .thenRefused('flow_invalid', ({ problems }) => {
        const codes = (problems as readonly { readonly code: string }[]).map(({ code }) => code);
        expect(codes).to.include.members(['placeholder_invalid', 'flow_cycle_without_wait']);
      });
  });
});
