/**
 * Sends webhook deliveries: at least once, at most `maxPerEndpoint` at a time to one endpoint, endpoints taking turns.
 *
 * Every delivery is a row of the due-time store until it has ended, so a crash anywhere only lets a lease run out.
 * Rows are claimed endpoint by endpoint, and no faster than the endpoint takes them: one that hangs holds its own slots
 * and nothing else.
 */
import { LRUCache } from 'lru-cache';
import { RETRY_SCHEDULE } from '../../domain/policies/webhook-schedule.js';
import { signingKey, type SigningKey } from '../../domain/policies/webhook-signature.js';
import type { HttpResult } from '../../ports/http-sender.js';
import { attemptHeaders, cancellation, judge, type Held, type Verdict } from './attempt.js';
import type { DeliveryEndpoint } from './endpoints.js';
import { createFeed, MAX_UNRECORDED, OWN_FAULT_PAUSE_MS } from './feed.js';
import { createLanes, noteDue, type Lane } from './lanes.js';
import { DEFAULT_WEBHOOK_LIMITS, type WebhookDispatcherDeps, type WebhookLimits } from './options.js';
import { learn } from './pace.js';
import { createRecorder } from './recorder.js';
