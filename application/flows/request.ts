/** Calls another system for a flow. A call is recorded before it is made, and is never made twice. */
import { effectOf, type Outcome } from '../../domain/flow/interpreter.js';
import { failureWith, type StepFailure } from '../../domain/flow/session.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { structureFault } from '../../domain/policies/json-structure.js';
import type { HttpResult } from '../../ports/http-sender.js';
import { advance, presentOf } from './advance.js';
import type { FlowCause, FlowEngine } from './engine.js';
import type { FlowRow } from './queues.js';
import { command, completeStep } from './steps.js';

/** Longer responses are not read to the end: a flow keeps only a few values of one. */
const MAX_ANSWER_BYTES = 262_144;

/** Retry delay while another worker makes the call; longer than a call can take. */
const LOOK_AGAIN_MS = 60_000;

/** Time from the claim of the row to the call. Later, another process may claim the row and record the call as lost. */
const BEFORE_CALL_MS = 30_000;

/**
 * Null when it is done; else the time (epoch milliseconds) of the next attempt.
 * @param beforeCall throws when no call may begin any more. Called before the call is recorded: after that, nobody
 * could say whether it was made
 */
export async function makeRequest(
  engine: FlowEngine,
  row: FlowRow,
  cause: FlowCause,
  beforeCall: () => void,
): Promise<number | null> {
  const { clock } = engine.app;
  const callBy = clock.monotonic() + BEFORE_CALL_MS;
  const present = await presentOf(engine, row.execution_uuid, cause);
  if (present === null) return null;
  const { state, definition, environment } = present;
  const { session } = state;
  if (session.step !== row.step) {
    // Its response is on record; the process that recorded it may have died before it continued the execution.
    await advance(engine, row.execution_uuid, cause);
    return null;
  }
  const effect = effectOf(definition, session, environment);
  if (effect.do === 'fail') {
    // The contact's data has changed since, so that the request can no longer be built.
    await advance(engine, row.execution_uuid, cause);
    return null;
  }
  if (effect.do !== 'http_request') return null;
  const outcome = state.requestBegan
    ? // The process ended before the response was recorded. Nobody knows whether the call reached the other system.
      failed('request_outcome_unknown', 'The process ended before the answer was on record.')
    : await call(present, effect, callBy, beforeCall);
  if (outcome === null) return clock.now() + LOOK_AGAIN_MS;
  await completeStep(present, outcome);
  await advance(engine, row.execution_uuid, cause);
  return null;
}

/** Null when another worker makes this call, or may have given it up. */
async function call(
  present: Parameters<typeof command>[0],
  {
    method,
    url,
    headers,
    body,
    timeoutSeconds,
  }: Extract<ReturnType<typeof effectOf>, { do: 'http_request' }>,
  callBy: number,
  beforeCall: () => void,
): Promise<Outcome | null> {
  const { app } = present.engine;
  const refusal = app.sender.refusal(url);
  if (refusal !== null) {
    const message = `The address may not be called: ${refusal}.`;
    const fields = [{ path: 'url', code: 'request_address_refused', message }];
    return failed('request_address_refused', message, { fields });
  }
  const { host } = new URL(url);
  const { step } = present.state.session;
  beforeCall();
  try {
    const after = await command(present, {
      type: 'BeginRequest',
      step,
      method,
      host,
    });
    if (after.session.step !== step || !after.requestBegan) return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === 'request_begun') return null;
    throw error;
  }
  if (app.clock.monotonic() > callBy) return null;
  const json = body === null ? {} : { 'content-type': 'application/json' };
  const result = await app.sender.request({
    method,
    url,
    headers: { accept: 'application/json', ...json, ...lowerCase(headers) },
    body: Buffer.from(body ?? ''),
    timeoutMs: timeoutSeconds * 1000,
    keepBytes: MAX_ANSWER_BYTES,
  });
  return outcomeOf(result, host);
}

const lowerCase = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const failed = (code: string, message: string, details: StepFailure['details'] = {}) =>
  ({ went: 'failed', failure: failureWith(code, message, details) }) as const;

function outcomeOf(result: HttpResult, host: string): Outcome {
  if (result.kind === 'failed') {
    return failed(`request_${result.failure}`, `${host} gave no answer: ${result.message}.`, { host });
  }
  const { status } = result;
  const answered = { host, status };
  if (Buffer.byteLength(result.bodyText) >= MAX_ANSWER_BYTES) {
    const message = `The answer of ${host} has ${MAX_ANSWER_BYTES} bytes or more.`;
    return failed('request_answer_too_large', message, answered);
  }
  if (status >= 300) return failed(`request_answered_${status}`, `${host} answered ${status}.`, answered);
  if (result.brokeOff) {
    return failed('request_answer_broke_off', `The end of the answer of ${host} did not come.`, answered);
  }
  let body: unknown;
  try {
    body = JSON.parse(result.bodyText);
  } catch {
    // Not every system returns a body.
    return { went: 'answered', body: null };
  }
  // Flows copy values of it into messages and contacts, so it is checked like the input of API callers.
  const fault = structureFault(body, result.bodyText);
  return fault === null
    ? { went: 'answered', body }
    : failed(`request_answer_${fault.code}`, `The JSON that ${host} answered ${fault.message}`, answered);
}
