import type { CommandExamples, EventExamples } from '../kernel/examples.js';
import type { IntakeCommand } from './decide.js';
import type { IntakeEvent } from './events.js';

const body = 'eyJvYmplY3QiOiJ3aGF0c2FwcF9idXNpbmVzc19hY2NvdW50IiwiZW50cnkiOltdfQ==';

export const intakeEventExamples = {
  received: { type: 'ProviderWebhookReceived', data: { bytes: 51, body } },
  parked: {
    type: 'ProviderUpdateParked',
    data: { index: 0, kind: 'message', reason: 'no channel has this phone number id' },
  },
} satisfies EventExamples<IntakeEvent>;

export const intakeCommandExamples = {
  keep: { given: [], command: { type: 'KeepWebhook', bytes: 51, body } },
  park: {
    given: [intakeEventExamples.received],
    command: {
      type: 'ParkUpdate',
      index: 0,
      kind: 'message',
      reason: 'no channel has this phone number id',
    },
  },
} satisfies CommandExamples<IntakeEvent, IntakeCommand>;
