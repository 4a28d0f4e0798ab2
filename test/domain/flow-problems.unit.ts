import { expect } from 'chai';
import { MAX_DEFINITION_BYTES } from '../../domain/flow/blocks.js';
import type { Problem, ProblemReason, ProblemValues } from '../../domain/flow/problem.js';
import { readDefinition } from '../../domain/flow/problems.js';
import { ask, condition, flowOf as flow, problemsOf as of, request, text } from '../support/flow-blocks.js';

const choices = (...titles: readonly string[]) => titles.map((title, id) => ({ id: `c${id}`, title }));
const isSound = (block: unknown, what?: string): void => {
  expect(of(block), what).to.deep.equal([]);
};
/** @param error its code, and the path of the field */
const isWrong = (block: unknown, error: string, what?: string): void => {
  expect(of(block), what).to.deep.equal([`error ${error}`]);
};

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
            reason: 'field_of_other_type',
            values: { type: 'object' },
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

    it('everything is named at once, beside a frame and a block that can not be read', () => {
      const { definition, problems } = readDefinition({
        ...flow({
          a: { type: 'send_txt', text: 'Oi', next: 'b' },
          b: text('{{answer.size}} {{callback.a}} {{', 'c'),
          c: text('c', 'b'),
          d: { ...text('d'), on_error: 'gone' },
          e: request({ method: 'GET', body: 'x' }),
        }),
        version: 2,
      });
      expect(definition).to.equal(null);
      expect(problems.map(({ code, block, path }) => [code, block, path])).to.deep.equal([
        ['definition_invalid', null, 'version'],
        ['block_type_unknown', 'a', 'type'],
        ['placeholder_invalid', 'b', 'text'],
        ['edge_dangling', 'd', 'on_error'],
        ['request_invalid', 'e', 'body'],
        ['cycle_without_wait', 'b', null],
        // Not b and c: the unreadable block leads to them.
        ['block_unreachable', 'd', null],
        ['block_unreachable', 'e', null],
      ]);
    });

    it('words that read alike are a warning', () => {
      const { problems } = readDefinition({
        ...flow({ a: text('Oi') }),
        triggers: [{ on: 'first_message' }, { on: 'keyword', words: ['Olá', 'oi', 'OLA!'] }],
      });
      expect(problems).to.deep.equal([
        {
          severity: 'warning',
          code: 'keyword_repeated',
          reason: 'keyword_repeated',
          values: { word: 'OLA!', before: 'Olá' },
          block: null,
          path: 'triggers[1].words[2]',
          message: '"OLA!" reads like "Olá", which starts the flow already.',
        },
      ]);
    });

    it('a header beyond Latin-1 is a warning: it fails when the block is come to', () => {
      const headers = { 'X-Shop': 'Zoë', 'X-Name': 'Łucja', 'X-Value': '{{contact.name|“ninguém”}}' };
      expect(of(request({ headers }))).to.deep.equal([
        'warning request_header_invalid headers.X-Name',
        'warning request_header_invalid headers.X-Value',
      ]);
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
      type Case = [
        block: unknown,
        path: string,
        message: string,
        reason: ProblemReason,
        values?: ProblemValues,
      ];
      const cases: readonly Case[] = [
        [{ type: 'send_text', next: null }, 'text', '"text" is missing.', 'field_missing'],
        [{ ...text('a'), colour: 'red' }, 'colour', '"colour" is not known here.', 'field_unknown'],
        [
          { ...text('a'), preview_url: 'yes' },
          'preview_url',
          '"preview_url" must be boolean.',
          'field_of_other_type',
          { type: 'boolean' },
        ],
        [text(''), 'text', '"text" must NOT have fewer than 1 characters.', 'field_empty'],
        [
          text('x'.repeat(4097)),
          'text',
          '"text" must NOT have more than 4096 characters.',
          'field_too_long',
          { limit: '4096' },
        ],
        [ask({ retries: -1 }), 'retries', '"retries" must be >= 0.', 'field_too_small', { limit: '0' }],
        [ask({ retries: 6 }), 'retries', '"retries" must be <= 5.', 'field_too_large', { limit: '5' }],
        [ask({ choices: [{ title: 'Um' }] }), 'choices.0.id', '"choices.0.id" is missing.', 'field_missing'],
        [
          ask({ choices: [{ id: '1', title: 'Um', colour: 'red' }] }),
          'choices.0.colour',
          '"choices.0.colour" is not known here.',
          'field_unknown',
        ],
        [
          { type: 'end', outcome: 'No' },
          'outcome',
          '"outcome" must match pattern "^[a-z][a-z_]{0,31}$".',
          'field_invalid',
        ],
        [
          { type: 'start_flow', flow_uuid: 'x' },
          'flow_uuid',
          '"flow_uuid" must match format "uuid".',
          'field_no_uuid',
        ],
      ];
      for (const [block, path, message, reason, values = {}] of cases) {
        expect(readDefinition(flow({ a: block })).problems, message).to.deep.equal([
          { severity: 'error', code: 'block_invalid', reason, values, block: 'a', path, message },
        ] satisfies readonly Problem[]);
      }
    });

    it('name the one word that is allowed, or all of them', () => {
      const { problems } = readDefinition({ schema: 2, start: 'a', if_running: 'stop', blocks: {} });
      expect(problems.map(({ path, message }) => [path, message])).to.deep.equal([
        ['schema', '"schema" must be 1.'],
        ['if_running', '"if_running" must be one of "replace", "wait", "skip".'],
        ['start', 'The flow starts at "a", and there is no such block.'],
      ]);
    });

    it('say by the pattern what a field takes', () => {
      const reasonOf = (block: unknown) => readDefinition(flow({ a: block })).problems[0]?.reason;
      expect([
        reasonOf({ ...text('a'), next: 'No id' }),
        reasonOf(ask({ save_as: '1x' })),
        reasonOf({ type: 'wait', for: 'soon', next: null }),
        reasonOf({ type: 'wait', until: { time: '25:00' }, next: null }),
        reasonOf({ type: 'wait', until: { time: '09:00', days: ['mon', 'mon'] }, next: null }),
      ]).to.deep.equal([
        'field_no_block_id',
        'field_no_name',
        'field_no_duration',
        'field_no_time',
        'field_repeated',
      ]);
    });

    it('end the description of a pattern with one full stop', () => {
      expect(messageOf(ask({ save_as: '1x' }))).to.match(/Expected: Name of a variable or an answer\.$/);
    });

    it('quote no more than 40 characters of an unknown type', () => {
      const message = messageOf({ type: 'x'.repeat(41), next: null });
      expect(message).to.include(`"${'x'.repeat(40)}"`);
    });

    it('are errors, for an unknown type and an id as well', () => {
      isWrong({ type: 'fly' }, 'block_type_unknown type');
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
      isWrong(twice, 'choice_duplicated choices');
      isWrong(ask({ choices: choices('Não', ' NÃO ') }), 'choice_duplicated choices');
      isSound(ask({ choices: choices('Sim', 'Não') }));
    });

    it('up to three choices are buttons: 20 characters and no second line', () => {
      const title = (length: number) => 'x'.repeat(length);
      isSound(ask({ choices: choices('a', 'b', title(20)) }));
      isWrong(ask({ choices: choices('a', 'b', title(21)) }), 'choice_invalid choices[2].title');
      isWrong(
        ask({ choices: [{ id: '1', title: 'a', description: 'b' }] }),
        'choice_invalid choices[0].description',
      );
    });

    it('four choices are a list, with longer titles and second lines', () => {
      const [first, ...others] = choices('x'.repeat(24), 'b', 'c', 'd');
      isSound(ask({ choices: [{ ...first, description: 'more' }, ...others] }));
    });

    it('choices leave nothing else to expect', () => {
      isWrong(ask({ choices: choices('a'), expect: 'email' }), 'ask_invalid expect');
      isSound(ask({ expect: 'email' }));
    });

    it('a way for silence needs a time to be silent for', () => {
      isWrong(ask({ on_timeout: null }), 'ask_invalid on_timeout');
      isSound(ask({ on_timeout: null, timeout: '1h' }));
    });
  });

  describe('of waits', () => {
    it('last eight weeks and no longer', () => {
      for (const most of ['8w', '56d']) {
        isSound({ type: 'wait', for: most, next: null }, most);
        isSound(ask({ timeout: most }), most);
        isSound({ type: 'wait_for_callback', timeout: most, next: null }, most);
      }
      isWrong({ type: 'wait', for: '57d', next: null }, 'wait_too_long for');
      isWrong(ask({ timeout: '57d' }), 'wait_too_long timeout');
      isWrong({ type: 'wait_for_callback', timeout: '57d', next: null }, 'wait_too_long timeout');
    });

    it('say how long or until when', () => {
      isWrong({ type: 'wait', next: null }, 'wait_invalid for');
      isSound({ type: 'wait', until: { time: '09:30' }, next: null });
      isSound({ type: 'wait', for: '1m', next: null });
    });
  });

  describe('of conditions', () => {
    it('`set` and `empty` look at the value alone', () => {
      for (const is of ['set', 'empty']) {
        isSound(condition({ value: 'x', is }), is);
        isWrong(condition({ value: 'x', is, to: 'y' }), 'condition_invalid branches[0].when', is);
      }
    });

    it('the others need something to compare with', () => {
      for (const is of ['equal', 'contains', 'greater', 'less_or_equal', 'matches', 'not_matches']) {
        isWrong(condition({ value: 'x', is }), 'condition_invalid branches[0].when', is);
        isSound(condition({ value: 'x', is, to: 'y' }), is);
      }
    });

    it('a pattern is one, where a pattern is expected', () => {
      for (const is of ['matches', 'not_matches']) {
        isWrong(condition({ value: 'x', is, to: '(' }), 'pattern_invalid branches[0].when', is);
      }
      isSound(condition({ value: 'x', is: 'equal', to: '(' }));
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
        isWrong(condition({ value: 'x', is: 'set' }, when), 'condition_invalid branches[1].when', group);
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
      isWrong(media('audio', { caption: 'Oi' }), 'media_invalid caption');
      isSound(media('audio'));
      isSound(media('image', { caption: 'Oi' }));
    });

    it('the host is written out, without credentials', () => {
      for (const url of ['ftp://a.example', '{{vars.url}}', ' https://a.example', 'see https://a.example']) {
        isWrong(request({ url }), 'request_invalid url', url);
      }
      for (const url of ['https://{{vars.host}}/', 'HTTP://ana:secret@a.example/', 'https://a{{vars.b}}/']) {
        isWrong(request({ url }), 'request_invalid url', url);
      }
      for (const url of ['http://a.example', 'HTTPS://a.example/{{vars.b}}', 'https://a.example?to=a@b.c']) {
        isSound(request({ url }), url);
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
      isWrong(request({ method: 'GET', body: 'x' }), 'request_invalid body');
      isSound(request({ method: 'GET' }));
      isSound(request({ method: 'PUT', body: 'x' }));
    });
  });
});
