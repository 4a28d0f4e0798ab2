import { expect } from 'chai';
import type { Block } from '../../domain/flow/blocks.js';
import { effectOf, type Effect } from '../../domain/flow/interpreter.js';
import type { Session } from '../../domain/flow/session.js';
import * as blocks from '../support/flow-blocks.js';
import { alone, around, atA as at, callback, FLOW_UUID, flowOf } from '../support/flow-blocks.js';

const effect = (block: Block, asked = 0): Effect => effectOf(alone(block), at(asked), around);
const ask = (more: object = {}): Block => blocks.ask({ text: 'Qual, {{contact.name}}?', ...more });
const request = (more: object = {}): Block =>
  blocks.request({ method: 'GET', url: 'https://erp.example/{{vars.code}}', ...more });

describe('a block of a flow', () => {
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

    it('it fails where a header would hold what none can carry, and says which', () => {
      const code = 'request_header_invalid';
      const headers = { 'X-Name': '{{vars.name}}', 'X-Other': 'é' };
      const block = { ...request(), headers } as Block;
      const asked = (name: string): Effect => effectOf(alone(block), { ...at(), vars: { name } }, around);
      expect(asked('Zoë')).to.deep.include({ headers: { 'X-Name': 'Zoë', 'X-Other': 'é' } });
      const failed = asked('Łucja');
      expect(failed).to.have.nested.property('failure.code', code);
      expect(failed).to.have.nested.property('failure.details.fields[0].path', 'headers.X-Name');
    });

    it('it fails where its texts are too long together, with their values in', () => {
      const long = { ...at(), vars: { v: 'x'.repeat(60_000) } };
      const tooLong = {
        do: 'fail',
        failure: {
          code: 'text_too_long',
          message: 'With its values, what the block says is longer than 262,144 characters.',
          details: {},
        },
      };
      const four = '{{vars.v}}'.repeat(4);
      const said = (words: string): Effect =>
        effectOf(alone({ type: 'send_text', text: words, next: null }), long, around);
      expect(said(four)).to.include({ do: 'send_text' });
      expect(said(`${four}{{vars.v}}`)).to.deep.equal(tooLong);
      const template = (parameters: readonly string[]): Effect =>
        effectOf(
          alone({ type: 'send_template', name: 'n', language: 'pt_BR', parameters, next: null } as Block),
          long,
          around,
        );
      expect(template([four])).to.include({ do: 'send_template' });
      expect(template([four, four])).to.deep.equal(tooLong);
      const asked = request({ method: 'POST', body: `"${'{{vars.v}}'.repeat(3)}"` });
      const quoted = { ...at(), vars: { v: '"'.repeat(60_000) } };
      expect(effectOf(alone(asked), quoted, around), 'as it is written in JSON').to.deep.equal(tooLong);
    });

    it('nothing, where the way is known', () => {
      const moving: readonly Block[] = [
        { type: 'end' },
        { type: 'set_variable', name: 'n', value: 'v', next: null },
        { type: 'condition', branches: [], otherwise: null },
      ];
      for (const block of moving) expect(effect(block), block.type).to.deep.equal({ do: 'move' });
    });

    it('nothing can be done when the flow is over, or in a block that the version does not have', () => {
      const over: Session = { ...at(), at: null };
      expect(() => effectOf(alone({ type: 'end' }), over, around)).to.throw('nothing to do at the end');
      const oddlyNamed = flowOf({ null: { type: 'end' } });
      expect(() => effectOf(oddlyNamed, over, around)).to.throw('nothing to do at the end');
      for (const id of ['gone', 'constructor']) {
        expect(() => effectOf(alone({ type: 'end' }), { ...at(), at: id }, around)).to.throw(
          `nothing to do at ${id}`,
        );
      }
    });
  });
});
