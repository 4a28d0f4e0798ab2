/** Customers' data of one thing, shown to somebody who sees it masked: on demand, for a reason, recorded. */
import type { Reveals } from '../../application/console/reveals.js';
import type { Revealable, RevealReason } from '../../domain/account/reveals.js';
import type { ConsoleRevealDoc } from '../../read-models/console-reveals.js';
import { sessionOf } from './authenticate.js';
import { commander, created, type AdminHandlers } from './support.js';

export const presentReveal = ({ thing, thing_uuid, until }: ConsoleRevealDoc) => ({
  thing,
  thing_uuid,
  until,
});

interface RevealBody {
  readonly thing: Revealable;
  readonly thing_uuid: string;
  readonly reason: RevealReason;
  readonly reference?: string | null;
}

export const revealRoutes = (reveals: Reveals): AdminHandlers => ({
  revealPersonalData: async (call, { thing, thing_uuid, reason, reference }: RevealBody) => {
    const asked = { thing, uuid: thing_uuid.toLowerCase(), reason, reference: reference ?? null };
    return created(presentReveal(await reveals.reveal(sessionOf(call), asked, commander(call))));
  },
});
