import { intakeAggregate } from '../../domain/intake/decide.js';
import { intakeCommandExamples, intakeEventExamples } from '../support/examples/intake.js';
import { given } from '../support/decider.js';

const { part, received, parked } = intakeEventExamples;
const { keep, keepPart, keepRest, park } = intakeCommandExamples;

describe('intake', () => {
  it('keeps the bytes of a webhook once', () => {
    given(intakeAggregate).when(keep.command).then(received);
    given(intakeAggregate, received).when(keep.command).thenNothing();
    given(intakeAggregate, received, parked).when(keep.command).thenNothing();
  });

  it('keeps a body that is too large for one event piece by piece, each once', () => {
    given(intakeAggregate).when(keepPart.command).then(part);
    given(intakeAggregate, part).when(keepPart.command).thenNothing();
    given(intakeAggregate, part)
      .when(keepRest.command)
      .then({
        ...received,
        data: { ...received.data, bytes: 102, parts: 1 },
      });
    given(intakeAggregate, part, received).when(keepPart.command).thenNothing();
  });

  it('parks each update of a webhook once', () => {
    given(intakeAggregate, received).when(park.command).then(parked);
    given(intakeAggregate, received, parked).when(park.command).thenNothing();
    given(intakeAggregate, received, parked)
      .when({ ...park.command, index: 1 })
      .then({ ...parked, data: { ...parked.data, index: 1 } });
  });
});
