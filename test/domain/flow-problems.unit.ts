import { expect } from 'chai';
import { MAX_DEFINITION_BYTES } from '../../domain/flow/blocks.js';
import { readDefinition, type Problem } from '../../domain/flow/problems.js';

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
const choices = (...titles: readonly string[]) => titles.map((title, id) => ({ id: `c${id}`, title }));

/** `severity code path` of each problem of a flow with this one block. */
const of = (block: unknown): readonly string[] =>
  readDefinition(flow({ a: block })).problems.map(
    ({ severity, code, path }) => `${severity} ${code} ${path ?? '-'}`,
  );

const messageOf = (block: unknown): string => {
  const { problems } = readDefinition(flow({ a: block }));
  expect(problems).to.have.length(1);
  return problems[0]!.message;
};

describe('problems of a flow', () => {
  describe('of a whole definition', () => {
    it('an absent definition is no definition', () => {
      expect(readDefinition(undefined)).to.deep.equal({
        definition: null,
        problems: [
          {
            severity: 'error',
            code: 'definition_invalid',
            block: null,
            path: null,
            message: 'The definition must be object.',
          },
        ],
      });
    });

    it('the largest definition is read, and one byte more is not', () => {
      const definition = flow({ a: condition({ value: 'x', is: 'set' }) });
      const empty = { ...(definition as object), triggers: [{ on: 'keyword', words: [''] }] };
      const filled = (bytes: number): unknown => ({
        ...empty,
        triggers: [{ on: 'keyword', words: ['w'.repeat(bytes - JSON.stringify(empty).length)] }],
      });
      const codeOf = (bytes: number): string => readDefinition(filled(bytes)).problems[0]!.code;
      expect(codeOf(MAX_DEFINITION_BYTES)).to.equal('definition_invalid');
      expect(codeOf(MAX_DEFINITION_BYTES + 1)).to.equal('definition_too_large');
      expect(readDefinition(filled(MAX_DEFINITION_BYTES + 1)).problems[0]).to.include({
        severity: 'error',
        block: null,
        path: null,
      });
    });

    it('a start that is missing is an error of the whole flow', () => {
      const { problems } = readDefinition({ schema: 1, start: 'gone', blocks: {} });
      expect(problems.map(({ severity, code, block, path }) => [severity, code, block, path])).to.deep.equal([
        ['error', 'start_missing', null, 'start'],
      ]);
    });

    it('at most 200 problems are named, errors before warnings', () => {
      const placeholders = (word: string) => Array.from({ length: 150 }, (_, n) => `{{answer.${word}${n}}}`);
      const { definition, problems } = readDefinition(
        flow({
          a: { ...text(placeholders('a').join(''), 'b'), on_error: 'gone' },
          b: text(placeholders('b').join(''), 'c'),
          c: text('again', 'c'),
        }),
      );
      expect(definition).to.not.equal(null);
      expect(problems).to.have.length(200);
      expect(problems[0]).to.include({ severity: 'error', code: 'edge_dangling', block: 'a' });
      expect(problems[1]).to.include({ severity: 'error', code: 'cycle_without_wait', block: 'c' });
      expect(problems.slice(2).every(({ code }) => code === 'answer_unknown')).to.equal(true);
    });

    it('fewer problems are named block by block', () => {
      const { problems } = readDefinition(
        flow({ a: text('{{answer.gone}}', 'b'), b: { ...text('b'), next: 'gone' } }),
      );
      expect(problems.map(({ code }) => code)).to.deep.equal(['answer_unknown', 'edge_dangling']);
    });

    it('a block that no way leads to, and a knot, name the block', () => {
      const { problems } = readDefinition(
        flow({ a: text('a'), b: text('b', 'c'), c: text('c', 'd'), d: text('d', 'b') }),
      );
      expect(problems.map(({ severity, code, block, path }) => [severity, code, block, path])).to.deep.equal([
        ['error', 'cycle_without_wait', 'b', null],
        ['warning', 'block_unreachable', 'b', null],
        ['warning', 'block_unreachable', 'c', null],
        ['warning', 'block_unreachable', 'd', null],
      ]);
      expect(problems[0]!.message).to.include('b → c → d → b');
    });

    it('a knot is found although a way out of it was walked first', () => {
      const { problems } = readDefinition(
        flow({
          a: {
            ...condition({ value: 'x', is: 'set' }, { value: 'y', is: 'set' }),
            branches: [
              { when: { value: 'x', is: 'set' }, next: 'out' },
              { when: { value: 'y', is: 'set' }, next: 'b' },
            ],
          },
          out: text('out'),
          b: text('b', 'a'),
        }),
      );
      expect(problems.map(({ code, message }) => [code, message.split(' would')[0]])).to.deep.equal([
        ['cycle_without_wait', 'a → b → a'],
      ]);
    });
  });

  describe('of the shape of a block', () => {
    it('say what is wrong, each field by its path', () => {
      const cases: readonly [block: unknown, path: string | null, message: string][] = [
        [{ type: 'send_text', next: null }, 'text', '"text" is missing.'],
        [{ ...text('a'), colour: 'red' }, 'colour', '"colour" is not known here.'],
        [{ ...text('a'), preview_url: 'yes' }, 'preview_url', '"preview_url" must be boolean.'],
        [text(''), 'text', '"text" must NOT have fewer than 1 characters.'],
        [ask({ choices: [{ title: 'Um' }] }), 'choices.0.id', '"choices.0.id" is missing.'],
        [
          ask({ choices: [{ id: '1', title: 'Um', colour: 'red' }] }),
          'choices.0.colour',
          '"choices.0.colour" is not known here.',
        ],
        [{ type: 'end', outcome: 'No' }, 'outcome', '"outcome" must match pattern "^[a-z][a-z_]{0,31}$".'],
        [{ type: 'start_flow', flow_uuid: 'x' }, 'flow_uuid', '"flow_uuid" must match format "uuid".'],
      ];
      for (const [block, path, message] of cases) {
        expect(readDefinition(flow({ a: block })).problems, message).to.deep.equal([
          { severity: 'error', code: 'block_invalid', block: 'a', path, message },
        ] satisfies readonly Problem[]);
      }
    });

    it('name the one word that is allowed, or all of them', () => {
      const { problems } = readDefinition({ schema: 2, start: 'a', if_running: 'stop', blocks: {} });
      expect(problems.map(({ path, message }) => [path, message])).to.deep.equal([
        ['schema', '"schema" must be 1.'],
        ['if_running', '"if_running" must be one of "replace", "wait", "skip".'],
      ]);
    });

    it('end the description of a pattern with one full stop', () => {
      expect(messageOf(ask({ save_as: '1x' }))).to.match(/It is: Name of a variable or an answer\.$/);
    });

    it('quote no more than 40 characters of an unknown type', () => {
      const message = messageOf({ type: 'x'.repeat(41), next: null });
      expect(message).to.include(`"${'x'.repeat(40)}"`);
    });

    it('are errors, for an unknown type and an id as well', () => {
      expect(of({ type: 'fly' })).to.deep.equal(['error block_type_unknown type']);
      const { problems } = readDefinition(flow({ a: text('a'), 'a b': text('b') }));
      expect(problems.map(({ severity, code }) => [severity, code])).to.include.deep.members([
        ['error', 'block_id_invalid'],
      ]);
    });
  });

  describe('of questions', () => {
    it('two choices have neither one id nor one title, whatever its case and the spaces around it', () => {
      const twice = ask({
        choices: [
          { id: '1', title: 'Um' },
          { id: '1', title: 'Dois' },
        ],
      });
      expect(of(twice)).to.deep.equal(['error choice_duplicated choices']);
      expect(of(ask({ choices: choices('Não', ' NÃO ') }))).to.deep.equal([
        'error choice_duplicated choices',
      ]);
      expect(of(ask({ choices: choices('Sim', 'Não') }))).to.deep.equal([]);
    });

    it('up to three choices are buttons: 20 characters and no second line', () => {
      const title = (length: number) => 'x'.repeat(length);
      expect(of(ask({ choices: choices('a', 'b', title(20)) }))).to.deep.equal([]);
      expect(of(ask({ choices: choices('a', 'b', title(21)) }))).to.deep.equal([
        'error choice_invalid choices[2].title',
      ]);
      expect(of(ask({ choices: [{ id: '1', title: 'a', description: 'b' }] }))).to.deep.equal([
        'error choice_invalid choices[0].description',
      ]);
    });

    it('four choices are a list, with longer titles and second lines', () => {
      const [first, ...others] = choices('x'.repeat(24), 'b', 'c', 'd');
      expect(of(ask({ choices: [{ ...first, description: 'more' }, ...others] }))).to.deep.equal([]);
    });

    it('choices leave nothing else to expect', () => {
      expect(of(ask({ choices: choices('a'), expect: 'email' }))).to.deep.equal(['error ask_invalid expect']);
      expect(of(ask({ expect: 'email' }))).to.deep.equal([]);
    });

    it('a way for silence needs a time to be silent for', () => {
      expect(of(ask({ on_timeout: null }))).to.deep.equal(['error ask_invalid on_timeout']);
      expect(of(ask({ on_timeout: null, timeout: '1h' }))).to.deep.equal([]);
    });
  });

  describe('of waits', () => {
    it('last eight weeks and no longer', () => {
      for (const most of ['8w', '56d']) {
        expect(of({ type: 'wait', for: most, next: null }), most).to.deep.equal([]);
        expect(of(ask({ timeout: most })), most).to.deep.equal([]);
        expect(of({ type: 'wait_for_callback', timeout: most, next: null }), most).to.deep.equal([]);
      }
      expect(of({ type: 'wait', for: '57d', next: null })).to.deep.equal(['error wait_too_long for']);
      expect(of(ask({ timeout: '57d' }))).to.deep.equal(['error wait_too_long timeout']);
      expect(of({ type: 'wait_for_callback', timeout: '57d', next: null })).to.deep.equal([
        'error wait_too_long timeout',
      ]);
    });

    it('say how long or until when', () => {
      expect(of({ type: 'wait', next: null })).to.deep.equal(['error wait_invalid for']);
      expect(of({ type: 'wait', until: { time: '09:30' }, next: null })).to.deep.equal([]);
      expect(of({ type: 'wait', for: '1m', next: null })).to.deep.equal([]);
    });
  });

  describe('of conditions', () => {
    it('`set` and `empty` look at the value alone', () => {
      for (const is of ['set', 'empty']) {
        expect(of(condition({ value: 'x', is })), is).to.deep.equal([]);
        expect(of(condition({ value: 'x', is, to: 'y' })), is).to.deep.equal([
          'error condition_invalid branches[0].when',
        ]);
      }
    });

    it('the others need something to compare with', () => {
      for (const is of ['equal', 'contains', 'greater', 'less_or_equal', 'matches', 'not_matches']) {
        expect(of(condition({ value: 'x', is })), is).to.deep.equal([
          'error condition_invalid branches[0].when',
        ]);
        expect(of(condition({ value: 'x', is, to: 'y' })), is).to.deep.equal([]);
      }
    });

    it('a pattern is one, where a pattern is expected', () => {
      for (const is of ['matches', 'not_matches']) {
        expect(of(condition({ value: 'x', is, to: '(' })), is).to.deep.equal([
          'error pattern_invalid branches[0].when',
        ]);
      }
      expect(of(condition({ value: 'x', is: 'equal', to: '(' }))).to.deep.equal([]);
      expect(messageOf(condition({ value: 'x', is: 'matches', to: '(' }))).to.match(
        /back-references\): error parsing regexp: missing closing \)/,
      );
    });

    it('each comparison of a group counts', () => {
      for (const group of ['all', 'any']) {
        const when = {
          [group]: [
            { value: 'x', is: 'set' },
            { value: 'x', is: 'equal' },
          ],
        };
        expect(of(condition({ value: 'x', is: 'set' }, when)), group).to.deep.equal([
          'error condition_invalid branches[1].when',
        ]);
      }
    });
  });

  describe('of media and requests', () => {
    it('a sound has no caption, and a picture may have one', () => {
      const media = (kind: string, more: object = {}) => ({
        type: 'send_media',
        media: kind,
        link: 'https://a.example/1',
        next: null,
        ...more,
      });
      expect(of(media('audio', { caption: 'Oi' }))).to.deep.equal(['error media_invalid caption']);
      expect(of(media('audio'))).to.deep.equal([]);
      expect(of(media('image', { caption: 'Oi' }))).to.deep.equal([]);
    });

    it('the host is written out, without credentials', () => {
      for (const url of ['ftp://a.example', '{{vars.url}}', ' https://a.example', 'see https://a.example']) {
        expect(of(request({ url })), url).to.deep.equal(['error request_invalid url']);
      }
      for (const url of ['https://{{vars.host}}/', 'HTTP://ana:secret@a.example/', 'https://a{{vars.b}}/']) {
        expect(of(request({ url })), url).to.deep.equal(['error request_invalid url']);
      }
      for (const url of ['http://a.example', 'HTTPS://a.example/{{vars.b}}', 'https://a.example?to=a@b.c']) {
        expect(of(request({ url })), url).to.deep.equal([]);
      }
    });

    it('headers are headers, and none that the service sets', () => {
      const headers = (name: string, value: string) => of(request({ headers: { [name]: value } }));
      for (const [name, value] of [
        ['a b', '1'],
        ['a:', '1'],
        ['X-A', 'a\nb'],
        ['X-A', 'a\rb'],
      ] as const) {
        expect(headers(name, value), name).to.deep.equal([`error request_invalid headers.${name}`]);
      }
      for (const name of ['Host', 'content-length', 'Transfer-Encoding', 'connection']) {
        expect(headers(name, '1'), name).to.deep.equal([`error request_invalid headers.${name}`]);
      }
      for (const name of ['Authorization', 'X-Host', 'Hosted', 'keep-connection']) {
        expect(headers(name, '1'), name).to.deep.equal([]);
      }
    });

    it('a GET has no body, and every other method may have one', () => {
      expect(of(request({ method: 'GET', body: 'x' }))).to.deep.equal(['error request_invalid body']);
      expect(of(request({ method: 'GET' }))).to.deep.equal([]);
      expect(of(request({ method: 'PUT', body: 'x' }))).to.deep.equal([]);
    });
  });
});
