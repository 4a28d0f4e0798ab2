import type { IdentityEvent } from './events.js';

export interface Identity {
  readonly owner: string | null;
  /** Owners before, oldest first: a merge transfers a name to the contact that remains. */
  readonly earlier: readonly string[];
}

export const initialIdentity: Identity = { owner: null, earlier: [] };

export function evolveIdentity(state: Identity, event: IdentityEvent): Identity {
  switch (event.type) {
    case 'IdentityClaimed':
      return { ...state, owner: event.data.owner_uuid };
    case 'IdentityReleased':
      return { owner: null, earlier: [...new Set([...state.earlier, event.data.owner_uuid])] };
    default:
      return state;
  }
}
