import type { Barrier, UpTo } from '../../../application/barrier.js';
import { ReadModelBehind } from '../../../ports/read-models.js';

export interface FakeBarrier extends Barrier {
  /** From this position on the read model shows nothing. */
  endAt(model: string, position: string): void;
  /** It shows everything. */
  whole(model: string): void;
}

/** Everything is shown unless the test says otherwise, and nobody waits for a while. */
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
