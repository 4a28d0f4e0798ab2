import type { IdentityEvent } from './events.js';

export interface Identity {
  readonly owner: string | null;
}

export const initialIdentity: Identity = { owner: null };

export function evolveIdentity(state: Identity, event: IdentityEvent): Identity {
  switch (event.type) {
    case 'IdentityClaimed':
      return { owner: event.data.owner_uuid };
    case 'IdentityReleased':
      return { owner: null };
    default:
      return state;
  }
}
