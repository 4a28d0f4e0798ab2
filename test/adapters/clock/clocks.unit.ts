import { expect } from 'chai';
import { newId, systemClock } from '../../../adapters/clock/system.js';
import { isUuid } from '../../../domain/kernel/ids.js';
import { manualClock } from '../../support/fakes/manual-clock.js';

describe('system clock', () => {
  it('runs a task after a while, and not when cancelled', async () => {
    const ran: string[] = [];
    const cancel = systemClock.after(1, () => ran.push('cancelled'));
    cancel();
    await new Promise<void>((resolve) => {
      systemClock.after(5, () => {
        ran.push('ran');
        resolve();
      });
    });
    expect(ran).to.deep.equal(['ran']);
  });

  it('can wait longer than setTimeout can, and cancel that', async () => {
    let ran = false;
    const cancel = systemClock.after(60 * 86_400_000, () => {
      ran = true;
    });
    await new Promise<void>((resolve) => void systemClock.after(10, resolve));
    cancel();
    expect(ran, 'setTimeout alone would have fired at once').to.equal(false);
  });

  it('makes identifiers that are UUIDs', () => {
    expect(isUuid(newId())).to.equal(true);
    expect(newId()).to.not.equal(newId());
  });
});

describe('manual clock', () => {
  it('runs what becomes due, in order, at its own time, also what the tasks add', async () => {
    const clock = manualClock(1_000);
    const ran: [string, number][] = [];
    const note = (name: string) => () => void ran.push([name, clock.now()]);
    clock.after(30, note('c'));
    clock.after(10, () => {
      note('a')();
      clock.after(5, note('b'));
    });
    const cancel = clock.after(20, note('never'));
    cancel();
    await clock.advance(29);
    expect(ran).to.deep.equal([
      ['a', 1_010],
      ['b', 1_015],
    ]);
    expect(clock.pending()).to.equal(1);
    await clock.advance(1);
    expect(ran[2]).to.deep.equal(['c', 1_030]);
    expect(clock.now()).to.equal(1_030);
  });
});
