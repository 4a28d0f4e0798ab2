import { Type } from '@sinclair/typebox';
import { defineEvent, freeObject, uuid, type EventOf } from '../kernel/event.js';

export const flowEvents = [
  defineEvent('FlowCreated', 1, 'A flow was begun; nothing of it runs yet.', {
    company_uuid: uuid(),
    name: Type.String(),
  }),
  defineEvent('FlowRenamed', 1, 'The flow has another name.', { name: Type.String() }),
  defineEvent('FlowDraftSaved', 1, 'The draft was changed; what is published stays as it is.', {
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
  defineEvent('FlowUnpublished', 1, 'Nobody can start the flow; executions in progress continue.', {}),
  defineEvent('FlowDeleted', 1, 'The flow is gone; executions in progress continue with their version.', {}),
] as const;

export type FlowEvent = EventOf<typeof flowEvents>;
