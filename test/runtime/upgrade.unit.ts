import { expect } from 'chai';
import { noteUpgrade } from '../../runtime/upgrade.js';
import { memoryReadModels } from '../support/memory/read-models.js';

describe('what a start notes of an earlier release', () => {
  function deployment() {
    const logged: string[] = [];
    const log = (_fields: object, message: string): void => void logged.push(message);
    let now = Date.parse('2026-11-21T12:00:00.000Z');
    const deps = {
      readModels: memoryReadModels(),
      clock: { now: () => (now += 1000), monotonic: () => now, after: () => () => undefined },
      logger: { debug: log, info: log, warn: log, error: log },
    };
    return { deps, logged };
  }

  it('says nothing of a first start, nor of the same release again', async () => {
    const { deps, logged } = deployment();
    expect(await noteUpgrade(deps, '0.1.0', null)).to.equal(null);
    expect(await noteUpgrade(deps, '0.1.0', { from: 3, to: 3 })).to.equal(null);
    expect(logged).to.deep.equal([]);
  });

  it('notes it also where the clock was set back since', async () => {
    const { deps } = deployment();
    await noteUpgrade(deps, '0.1.0', null);
    const { clock } = deps;
    deps.clock = { ...clock, now: () => clock.now() - 48 * 3_600_000 };
    const upgrade = await noteUpgrade(deps, '0.2.0', null);
    expect(upgrade).to.deep.include({ from: '0.1.0', to: '0.2.0' });
    expect(await noteUpgrade(deps, '0.2.0', null)).to.deep.equal(upgrade);
  });

  it('notes another release and other tables once, and remembers it', async () => {
    const { deps, logged } = deployment();
    await noteUpgrade(deps, '0.1.0', null);
    const upgrade = await noteUpgrade(deps, '0.2.0', { from: 3, to: 4 });
    expect(upgrade).to.deep.include({ from: '0.1.0', to: '0.2.0' });
    expect(upgrade!.notes).to.deep.equal([
      'Recado 0.1.0 became 0.2.0.',
      'The tables of the embedded store went from schema 3 to 4.',
    ]);
    expect(await noteUpgrade(deps, '0.2.0', { from: 4, to: 4 })).to.deep.equal(upgrade);
    expect(logged).to.deep.equal(['upgraded']);
  });
});
