/** Rules for a history with two lives, the first of which was lost and restored from a backup. Pure. */
import { operationStream } from '../../domain/streams.js';
import type { OperationDoc } from '../../read-models/operations.js';
import { byStream, document, group, type Facts } from './facts.js';
import { judgeHorizon } from './judge-horizon.js';
import { difference, judgeOperations } from './judge.js';

const ENDED: readonly string[] = ['succeeded', 'failed'];
/** After these events the sweeper or a status settles the operation; the suite does not always wait for that. */
const OUTCOME_OPEN: readonly string[] = ['SendAttempted', 'SendOutcomeUnknown'];

export interface JudgedRestore {
  readonly violations: readonly string[];
  readonly figures: Readonly<Record<'held' | 'released' | 'ended' | 'open', number>>;
}

/** @param facts `accepted` of the life after the restore; everything else of both lives */
export function judgeRestored(facts: Facts): JudgedRestore {
  const { calls, folder, accepted } = facts;
  const horizon = folder.events.find(({ event }) => event.type === 'HistoryRestored');
  if (horizon === undefined)
    return {
      violations: ['the restore is not on record'],
      figures: { held: 0, released: 0, ended: 0, open: 0 },
    };
  const restoredAt = Date.parse(horizon.record.meta.occurred_at);
  const found: string[] = [];
  const own = new Set(accepted.map(({ operationUuid }) => operationUuid));
  const callsOf = group(calls, ({ opaque }) => opaque);

  // Operators released only sends that had not been called, so a call is repeated only after a refusal.
  for (const [opaque, all] of callsOf) {
    if (all.slice(0, -1).some(({ plan }) => plan.kind !== 'refuse'))
      found.push(`operation ${opaque} was called ${all.length} times in both lives`);
  }
  const figures = { held: 0, released: 0, ended: 0, open: 0 };
  const open = new Set<string>();
  for (const [stream, events] of byStream(folder.events)) {
    const operation = operationStream.match(stream);
    if (operation === undefined || !events.some(({ event }) => event.type === 'SendAccepted')) continue;
    const has = (type: string): boolean => events.some(({ event }) => event.type === type);
    const status = document<OperationDoc>(folder.documents, 'operations', operation)?.status ?? 'gone';
    if (OUTCOME_OPEN.includes(events.at(-1)!.event.type)) open.add(operation);
    else if (!ENDED.includes(status)) found.push(`operation ${operation} is left behind: ${status}`);
    if (!has('SendHeld')) continue;
    figures.held += 1;
    const calledAfter = (callsOf.get(operation) ?? []).some(({ at }) => at >= restoredAt);
    if (has('SendReleased')) {
      figures.released += 1;
      if (!calledAfter && status === 'succeeded')
        found.push(`operation ${operation} succeeded and was never called`);
    } else {
      figures.ended += 1;
      if (calledAfter) found.push(`operation ${operation} was held, ended, and called`);
    }
  }
  return {
    violations: [
      ...(folder.integrity.join() === 'ok' ? [] : folder.integrity.map((line) => `integrity_check: ${line}`)),
      ...found,
      ...judgeHorizon(facts),
      ...judgeOperations({
        ...facts,
        accepted: accepted.filter(({ operationUuid }) => !open.has(operationUuid)),
        calls: calls.filter(({ opaque }) => own.has(opaque) && !open.has(opaque)),
      }),
      ...difference(folder.documents, folder.rebuilt),
    ],
    figures: { ...figures, open: open.size },
  };
}
