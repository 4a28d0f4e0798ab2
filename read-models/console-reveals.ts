/** What is shown to a session although its role sees customers masked: beside the history, which has the act itself. */
import type { Revealable } from '../domain/account/reveals.js';
import { collection } from './collection.js';

export type ConsoleRevealDoc = {
  readonly session_uuid: string;
  readonly thing: Revealable;
  readonly thing_uuid: string;
  readonly until: string;
};

export const consoleReveals = collection<ConsoleRevealDoc>()({
  name: 'console_reveals',
  version: 1,
  indexes: { by_until: ['until'], by_session: ['session_uuid', 'until'] },
});
