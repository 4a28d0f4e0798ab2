import { expect } from 'chai';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { deriveId } from '../../domain/kernel/ids.js';
import { MAX_TEAM, teamAggregate } from '../../domain/team/decide.js';
import { teamCommandExamples, teamEventExamples } from '../support/examples/team.js';
import type { TeamEvent } from '../../domain/team/events.js';
import { given } from '../support/decider.js';

const { added, renamed, removed, accessGranted, accessRevoked } = teamEventExamples;
const add = teamCommandExamples.add.command;
const rename = teamCommandExamples.rename.command;
const remove = teamCommandExamples.remove.command;
const grant = teamCommandExamples.grantAccess.command;
const revoke = teamCommandExamples.revokeAccess.command;
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
    expect([...team.members.values()]).to.deep.equal([{ kind: 'agent', name: 'Ana Lima', access: null }]);
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

  it('lets a person sign in, as what was said last, and nobody who is not there', () => {
    given(teamAggregate, added).when(grant).then(accessGranted);
    given(teamAggregate, added, accessGranted).when(grant).thenNothing();
    const asOwner = { ...grant, role: 'owner' } as const;
    given(teamAggregate, added, accessGranted)
      .when(asOwner)
      .then({ type: 'TeamAccessGranted', data: { ...accessGranted.data, role: 'owner' } });
    given(teamAggregate).when(grant).thenRefused('not_found', { resource: 'team_member' });
    given(teamAggregate, added, accessGranted, accessRevoked).when(grant).then(accessGranted);
  });

  it('lets no group sign in', () => {
    const group = { ...added, data: { ...added.data, kind: 'group' } } as const;
    given(teamAggregate, group).when(grant).thenRefused('not_a_person', {});
  });

  it('revokes access once', () => {
    given(teamAggregate, added, accessGranted).when(revoke).then(accessRevoked);
    given(teamAggregate, added).when(revoke).thenNothing();
    given(teamAggregate).when(revoke).thenRefused('not_found', { resource: 'team_member' });
  });

  it('keeps its last owner, until there is another one', () => {
    const owner = { type: 'TeamAccessGranted', data: { ...accessGranted.data, role: 'owner' } } as const;
    const bia = deriveId('example', 'second member');
    const second: readonly TeamEvent[] = [
      { type: 'TeamMemberAdded', data: { ...added.data, member_uuid: bia } },
      { type: 'TeamAccessGranted', data: { member_uuid: bia, role: 'owner', email: 'bia@loja.example' } },
    ];
    for (const command of [revoke, remove, grant]) {
      given(teamAggregate, added, owner).when(command).thenRefused('last_owner', {});
    }
    given(teamAggregate, added, owner, ...second)
      .when(revoke)
      .then(accessRevoked);
    given(teamAggregate, added, owner, ...second)
      .when(remove)
      .then(removed);
    given(teamAggregate, added, owner, ...second)
      .when(grant)
      .then(accessGranted);
    given(teamAggregate, added, owner, ...second, accessRevoked)
      .when({ type: 'RevokeTeamAccess', memberUuid: bia })
      .thenRefused('last_owner', {});
  });
});
