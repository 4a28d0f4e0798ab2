import { identityAggregate } from '../../domain/identity/decide.js';
import { identityCommandExamples, identityEventExamples } from '../support/examples/identity.js';
import { exampleIds } from '../support/examples/example.js';
import { given } from '../support/decider.js';

const { claimed, released } = identityEventExamples;
const { command: claim } = identityCommandExamples.claim;
const { command: release } = identityCommandExamples.release;
const other = exampleIds.otherContact;

const claimedOne = given(identityAggregate, claimed);
const releasedOne = given(identityAggregate, claimed, released);

describe('identity', () => {
  it('belongs to the first who claims it', () => {
    given(identityAggregate).when(claim).then(claimed);
    claimedOne.when(claim).thenNothing();
  });

  it('is refused to another, with the owner it has', () => {
    claimedOne
      .when({ ...claim, owner: other })
      .thenRefused('identity_taken', { kind: 'phone', owner: exampleIds.contact });
  });

  it('is released by its owner only, and free for another afterwards', () => {
    claimedOne.when(release).then(released);
    claimedOne.when({ ...release, owner: other }).thenNothing();
    given(identityAggregate).when(release).thenNothing();
    releasedOne.when(release).thenNothing();
    releasedOne
      .when({ ...claim, owner: other })
      .then({ type: 'IdentityClaimed', data: { kind: 'phone', owner_uuid: other } });
  });
});
