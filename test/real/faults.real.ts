/**
 * Five processes under load, on servers that hold all their data. One thing at a time fails: first processes, then
 * servers. The last test checks the whole result against the guarantees in docs/testing.md. One system for all of it,
 * because becoming quiet takes as long as the longest wait for a lost outcome, whatever happened before.
 */
import { expect } from 'chai';
import type { SeenAnswer } from '../crash/integrator.js';
import { ownerFaults } from './faults/owners.js';
import { CLOCKS, GATED, processFaults } from './faults/processes.js';
import { serverOutages } from './faults/servers.js';
import { byKind, startSystem, type Load, type System } from './support/system.js';

const QUIET_MS = 1_200_000;

describe('a system under load', function () {
  this.timeout(1_800_000);
  let system: System;
  let load: Load;
  const answers: SeenAnswer[] = [];
  const started = () => ({ system, load, answers });

  before(async () => {
    system = await startSystem({ gated: GATED, envOf: CLOCKS });
    load = system.load({ onAnswer: (answer) => void answers.push(answer) });
  });
  after(() => system?.close());

  describe('whose processes fail', () => processFaults(started));
  describe('whose partitions move', () => ownerFaults(started));
  describe('whose servers fail', () => serverOutages(started));

  describe('in the end', () => {
    it('has lost nothing, sent nothing twice and told everything', async () => {
      system.during('the end');
      await load.finish();
      await system.quiet(QUIET_MS);
      const violations = await system.judge();
      expect(byKind(violations)).to.deep.equal({});
      expect(system.log()).to.not.include('unhandled rejection');
      expect(load.integrators.accepted.length).to.be.greaterThan(100);
    });
  });
});
