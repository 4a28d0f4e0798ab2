import { expect } from 'chai';
import { createLines, type Claimed, type Lines } from '../../../workers/sending/lines.js';

const claimed = (id: string, more: { subject?: string; claims?: number; dueAt?: number } = {}): Claimed => ({
  urgency: 'service',
  entry: {
    queue: 'send',
    id,
    lane: 'c1',
    dueAt: more.dueAt ?? 10,
    payload: { subject: more.subject ?? 'ana' },
    claims: more.claims ?? 1,
    fence: 1,
  },
});

describe('lines of sends to one person', () => {
  let now = 0;
  let setBy = 0;
  const clock = { now: () => now + setBy, monotonic: () => now };
  beforeEach(() => {
    now = 0;
    setBy = 0;
  });
  const enterAt = (lines: Lines, time: number, entry: Claimed) => {
    now = time;
    return lines.enter(entry);
  };

  it('let one go, and the others after it in the order in which they came', () => {
    const lines = createLines(clock);
    expect(enterAt(lines, 0, claimed('a'))).to.equal('goes');
    expect(enterAt(lines, 0, claimed('b'))).to.equal('waits');
    expect(enterAt(lines, 0, claimed('c'))).to.equal('waits');
    expect(enterAt(lines, 0, claimed('x', { subject: 'bia' }))).to.equal('goes');
    expect(lines.next('ana')!.entry.id).to.equal('b');
    expect(enterAt(lines, 0, claimed('b'))).to.equal('goes');
    expect(lines.next('ana')!.entry.id).to.equal('c');
    expect(lines.next('ana')).to.equal(undefined);
    expect(enterAt(lines, 0, claimed('d'))).to.equal('goes');
  });

  it('keep the place of a row whose claim ran out, with its last claim', () => {
    const lines = createLines(clock);
    for (const id of ['a', 'b', 'c']) enterAt(lines, 0, claimed(id));
    expect(enterAt(lines, 0, claimed('b', { claims: 2 }))).to.equal('waits');
    const next = lines.next('ana')!;
    expect([next.entry.id, next.entry.claims]).to.deep.equal(['b', 2]);
  });

  it('put back what is too much, and what was accepted later behind it', () => {
    const lines = createLines(clock);
    for (let n = 0; n <= 100; n += 1) enterAt(lines, 0, claimed(`row-${n}`));
    expect(enterAt(lines, 50, claimed('full'))).to.deep.equal({ putBack: 1_050 });
    for (let n = 0; n <= 100; n += 1) lines.next('ana');
    expect(enterAt(lines, 900, claimed('later', { dueAt: 900 }))).to.deep.equal({ putBack: 1_050 });
    expect(enterAt(lines, 1_050, claimed('full', { claims: 2, dueAt: 1_050 }))).to.equal('goes');
    expect(enterAt(lines, 1_050, claimed('later', { claims: 2, dueAt: 1_050 }))).to.equal('waits');
    expect(enterAt(lines, 1_051, claimed('last', { dueAt: 1_051 }))).to.equal('waits');
  });

  it('keep what is new behind a row that waits for the pace of its recipient', () => {
    const lines = createLines(clock);
    enterAt(lines, 0, claimed('a'));
    lines.comesBack('ana', 6_000);
    lines.next('ana');
    expect(enterAt(lines, 6_001, claimed('b', { dueAt: 5_999 }))).to.deep.equal({ putBack: 6_000 });
    expect(enterAt(lines, 6_001, claimed('c', { dueAt: 6_000 }))).to.deep.equal({ putBack: 6_000 });
    expect(enterAt(lines, 6_001, claimed('a', { claims: 2, dueAt: 6_000 }))).to.equal('goes');
  });

  it('keep nobody waiting for a clock that was set back', () => {
    const lines = createLines(clock);
    enterAt(lines, 0, claimed('a'));
    lines.comesBack('ana', 6_000);
    lines.next('ana');
    setBy = -3_600_000;
    expect(enterAt(lines, 1_000, claimed('b', { dueAt: -3_599_000 }))).to.deep.equal({
      putBack: -3_594_000,
    });
  });

  it('give back all that wait when the channel goes elsewhere', () => {
    const lines = createLines(clock);
    for (const id of ['a', 'b', 'c']) enterAt(lines, 0, claimed(id));
    expect(lines.clear().map((rows) => rows.map(({ entry }) => entry.id))).to.deep.equal([['b', 'c']]);
    expect(lines.next('ana')).to.equal(undefined);
  });
});
