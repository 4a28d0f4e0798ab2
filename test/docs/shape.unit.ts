import { expect } from 'chai';
import { commandBlocks } from '../support/docs/blocks.js';
import { missingField, missingLine } from '../support/docs/shape.js';

const page = [
  'Text.',
  '```sh\nrecado status\n```',
  '<!-- not run: it needs a number -->\n\n```sh\nrecado channels connect\n```',
  'Text.',
  '<!-- until shown -->\n\n```sh\nrecado feed list\n```',
  'It prints:',
  '```text\nid 5\n```',
].join('\n\n');

describe('a printed answer and what really came', () => {
  it('are found in a page, with what is said about them', () => {
    const found = commandBlocks(page).map(({ line, answer, notRun, untilShown }) => [
      line,
      answer?.text ?? null,
      notRun,
      untilShown,
    ]);
    expect(found).to.deep.equal([
      [3, null, null, false],
      [9, null, 'it needs a number', false],
      [17, 'id 5\n', null, true],
    ]);
  });

  it('may differ in ids, times, numbers and width, and where three dots stand', () => {
    const actual =
      'first\n\u001b[1mUUID\u001b[0m   STATUS\n16c950e5-4504-5f6b-a1f7-801664d338a7    sent  1.5 MB\n';
    expect(missingLine('UUID  STATUS\n854c635d-5975-4b5d-81b2-d4aff76e09f1 sent 22 MB', actual)).to.equal(
      null,
    );
    expect(missingLine('first\n…\n854c635d-5975-4b5d-81b2-d4aff76e09f1  … MB', actual)).to.equal(null);
  });

  it('may not differ in words, order or columns', () => {
    expect(missingLine('b\na', 'a\nb')).to.equal('a');
    expect(missingLine('UUID  STATE', 'UUID STATUS')).to.equal('UUID  STATE');
    expect(missingLine('id  5  sent', 'id 5')).to.equal('id  5  sent');
  });

  it('has the fields of the printed JSON, with their types', () => {
    const actual = { data: [{ id: 7, name: 'x', more: true }], meta: { next: null } };
    expect(missingField({ data: [{ id: 1, name: '…' }], meta: { next: '…' } }, actual)).to.equal(null);
    expect(missingField({ data: [{ uuid: '…' }] }, actual)).to.equal('the answer.data[0].uuid');
    expect(missingField({ data: [{ id: 'one' }] }, actual)).to.equal('the answer.data[0].id');
    expect(missingField({ data: [{ id: 1 }] }, { data: [] })).to.equal('the answer.data[0]');
  });
});
