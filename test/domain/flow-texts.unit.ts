import { expect } from 'chai';
import { readDefinition, textsOf } from '../../domain/flow/problems.js';

type Blocks = Readonly<Record<string, unknown>>;

const flow = (blocks: Blocks): unknown => ({ schema: 1, start: Object.keys(blocks)[0], blocks });
const text = (said: string, next: string | null = null) => ({ type: 'send_text', text: said, next });
const ask = (more: object = {}) => ({ type: 'ask', text: 'Qual?', save_as: 'which', next: null, ...more });
const condition = (...when: readonly object[]) => ({
  type: 'condition',
  branches: when.map((one) => ({ when: one, next: null })),
  otherwise: null,
});
const request = (more: object = {}) => ({
  type: 'http_request',
  method: 'POST',
  url: 'https://erp.example/orders',
  next: null,
  ...more,
});

/** `severity code path` of each problem of a flow with this one block. */
const of = (block: unknown): readonly string[] =>
  readDefinition(flow({ a: block })).problems.map(
    ({ severity, code, path }) => `${severity} ${code} ${path ?? '-'}`,
  );

describe('texts of a flow', () => {
  describe('of placeholders', () => {
    it('an answer is known when a question of the flow keeps it', () => {
      const known = (said: string) =>
        readDefinition(flow({ q: ask({ next: 'a' }), a: text(said) })).problems.map(
          ({ severity, code, block, path }) => [severity, code, block, path],
        );
      expect(known('{{answer.which}}')).to.deep.equal([]);
      expect(known('{{answer.other}}')).to.deep.equal([['warning', 'answer_unknown', 'a', 'text']]);
    });

    it('a call-back is known when the flow has a block that waits for it', () => {
      const known = (said: string) =>
        readDefinition(
          flow({ a: text(said, 'paid'), paid: { type: 'wait_for_callback', timeout: '1h', next: null } }),
        ).problems.map(({ severity, code, block, path }) => [severity, code, block, path]);
      expect(known('{{callback.paid}}')).to.deep.equal([]);
      expect(known('{{callback.a}}')).to.deep.equal([['error', 'callback_unknown', 'a', 'text']]);
      expect(known('{{callback.gone}}')).to.deep.equal([['error', 'callback_unknown', 'a', 'text']]);
    });

    it('a placeholder that cannot be read is an error', () => {
      expect(of(text('{{contact.age}}'))).to.deep.equal(['error placeholder_invalid text']);
      expect(of(text('{{contact.name}}'))).to.deep.equal([]);
    });
  });

  describe('texts that values are put into', () => {
    const paths = (block: object): readonly (readonly [string, string])[] => {
      const { definition } = readDefinition(flow({ a: block }));
      return textsOf(definition!.blocks['a']!);
    };

    it('are those of every type of block, by path', () => {
      expect(paths(text('Oi'))).to.deep.equal([['text', 'Oi']]);
      expect(
        paths({
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
        ['parameters[0]', '1'],
        ['parameters[1]', '2'],
        ['named_parameters.who', '3'],
        ['header.type', 'image'],
        ['header.image.link', '4'],
        ['buttons[0].payload', '5'],
      ]);
      expect(
        paths({ type: 'send_media', media: 'document', link: '1', caption: '2', filename: '3', next: null }),
      ).to.deep.equal([
        ['link', '1'],
        ['caption', '2'],
        ['filename', '3'],
      ]);
      expect(paths(ask({ retry_text: 'De novo?' }))).to.deep.equal([
        ['text', 'Qual?'],
        ['retry_text', 'De novo?'],
      ]);
      expect(paths({ type: 'set_field', field: 'f', value: 'v', next: null })).to.deep.equal([
        ['value', 'v'],
      ]);
      expect(paths({ type: 'set_variable', name: 'n', value: 'v', next: null })).to.deep.equal([
        ['value', 'v'],
      ]);
      expect(paths({ type: 'add_tag', tag: 't', next: null })).to.deep.equal([['tag', 't']]);
      expect(paths({ type: 'remove_tag', tag: 't', next: null })).to.deep.equal([['tag', 't']]);
      expect(paths({ type: 'wait', for: '1m', next: null })).to.deep.equal([]);
      expect(paths({ type: 'wait_for_callback', timeout: '1m', next: null })).to.deep.equal([]);
      expect(paths(request({ headers: { 'X-A': 'h' }, body: 'b' }))).to.deep.equal([
        ['url', 'https://erp.example/orders'],
        ['headers.X-A', 'h'],
        ['body', 'b'],
      ]);
      expect(paths({ type: 'handoff', note: 'n' })).to.deep.equal([['note', 'n']]);
      expect(
        paths({
          type: 'start_flow',
          flow_uuid: '0190f0c0-0000-7000-8000-000000000001',
          variables: { a: 'v' },
        }),
      ).to.deep.equal([['variables.a', 'v']]);
      expect(paths({ type: 'end', outcome: 'done' })).to.deep.equal([]);
    });

    it('are both sides of a comparison, and never a pattern', () => {
      expect(
        paths(
          condition(
            { value: '1', is: 'equal', to: '2' },
            { any: [{ value: '3', is: 'set' }] },
            { value: '4', is: 'matches', to: '5' },
            { value: '6', is: 'not_matches', to: '7' },
          ),
        ),
      ).to.deep.equal([
        ['branches[0].when.value', '1'],
        ['branches[0].when.to', '2'],
        ['branches[1].when.value', '3'],
        ['branches[2].when.value', '4'],
        ['branches[3].when.value', '6'],
      ]);
    });
  });
});
