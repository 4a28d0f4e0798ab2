import { fold } from '../../domain/kernel/decider.js';
import { expect } from 'chai';
import { erasureAggregate } from '../../domain/erasure/decide.js';
import { erasureEventExamples } from '../support/examples/erasure.js';
import { given } from '../support/decider.js';

const { requested, scoped, keysDestroyed, heldUp, ended } = erasureEventExamples;
const { contact_uuids, subjects, identities } = scoped.data;
const other = '0b7c1f0e-3a52-4d0e-9a5e-6a1f6a0c4002';
const scope = (more: readonly string[] = []) =>
  ({
    type: 'ScopeErasure',
    contactUuids: contact_uuids,
    subjects: [...subjects, ...more],
    identities,
  }) as const;
const destroyed = (keys: number, through: string) =>
  ({ type: 'RecordKeysDestroyed', keys, through }) as const;

const withKeysDestroyed = given(erasureAggregate, requested, scoped, keysDestroyed);

describe('erasure', () => {
  it('has on record whose keys go before one is destroyed', () => {
    given(erasureAggregate, requested).when(destroyed(1, '9')).thenNothing();
    given(erasureAggregate, requested).when({ type: 'EndErasure' }).thenNothing();
  });

  it('does not end before the keys that were found last are destroyed too', () => {
    const wider = { ...scoped, data: { ...scoped.data, subjects: [...subjects, other] } };
    withKeysDestroyed.when(scope([other])).then(wider);
    given(erasureAggregate, requested, scoped, keysDestroyed, wider)
      .when({ type: 'EndErasure' })
      .thenNothing();
    given(erasureAggregate, requested, scoped, keysDestroyed, wider)
      .when(destroyed(1, '99'))
      .then({
        type: 'ErasureKeysDestroyed',
        data: { keys: 1, through: '99' },
      });
  });

  it('records again only keys that there were', () => {
    withKeysDestroyed.when(destroyed(0, '99')).thenNothing();
    withKeysDestroyed.when(scope()).thenNothing();
  });

  it('says once what it waits for, and is over for good', () => {
    given(erasureAggregate, requested, scoped, keysDestroyed, heldUp)
      .when({ type: 'HoldUpErasure', waitingFor: heldUp.data.waiting_for })
      .thenNothing();
    const over = fold(erasureAggregate, [requested, scoped, keysDestroyed, heldUp, ended]);
    expect([over.ended, over.waitingFor]).to.deep.equal([true, []]);
    given(erasureAggregate, requested, scoped, keysDestroyed, ended).when(destroyed(1, '99')).thenNothing();
  });
});
