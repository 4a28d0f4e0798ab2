import { upkeepAggregate, type UpkeepCommand } from '../../domain/upkeep/decide.js';
import type { UpkeepEvent } from '../../domain/upkeep/events.js';
import { given } from '../support/decider.js';
import { EXAMPLE_NOW } from '../support/examples/example.js';

const asked = (nth: number): UpkeepEvent => ({
  type: 'UpkeepRequested',
  data: {
    act_uuid: `0198a6f0-3a51-7c3e-9d0b-${String(nth).padStart(12, '0')}`,
    operation: 'listSealedKeys',
    parameters: {},
    at: EXAMPLE_NOW,
  },
});
const asking = (nth: number): UpkeepCommand => {
  const { at: _at, ...request } = asked(nth).data;
  return { type: 'RecordRequest', request };
};

describe('what was asked of the server on a day', () => {
  it('is recorded, and the same act once', () => {
    given(upkeepAggregate).when(asking(1)).then(asked(1));
    given(upkeepAggregate, asked(1)).when(asking(2)).then(asked(2));
    given(upkeepAggregate, asked(1), asked(2)).when(asking(1)).thenNothing();
  });

  it('is recorded again after many others: a day of them is not kept in memory', () => {
    const others = Array.from({ length: 32 }, (_, index) => asked(index + 2));
    given(upkeepAggregate, asked(1), ...others.slice(1))
      .when(asking(1))
      .thenNothing();
    given(upkeepAggregate, asked(1), ...others)
      .when(asking(1))
      .then(asked(1));
  });
});
