import type { Barrier, UpTo } from '../../../application/barrier.js';
import { ReadModelBehind } from '../../../ports/read-models.js';

export interface FakeBarrier extends Barrier {
  /** The read model lags: it contains nothing from this position on. */
  endAt(model: string, position: string): void;
  /** The read model contains everything. */
  whole(model: string): void;
}

/** A barrier whose read models are up to date unless the test says otherwise. It never waits. */
export function fakeBarrier(): FakeBarrier {
  const ends = new Map<string, string>();
  const behind = (models: readonly string[], upTo: UpTo): readonly string[] =>
    models.filter((model) => ends.has(model) && (upTo === 'recently' || upTo >= ends.get(model)!));
  return {
    guards: () => true,
    mayLag: () => true,
    endAt: (model, position) => void ends.set(model, position),
    whole: (model) => void ends.delete(model),
    passed: async (models, upTo) => behind(models, upTo).length === 0,
    async wait(models, upTo) {
      const late = behind(models, upTo);
      if (late.length > 0) throw new ReadModelBehind(late);
    },
    remembered: (_model, _key, read) => read(),
  };
}
