/**
 * Two releases side by side on the same servers, and back again. `RECADO_BEFORE` names the build (`dist`) of the release
 * before; docs/testing.md shows how to make one. Without it the suite is skipped.
 */
import { resolve } from 'node:path';
import { expect } from 'chai';
import { skippedSuite } from '../../conformance/support.js';
import { eventually } from '../../support/e2e/eventually.js';
import { watchOwners, type Owners } from '../support/owners.js';
import { byKind, startSystem, type Load, type ProcessName, type System } from '../support/system.js';

/** Takes seconds on an idle machine; this is a limit for hangs, not a performance bar. */
const FLOWS_MS = 300_000;
const QUIET_MS = 600_000;
const title = 'two releases in one deployment';
const other = process.env['RECADO_BEFORE'];

if (other === undefined) skippedSuite(title, 'RECADO_BEFORE names no build of the release before');
else
  describe(title, function () {
    this.timeout(1_800_000);
    let system: System;
    let load: Load;
    let owners: Owners;
    const old = resolve(other);

    before(async () => {
      const builds = { api1: old, api2: old, projections1: old, workers1: old, workers2: old };
      system = await startSystem({ builds });
      load = system.load();
      owners = await watchOwners(system.env);
    });
    after(async () => {
      await owners?.close();
      await system?.close();
    });

    const flows = (): Promise<void> => system.flows(load, FLOWS_MS);
    const start = (name: ProcessName): Promise<boolean> => system.process(name).start();
    const stop = async (name: ProcessName): Promise<void> => {
      expect(await system.process(name).stop(), `${name} ends`).to.equal(0);
    };
    const share = (name: ProcessName): number =>
      owners.places().filter((place) => owners.owner(place)?.endsWith(`:${system.process(name).pid()}`))
        .length;
    const shared = (...names: readonly ProcessName[]): Promise<unknown> =>
      eventually(() => names.every((name) => share(name) > 0), {
        what: `partitions for each of ${names.join(', ')}`,
        timeoutMs: FLOWS_MS,
      });

    it('works as the release before alone', flows);

    it('works with new processes for projections', async () => {
      system.during('new projections beside the old ones');
      await start('projections2');
      await stop('projections1');
      await flows();
    });

    it('shares the work with new workers, in the groups of the release before', async () => {
      system.during('new workers beside the old ones');
      await start('workers3');
      await shared('workers1', 'workers2', 'workers3');
      await flows();
    });

    it('works on what the old workers leave, once they have stopped', async () => {
      system.during('the old workers stopped');
      await stop('workers1');
      await stop('workers2');
      await flows();
      expect([...owners.members()], 'one member').to.have.length(1);
    });

    it('goes back: the release before works on what the new one leaves', async () => {
      system.during('back to the release before');
      await start('projections1');
      await start('workers1');
      await shared('workers1', 'workers3');
      await flows();
      await stop('workers3');
      await stop('projections2');
      await start('workers2');
      await shared('workers1', 'workers2');
      await flows();
    });

    it('has lost nothing, sent nothing twice and told everything', async () => {
      await load.finish();
      await system.quiet(QUIET_MS);
      expect(byKind(await system.judge())).to.deep.equal({});
    });
  });
