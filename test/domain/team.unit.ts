import { expect } from 'chai';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { MAX_TEAM, teamAggregate } from '../../domain/team/decide.js';
import { teamCommandExamples, teamEventExamples } from '../support/examples/team.js';
import type { TeamEvent } from '../../domain/team/events.js';
import { given } from '../support/decider.js';

const { added, renamed, removed } = teamEventExamples;
const add = teamCommandExamples.add.command;
const rename = teamCommandExamples.rename.command;
const remove = teamCommandExamples.remove.command;
const members = (count: number): readonly TeamEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    type: 'TeamMemberAdded',
    data: {
      company_uuid: exampleIds.company,
      member_uuid: deriveId('member', index),
      kind: 'group',
      name: `Group ${index}`,
    },
  }));

describe('team', () => {
  it('has each member once', () => {
    given(teamAggregate).when(add).then(added);
    given(teamAggregate, added).when(add).thenNothing();
  });

  it('is full with a thousand members, and takes one more when one has gone', () => {
    given(teamAggregate, ...members(MAX_TEAM - 1))
      .when(add)
      .then(added);
    given(teamAggregate, ...members(MAX_TEAM))
      .when(add)
      .thenRefused('team_full', { limit: 1_000 });
    const gone = { type: 'TeamMemberRemoved', data: { member_uuid: deriveId('member', 0) } } as const;
    given(teamAggregate, ...members(MAX_TEAM), gone)
      .when(add)
      .then(added);
  });

  it('knows what kind its members are and what they are called', () => {
    const team = fold(teamAggregate, [added, renamed]);
    expect([...team.members.values()]).to.deep.equal([{ kind: 'agent', name: 'Ana Lima' }]);
  });

  it('renames whom it has, and writes nothing for the same name', () => {
    given(teamAggregate, added).when(rename).then(renamed);
    given(teamAggregate, added, renamed).when(rename).thenNothing();
    given(teamAggregate).when(rename).thenRefused('not_found', { resource: 'team_member' });
    given(teamAggregate, added, removed).when(rename).thenRefused('not_found', { resource: 'team_member' });
  });

  it('removes a member once', () => {
    given(teamAggregate, added).when(remove).then(removed);
    given(teamAggregate, added, removed).when(remove).thenNothing();
  });

  it('does not have somebody again who is renamed after the removal', () => {
    expect(fold(teamAggregate, [added, removed, renamed]).members.size).to.equal(0);
  });
});
