import { expect } from 'chai';
import { findingsIn } from './schemathesis.js';

describe('what schemathesis says', () => {
  it('is shown without its progress lines', () => {
    const bar = '\u001b[2K\u001b[1A 🕐  Coverage ━━━ 12%\n';
    const findings =
      '=========== FAILURES ===========\n1. Test Case ID: a\n=========== SUMMARY ===========\n';
    expect(findingsIn(bar.repeat(500) + findings)).to.equal(findings);
    expect(findingsIn(bar.repeat(500)))
      .to.have.length(2_000)
      .and.not.include('\u001b');
  });
});
