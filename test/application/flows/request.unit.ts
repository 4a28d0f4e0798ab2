/** The data that a flow keeps of another system's response. Tests set the stream states and the response. */
import { expect } from 'chai';
import { failure as failureOf } from '../../conformance/support.js';
import type { App } from '../../../application/app.js';
import { createFlowEngine, type FlowEngine } from '../../../application/flows/engine.js';
import { makeRequest } from '../../../application/flows/request.js';
import type { Executor } from '../../../application/execute.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import type { ExecutionCommand } from '../../../domain/execution/decide.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import { executionEventExamples } from '../../support/examples/execution.js';
import type { Execution } from '../../../domain/execution/state.js';
import { beginSession } from '../../../domain/flow/session.js';
import type { BlockOf } from '../../../domain/flow/blocks.js';
import { Refusal } from '../../../domain/kernel/refusal.js';
import type { HttpRequest, HttpResult } from '../../../ports/http-sender.js';
import { loadedStates } from '../../support/fakes/loaded-states.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const { created } = executionEventExamples;
const BLOCK: BlockOf<'http_request'> = {
  type: 'http_request',
  method: 'POST',
  url: 'https://erp.example:8443/orders',
  headers: { 'X-Shop': 'a', Accept: 'text/csv' },
  body: '{"a": 1}',
  timeout_seconds: 7,
  save: [{ path: 'sku', as: 'sku' }],
  next: null,
};
const answered = (status: number, bodyText = ''): Extract<HttpResult, { kind: 'answered' }> => ({
  kind: 'answered',
  status,
  headers: {},
  bodyText,
  durationMs: 1,
  address: null,
});

/** `begins`: the execution's state after the call is recorded, or the error that recording throws. */
async function call(
  result: HttpResult,
  over: {
    /** The block has no headers and no body. */
    readonly plain?: boolean;
    readonly body?: string;
    readonly state?: Partial<Execution>;
    readonly begins?: Partial<Execution> | Error;
    readonly refused?: string;
    readonly row?: number;
    /** Milliseconds that recording the call takes. */
    readonly recordingMs?: number;
    readonly stops?: boolean;
  } = {},
) {
  const streams = loadedStates();
  let passed = 0;
  const running: Execution = {
    ...executionAggregate.initial,
    phase: 'running',
    created: created.data,
    conversationUuid: 'conversation',
    session: beginSession('call', {}),
    ...over.state,
  };
  const commands: ExecutionCommand[] = [];
  const requests: HttpRequest[] = [];
  const log: unknown[] = [];
  const store = (state: Execution): void => streams.set(executionAggregate, 'execution', state);
  store(running);
  streams.set(conversationAggregate, 'conversation', { exists: true, execution: 'execution' });
  streams.set(contactAggregate, created.data.contact_uuid, { exists: true, phone: '+5511987650001' });
  const execute = async (_: unknown, id: string, command: ExecutionCommand) => {
    expect(id).to.equal('execution');
    commands.push(command);
    if (command.type !== 'BeginRequest') {
      store({ ...running, phase: 'ended' });
      return { state: running };
    }
    passed += over.recordingMs ?? 0;
    if (over.begins instanceof Error) throw over.begins;
    return { state: { ...running, requestBegan: true, ...over.begins } };
  };
  const app = {
    clock: { now: () => NOW, monotonic: () => passed },
    newId: () => 'id',
    logger: {
      info: ({ execution, block, code, reason, details }: Readonly<Record<string, unknown>>) =>
        log.push({ execution, block, code, reason, details }),
    },
    indexSecret: Buffer.from('secret'),
    publicUrl: () => 'https://recado.example',
    executor: { ...streams.executor, execute } as unknown as Executor,
    sender: {
      refusal: () => over.refused ?? null,
      async request(request: HttpRequest) {
        requests.push(request);
        return result;
      },
    },
  } as unknown as App;
  const { headers: _headers, body: _body, ...bare } = BLOCK;
  const block = over.plain ? bare : { ...BLOCK, body: over.body ?? BLOCK.body! };
  const engine: FlowEngine = {
    ...createFlowEngine(app),
    version: async () => ({ schema: 1, start: 'call', blocks: { call: block } }),
  };
  const row = { execution_uuid: 'execution', step: over.row ?? 0, company: 'company', correlation_id: 'a' };
  const cause = { company: 'company', id: 'a', correlationId: 'a' };
  const made = makeRequest(engine, row, cause, () => {
    if (over.stops) throw new Error('it stops');
  });
  const again = over.stops ? (await failureOf(made)).message : await made;
  const left = commands.find((command) => command.type === 'TakeStep');
  return { again, commands, requests, left, log };
}

describe('the call of another system', () => {
  it('is on record before it is made, with the host and without the address', async () => {
    const { commands, requests, again } = await call(answered(200, '{"sku": "A1"}'));
    expect(commands.map(({ type }) => type)).to.deep.equal(['BeginRequest', 'TakeStep']);
    expect(commands[0]).to.deep.equal({
      type: 'BeginRequest',
      step: 0,
      method: 'POST',
      host: 'erp.example:8443',
    });
    expect(requests).to.have.length(1);
    expect(again).to.equal(null);
  });

  it('does not begin where the worker stops, and is not on record either', async () => {
    const { commands, requests, again } = await call(answered(200), { stops: true });
    expect([again, commands, requests]).to.deep.equal(['it stops', [], []]);
  });

  it('is not made where what is sent has become too long meanwhile', async () => {
    const { commands, requests, again } = await call(answered(200), { body: 'x'.repeat(262_145) });
    expect(commands.map(({ type }) => type)).to.deep.equal(['TakeStep']);
    expect(commands[0]).to.have.nested.property('taken.failure.code', 'text_too_long');
    expect([again, requests]).to.deep.equal([null, []]);
  });

  it('says what the block says; a header of the block comes before our own', async () => {
    const { requests } = await call(answered(200));
    expect(requests[0]).to.deep.include({
      method: 'POST',
      url: 'https://erp.example:8443/orders',
      headers: { accept: 'text/csv', 'content-type': 'application/json', 'x-shop': 'a' },
      timeoutMs: 7_000,
      keepBytes: 262_144,
    });
    expect(Buffer.from(requests[0]!.body!).toString()).to.equal('{"a": 1}');
  });

  it('has no type of content where it has none', async () => {
    const { requests } = await call(answered(200), { plain: true });
    expect(requests[0]!.headers).to.deep.equal({ accept: 'application/json' });
    expect(requests[0]!.body).to.have.length(0);
  });

  const large = 'x'.repeat(262_144);
  for (const [name, result, failure] of [
    ['an answer', answered(200, '{"sku": "A1"}'), null],
    ['the last status that is none of refusal', answered(299), null],
    ['an answer that is no JSON', answered(200, 'ok'), null],
    ['a redirect', answered(300), 'request_answered_300'],
    ['a refusal', answered(404, '{}'), 'request_answered_404'],
    [
      'an answer whose end is missing',
      { ...answered(200, '{"sku": "A1"}'), brokeOff: true },
      'request_answer_broke_off',
    ],
    ['a beginning that is no JSON', { ...answered(200, ''), brokeOff: true }, 'request_answer_broke_off'],
    ['a refusal whose end is missing', { ...answered(500, '{'), brokeOff: true }, 'request_answered_500'],
    ['an answer as long as is read', answered(200, large), 'request_answer_too_large'],
    [
      'no answer',
      { kind: 'failed', failure: 'timeout', message: '', durationMs: 1, address: null },
      'request_timeout',
    ],
  ] as const satisfies readonly [string, HttpResult, string | null][]) {
    it(`leaves ${failure ?? 'well'} behind for ${name}`, async () => {
      const { left } = await call(result);
      expect([left!.step, left!.taken.failure?.code ?? null]).to.deep.equal([0, failure]);
    });
  }

  it('fails with who answered what, and nothing of the rest of the address', async () => {
    const { left, log } = await call(answered(404));
    const failure = {
      code: 'request_answered_404',
      message: 'erp.example:8443 answered 404.',
      details: { host: 'erp.example:8443', status: 404 },
    };
    expect(left!.taken.failure).to.deep.equal(failure);
    const { code, message: reason, details } = failure;
    expect(log).to.deep.equal([{ execution: 'execution', block: 'call', code, reason, details }]);
  });

  it('keeps what the block saves of the answer, and nothing of one that is no JSON', async () => {
    const kept = await call(answered(200, '{"sku": "A1", "more": 1}'));
    expect(kept.left).to.have.nested.property('taken.vars').that.deep.equals({ sku: 'A1' });
    const none = await call(answered(200, 'ok'));
    expect(JSON.stringify(none.left)).to.not.include('ok');
  });

  it('is not made to an address that may not be called', async () => {
    const { requests, left, commands } = await call(answered(200), { refused: 'private' });
    expect(requests).to.deep.equal([]);
    expect(commands).to.have.length(1);
    expect(left!.taken.failure).to.deep.equal({
      code: 'request_address_refused',
      message: 'The address may not be called: private.',
      details: {
        fields: [
          {
            path: 'url',
            code: 'request_address_refused',
            message: 'The address may not be called: private.',
          },
        ],
      },
    });
  });

  it('is not made again where it was begun: nobody knows what came of it', async () => {
    const { requests, left } = await call(answered(200), { state: { requestBegan: true } });
    expect(requests).to.deep.equal([]);
    expect(left!.taken.failure).to.include({ code: 'request_outcome_unknown' });
  });

  it('is made as long as nobody can have taken its row, and not afterwards', async () => {
    const inTime = await call(answered(200), { recordingMs: 30_000 });
    expect(inTime.requests).to.have.length(1);
    const { requests, left, again } = await call(answered(200), { recordingMs: 30_001 });
    expect([requests, left, again]).to.deep.equal([[], undefined, NOW + 60_000]);
  });

  for (const [name, begins] of [
    ['was faster', new Refusal('request_begun', 'Begun.')],
    ['has taken the step', { session: { ...beginSession('call', {}), step: 1 } }],
    ['has kept it from beginning', { requestBegan: false }],
  ] as const) {
    it(`is left to another process that ${name}, and looked at again in a minute`, async () => {
      const { requests, left, again } = await call(answered(200), { begins });
      expect([requests, left, again]).to.deep.equal([[], undefined, NOW + 60_000]);
    });
  }

  it('ends in any other refusal of the stream', async () => {
    const error: unknown = await call(answered(200), { begins: new Refusal('concurrent_update', 'x') }).catch(
      (reason: unknown) => reason,
    );
    expect((error as Refusal).code).to.equal('concurrent_update');
  });

  it('is done with where the execution is over', async () => {
    const { commands, again } = await call(answered(200), { state: { phase: 'ended' } });
    expect([commands, again]).to.deep.equal([[], null]);
  });
});
