import { EXAMPLE_NOW, type CommandExamples, type EventExamples } from './example.js';
import type { UpkeepCommand } from '../../../domain/upkeep/decide.js';
import type { UpkeepEvent } from '../../../domain/upkeep/events.js';

const request = {
  act_uuid: '0198a6f0-3a51-7c3e-9d0b-6f2f5f1f9b31',
  operation: 'flipProjection',
  parameters: { name: 'messages', generation: '2' },
};

export const upkeepEventExamples = {
  requested: { type: 'UpkeepRequested', data: { ...request, at: EXAMPLE_NOW } },
} satisfies EventExamples<UpkeepEvent>;

export const upkeepCommandExamples = {
  request: { given: [], command: { type: 'RecordRequest', request } },
} satisfies CommandExamples<UpkeepEvent, UpkeepCommand>;
