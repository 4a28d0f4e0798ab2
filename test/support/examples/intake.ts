import type { CommandExamples, EventExamples } from './example.js';
import type { IntakeCommand } from '../../../domain/intake/decide.js';
import type { IntakeEvent } from '../../../domain/intake/events.js';

const body = 'eyJvYmplY3QiOiJ3aGF0c2FwcF9idXNpbmVzc19hY2NvdW50IiwiZW50cnkiOltdfQ==';
const lanes = ['106540352242922'];

export const intakeEventExamples = {
  part: { type: 'ProviderWebhookPartKept', data: { part: 0, body } },
  received: { type: 'ProviderWebhookReceived', data: { bytes: 51, parts: 0, lanes, body } },
  parked: {
    type: 'ProviderUpdateParked',
    data: { index: 0, kind: 'message', reason: 'no channel has this phone number id' },
  },
} satisfies EventExamples<IntakeEvent>;

export const intakeCommandExamples = {
  keep: { given: [], command: { type: 'KeepWebhook', bytes: 51, parts: 0, lanes, body } },
  keepPart: { given: [], command: { type: 'KeepPart', part: 0, body } },
  keepRest: {
    given: [intakeEventExamples.part],
    command: { type: 'KeepWebhook', bytes: 102, parts: 1, lanes, body },
  },
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
