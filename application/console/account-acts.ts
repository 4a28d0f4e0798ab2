/** Records what a person did about access, in the stream of the person's day. */
import { accountAggregate } from '../../domain/account/decide.js';
import type { AccountEvent } from '../../domain/account/events.js';
import { accountDayId } from '../../domain/streams.js';
import { directCommand, type App } from '../app.js';
import { serialize } from '../serialize.js';

/** An event without the uuid of the act, which is made here. */
export type Act = AccountEvent extends infer Event
  ? Event extends AccountEvent
    ? { readonly type: Event['type']; readonly data: Omit<Event['data'], 'act_uuid'> }
    : never
  : never;

interface Who {
  readonly company: string;
  readonly member: string;
  readonly actor: string;
  readonly correlationId?: string;
}

/** @throws Refusal reveals_exhausted */
export async function recordAct(
  app: Pick<App, 'executor' | 'clock' | 'newId'>,
  { member, ...who }: Who,
  { type, data }: Act,
): Promise<void> {
  const id = accountDayId(member, new Date(app.clock.now()).toISOString().slice(0, 10));
  const act = { type, data: { act_uuid: app.newId(), ...data } } as AccountEvent;
  // One after the other, so that many at once count like one after the other.
  await serialize(app.executor, id, () =>
    app.executor.execute(accountAggregate, id, { type: 'RecordAct', act }, directCommand(app, who)),
  );
}
