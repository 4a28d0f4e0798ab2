import { identityAggregate } from '../../domain/identity/decide.js';
import { identityCommandExamples, identityEventExamples } from '../../domain/identity/examples.js';
import { exampleIds } from '../../domain/kernel/examples.js';
import { given } from '../support/decider.js';

const { claimed, released } = identityEventExamples;
const { command: claim } = identityCommandExamples.claim;
const { command: release } = identityCommandExamples.release;
const other = exampleIds.otherContact;

describe('identity', () => {
  it('belongs to the first who claims it', () => {
    given(identityAggregate).when(claim).then(claimed);
    given(identityAggregate, claimed).when(claim).thenNothing();
  });

  it('is refused to another, with the owner it has', () => {
    given(identityAggregate, claimed)
      .when({ ...claim, owner: other })
      .thenRefused('identity_taken', { kind: 'phone', owner: exampleIds.contact });
  });

  it('is released by its owner only, and free for another afterwards', () => {
    given(identityAggregate, claimed).when(release).then(released);
    given(identityAggregate, claimed)
      .when({ ...release, owner: other })
      .thenNothing();
    given(identityAggregate).when(release).thenNothing();
    given(identityAggregate, claimed, released).when(release).thenNothing();
    given(identityAggregate, claimed, released)
      .when({ ...claim, owner: other })
      .then({ type: 'IdentityClaimed', data: { kind: 'phone', owner_uuid: other } });
  });
});
