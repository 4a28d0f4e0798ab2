import { expect } from 'chai';
import { leaveToHandlers } from '../../api/middleware/judged-by-handlers.js';

describe('what the contract leaves to handlers', () => {
  it('is the keywords that a schema lists, at any depth; what else it says stays', () => {
    const phone = { type: 'string', pattern: '^x', maxLength: 9, 'x-judged-by-handler': ['pattern'] };
    const strict = { type: 'string', pattern: '^y' };
    const document = { paths: { a: [{ schema: { properties: { phone, strict } } }] } };
    leaveToHandlers(document);
    expect(phone).to.deep.equal({ type: 'string', maxLength: 9, 'x-judged-by-handler': ['pattern'] });
    expect(strict).to.have.property('pattern');
  });

  it('is the variant that lets everything pass, where one is marked', () => {
    const open = { type: 'object', 'x-judged-by-handler': true };
    const body = { anyOf: [{ type: 'object', required: ['a'] }, open] };
    const closed = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    leaveToHandlers({ body, closed });
    expect(body.anyOf).to.deep.equal([open]);
    expect(closed.anyOf).to.have.length(2);
  });
});
