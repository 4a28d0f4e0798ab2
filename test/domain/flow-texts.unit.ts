import { expect } from 'chai';
import { textsOf } from '../../domain/flow/placeholder-problems.js';
import { readDefinition } from '../../domain/flow/problems.js';
import {
  ask,
  callback,
  condition,
  FLOW_UUID,
  flowOf,
  problemsOf,
  request,
  text,
} from '../support/flow-blocks.js';

describe('texts of a flow', () => {
  describe('of placeholders', () => {
    /** Problems of a whole flow. */
    const problems = (blocks: Readonly<Record<string, unknown>>) =>
      readDefinition(flowOf(blocks)).problems.map(({ severity, code, block, path }) => [
        severity,
        code,
        block,
        path,
      ]);

    it('an answer is known when a question of the flow keeps it', () => {
      const known = (said: string) => problems({ q: ask({ next: 'a' }), a: text(said) });
      expect(known('{{answer.which}}')).to.deep.equal([]);
      expect(known('{{answer.other}}')).to.deep.equal([['warning', 'answer_unknown', 'a', 'text']]);
    });

    it('a call-back is known when the flow has a block that waits for it', () => {
      const known = (said: string) => problems({ a: text(said, 'paid'), paid: callback() });
      expect(known('{{callback.paid}}')).to.deep.equal([]);
      expect(known('{{callback.a}}')).to.deep.equal([['error', 'callback_unknown', 'a', 'text']]);
      expect(known('{{callback.gone}}')).to.deep.equal([['error', 'callback_unknown', 'a', 'text']]);
    });

    it('a placeholder that cannot be read is an error', () => {
      expect(problemsOf(text('{{contact.age}}'))).to.deep.equal(['error placeholder_invalid text']);
      expect(problemsOf(text('{{contact.name}}'))).to.deep.equal([]);
    });
  });

  describe('texts that values are put into', () => {
    /** `path value` of each text. */
    const texts = (block: object): readonly string[] => {
      const { definition } = readDefinition(flowOf({ a: block }));
      return textsOf(definition!.blocks['a']!).map(([path, value]) => `${path} ${value}`);
    };

    it('are those of every type of block, by path', () => {
      expect(texts(text('Oi'))).to.deep.equal(['text Oi']);
      expect(
        texts({
          type: 'send_template',
          name: 'n',
          language: 'pt_BR',
          parameters: ['1', '2'],
          named_parameters: { who: '3' },
          header: { type: 'image', image: { link: '4', cached: true, none: null } },
          buttons: [{ index: 0, payload: '5' }],
          next: null,
        }),
      ).to.deep.equal([
        'parameters[0] 1',
        'parameters[1] 2',
        'named_parameters.who 3',
        'header.type image',
        'header.image.link 4',
        'buttons[0].payload 5',
      ]);
      expect(
        texts({ type: 'send_media', media: 'document', link: '1', caption: '2', filename: '3', next: null }),
      ).to.deep.equal(['link 1', 'caption 2', 'filename 3']);
      expect(texts(ask({ retry_text: 'De novo?' }))).to.deep.equal(['text Qual?', 'retry_text De novo?']);
      expect(texts({ type: 'set_field', field: 'f', value: 'v', next: null })).to.deep.equal(['value v']);
      expect(texts({ type: 'set_variable', name: 'n', value: 'v', next: null })).to.deep.equal(['value v']);
      expect(texts({ type: 'add_tag', tag: 't', next: null })).to.deep.equal(['tag t']);
      expect(texts({ type: 'remove_tag', tag: 't', next: null })).to.deep.equal(['tag t']);
      expect(texts({ type: 'wait', for: '1m', next: null })).to.deep.equal([]);
      expect(texts(callback())).to.deep.equal([]);
      expect(texts(request({ headers: { 'X-A': 'h' }, body: 'b' }))).to.deep.equal([
        'url https://erp.example/orders',
        'headers.X-A h',
        'body b',
      ]);
      expect(texts({ type: 'handoff', note: 'n' })).to.deep.equal(['note n']);
      expect(
        texts({
          type: 'start_flow',
          flow_uuid: FLOW_UUID,
          variables: { a: 'v' },
        }),
      ).to.deep.equal(['variables.a v']);
      expect(texts({ type: 'end', outcome: 'done' })).to.deep.equal([]);
    });

    it('are both sides of a comparison, and never a pattern', () => {
      expect(
        texts(
          condition(
            { value: '1', is: 'equal', to: '2' },
            { any: [{ value: '3', is: 'set' }] },
            { value: '4', is: 'matches', to: '5' },
            { value: '6', is: 'not_matches', to: '7' },
          ),
        ),
      ).to.deep.equal([
        'branches[0].when.value 1',
        'branches[0].when.to 2',
        'branches[1].when.value 3',
        'branches[2].when.value 4',
        'branches[3].when.value 6',
      ]);
    });
  });
});
