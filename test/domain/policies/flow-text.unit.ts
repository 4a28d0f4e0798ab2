import { expect } from 'chai';
import fc from 'fast-check';
import {
  FlowTextError,
  FlowTextTooLong,
  parseFlowText,
  renderFlowText,
  type FlowValues,
} from '../../../domain/policies/flow-text.js';

const values: FlowValues = {
  vars: { utm: 'instagram', n: 12.5, list: [1, 'a'], nothing: null, blank: '' },
  answer: { size: 'M' },
  contact: { name: 'Ana', phone: '+5511987654321', email: null, external_id: null },
  fields: { 'loja.cidade': 'Recife' },
  callback: { paid: 'https://example.com/c/1' },
};
const render = (text: string, given = values): string => renderFlowText(parseFlowText(text), given);

describe('texts of flows', () => {
  it('put values in', () => {
    expect(
      render('Oi {{contact.name}}, {{ vars.utm }}: {{answer.size}} {{contact.field.loja.cidade}}'),
    ).to.equal('Oi Ana, instagram: M Recife');
    expect(render('{{vars.n}} {{vars.list}} {{callback.paid}}')).to.equal(
      '12.5 [1,"a"] https://example.com/c/1',
    );
  });

  it('have a default for what is missing, null or empty', () => {
    expect(
      render('{{contact.email|sem e-mail}}/{{vars.nothing|a}}/{{vars.blank| b }}/{{vars.none}}'),
    ).to.equal('sem e-mail/a/b/');
    expect(render('{{contact.name|cliente}}')).to.equal('Ana');
  });

  it('end where they are longer than they may be, escapes counted', () => {
    const upTo = (most: number, escape?: (value: string) => string): string =>
      renderFlowText(parseFlowText('{{answer.size}}: {{contact.name}}'), values, escape, most);
    expect(upTo(6)).to.equal('M: Ana');
    expect(() => upTo(5)).to.throw(FlowTextTooLong);
    expect(() => upTo(6, (value) => `${value}!`)).to.throw(FlowTextTooLong);
  });

  it('see nothing in what every object has', () => {
    expect(render('{{vars.constructor}}{{vars.__proto__}}{{answer.toString}}')).to.equal('');
  });

  it('put a value in as it is, never what it asks for', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const hostile = {
          ...values,
          contact: { ...values.contact, name: `{{vars.utm}}${name}{{contact.phone}}` },
        };
        expect(render('<{{contact.name}}>', hostile)).to.equal(`<${hostile.contact.name}>`);
      }),
    );
  });

  it('leave a text without placeholders as it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(!text.includes('{{'));
        expect(render(text)).to.equal(text);
      }),
    );
  });

  for (const bad of [
    '{{',
    'a {{vars.x',
    '{{}}',
    '{{name}}',
    '{{vars.}}',
    '{{contact.age}}',
    '{{contact.field.}}',
    '{{env.SECRET}}',
  ])
    it(`refuse ${bad}`, () => {
      expect(() => parseFlowText(bad)).to.throw(FlowTextError);
    });
});
