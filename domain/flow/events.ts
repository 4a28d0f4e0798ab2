import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, uuid, type EventOf } from '../kernel/event.js';

export const flowEvents = [
  defineEvent('FlowCreated', 1, 'A flow was created; it cannot be executed yet.', {
    company_uuid: uuid(),
    name: Type.String(),
  }),
  defineEvent('FlowRenamed', 1, 'The flow was renamed.', { name: Type.String() }),
  defineEvent('FlowDraftSaved', 1, 'The draft was changed; the published version stays as it is.', {
    definition: freeObject(),
    /** SHA-256 of the definition as canonical JSON, hex. */
    digest: Type.String(),
  }),
  defineEvent('FlowPublished', 1, 'A version was published and can be executed; it never changes again.', {
    /** Counts from 1. */
    version: Type.Integer({ minimum: 1 }),
    definition: freeObject(),
    digest: Type.String(),
  }),
  defineEvent(
    'FlowUnpublished',
    1,
    'The flow was unpublished and cannot be started; executions in progress continue.',
    {},
  ),
  defineEvent(
    'FlowDeleted',
    1,
    'The flow was deleted; executions in progress continue with their version.',
    {},
  ),
] as const;

export type FlowEvent = EventOf<typeof flowEvents>;
