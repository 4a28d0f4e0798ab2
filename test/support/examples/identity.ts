import { exampleIds, type CommandExamples, type EventExamples } from './example.js';
import type { IdentityCommand } from '../../../domain/identity/decide.js';
import type { IdentityEvent } from '../../../domain/identity/events.js';

export const identityEventExamples = {
  claimed: { type: 'IdentityClaimed', data: { kind: 'phone', owner_uuid: exampleIds.contact } },
  released: { type: 'IdentityReleased', data: { owner_uuid: exampleIds.contact } },
} satisfies EventExamples<IdentityEvent>;

export const identityCommandExamples = {
  claim: { given: [], command: { type: 'ClaimIdentity', kind: 'phone', owner: exampleIds.contact } },
  transfer: {
    given: [identityEventExamples.claimed],
    command: {
      type: 'TransferIdentity',
      kind: 'phone',
      from: exampleIds.contact,
      to: exampleIds.otherContact,
    },
  },
  release: {
    given: [identityEventExamples.claimed],
    command: { type: 'ReleaseIdentity', owner: exampleIds.contact },
  },
} satisfies CommandExamples<IdentityEvent, IdentityCommand>;
