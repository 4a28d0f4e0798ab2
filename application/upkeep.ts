/** Records that somebody asked for an act that leaves no other event, in the stream of the day (docs/adr/0058). */
import { deriveId } from '../domain/kernel/ids.js';
import { Refusal } from '../domain/kernel/refusal.js';
import { upkeepDayId } from '../domain/streams.js';
import { upkeepAggregate } from '../domain/upkeep/decide.js';
import { StoreUnavailable } from '../ports/event-store.js';
import { directCommand, type App } from './app.js';

export interface UpkeepRequest {
  /** Whose act it is about; the system's for the server itself. */
  readonly company: string;
  readonly actor: string;
  readonly correlationId: string;
  /** Id in the contract of the admin API. */
  readonly operation: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** One of many calls that carry out one act: they are recorded once in a quarter of an hour. */
  readonly inPieces: boolean;
}

const QUARTER_MS = 900_000;

/** @throws StoreUnavailable */
export async function recordUpkeep(
  app: Pick<App, 'executor' | 'clock' | 'newId'>,
  { inPieces, operation, parameters, ...who }: UpkeepRequest,
): Promise<void> {
  const now = app.clock.now();
  const about = Object.entries(parameters).flat();
  const quarter = Math.floor(now / QUARTER_MS);
  const act_uuid = inPieces ? deriveId('upkeep-act', who.actor, operation, quarter, ...about) : app.newId();
  const id = upkeepDayId(who.company, new Date(now).toISOString().slice(0, 10));
  const request = { act_uuid, operation, parameters };
  try {
    await app.executor.execute(
      upkeepAggregate,
      id,
      { type: 'RecordRequest', request },
      directCommand(app, who),
    );
  } catch (error) {
    // The decider refuses nothing: others wrote to the day all the time.
    if (error instanceof Refusal) throw new StoreUnavailable(`${operation} could not be recorded`);
    throw error;
  }
}
