import { expect } from 'chai';
import { traceIdsOf } from '../../adapters/tracing/ids.js';
import { readConfig } from '../../runtime/config.js';
import { createLog } from '../../runtime/log.js';
import { start, type Running } from '../../runtime/start.js';
import { eventually, TEST_TIMEOUT_MS } from '../support/e2e/eventually.js';
import { startWebhookReceiver, type WebhookReceiver } from '../support/e2e/receiver.js';
import { serveBodies } from '../support/servers.js';
import { tempFolder, type TempFolder } from '../support/temp-folder.js';

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector that keeps the spans it receives. */
async function startCollector(): Promise<{
  readonly url: string;
  spans(): readonly OtlpSpan[];
  close(): Promise<void>;
}> {
  const spans: OtlpSpan[] = [];
  const server = await serveBodies((request, response, raw) => {
    const body = JSON.parse(raw.toString()) as {
      resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
    };
    if (request.url === '/v1/traces') {
      spans.push(...body.resourceSpans.flatMap((r) => r.scopeSpans.flatMap((s) => s.spans)));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return {
    url: server.origin,
    spans: () => spans,
    close: () => server.close(),
  };
}

const PHONE = '+5511987123456';
const NAME = 'Iracema Quaresma';
const TEXT = 'o codigo secreto do cofre e mandacaru';
// Refused with code 131026: docs/sandbox.md.
const UNREACHABLE = '+5511966131026';
const EMAIL = 'iracema@segredo.example';

describe('logs, metrics and traces of one message', function () {
  this.timeout(TEST_TIMEOUT_MS);
  if (process.env['RECADO_E2E_STACK'] === 'real') return;
  let folder: TempFolder;
  let running: Running;
  let receiver: WebhookReceiver;
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let operation: string;
  const lines: string[] = [];
  const REQUEST_ID = 'the-request-of-the-test';
  const CALLER = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

  const call = async (
    base: 'api' | 'admin',
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ) => {
    const { api_key, admin_token, base_url, admin_url } = running.credentials;
    const response = await fetch((base === 'api' ? base_url! : admin_url!) + path, {
      method,
      headers: {
        authorization: `Bearer ${base === 'api' ? api_key! : admin_token!}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, data: (text === '' ? {} : JSON.parse(text)) as Record<string, never> };
  };
  const metrics = async (): Promise<string> => (await fetch(`${running.url}/metrics`)).text();
  /** Sum of a metric's samples that have all of these labels. */
  const valueOf = async (name: string, ...labels: readonly string[]): Promise<number> =>
    (await metrics())
      .split('\n')
      .filter(
        (line) => new RegExp(`^${name}[{ ]`).test(line) && labels.every((label) => line.includes(label)),
      )
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);

  const send = (key: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    call('api', 'POST', '/messages', body, { 'idempotency-key': key, ...headers });
  const textTo = (phone: string) => ({ recipient: { phone }, type: 'text', content: { text: TEXT } });

  before(async () => {
    folder = await tempFolder();
    collector = await startCollector();
    receiver = await startWebhookReceiver();
    const config = readConfig(
      {
        DATA_DIR: folder.path,
        PORT: '0',
        LOG_LEVEL: 'trace',
        WEBHOOK_ALLOW_PRIVATE: 'true',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        VALIDATE_RESPONSES: 'on',
      },
      false,
    );
    running = await start(config, createLog('trace', { write: (line: string) => void lines.push(line) }));
    const webhooks = `/integrations/${running.credentials['integration_uuid']!}/webhooks`;
    const made = await call('admin', 'POST', webhooks, { url: receiver.url });
    expect(made.status, JSON.stringify(made.data)).to.equal(201);
    await call('api', 'PUT', '/contacts/external/erp-77', {
      phone: PHONE,
      name: NAME,
      email: EMAIL,
      custom_fields: { note: TEXT },
    });
    const traced = { 'x-request-id': REQUEST_ID, traceparent: CALLER };
    const sent = await send('observe-1', textTo(PHONE), traced);
    expect(sent.status).to.equal(202);
    operation = (sent.data as unknown as { data: { uuid: string } }).data.uuid;
    await eventually(
      () => receiver.of('message.status.updated').some(({ event }) => event.data.message?.status === 'read'),
      { what: 'the webhook that says it was read' },
    );
  });
  after(async () => {
    await running.stop();
    await receiver.close();
    await collector.close();
    await folder.close();
  });

  it('traces the request, the call to WhatsApp, its statuses and the webhooks as one', async () => {
    const { traceId, rootSpanId } = traceIdsOf(REQUEST_ID);
    const own = (): readonly OtlpSpan[] => collector.spans().filter((span) => span.traceId === traceId);
    const names = ['POST /messages', 'whatsapp send', 'whatsapp status', 'webhook delivery'];
    await eventually(() => names.every((name) => own().some((span) => span.name === name)), {
      what: `spans ${names.join(', ')}`,
    });
    const root = own().find(({ name }) => name === 'POST /messages')!;
    expect(root.spanId).to.equal(rootSpanId);
    expect(root.parentSpanId ?? '').to.equal('');
    expect(root.links?.map(({ traceId: of }) => of)).to.deep.equal([CALLER.split('-')[1]]);
    for (const span of own()) {
      if (span !== root) expect(span.parentSpanId, span.name).to.equal(rootSpanId);
    }
    const send = own().find(({ name }) => name === 'whatsapp send')!;
    expect(send.attributes).to.deep.include({
      key: 'recado.operation_uuid',
      value: { stringValue: operation },
    });
  });

  it('hands the trace to the integrator with the webhook, and not to WhatsApp', async () => {
    const { traceId } = traceIdsOf(REQUEST_ID);
    const deliveries = receiver.of('message.status.updated');
    for (const { headers } of deliveries) {
      expect(headers['traceparent']).to.match(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    }
    const spanIds = collector.spans().map(({ spanId }) => spanId);
    await eventually(() => {
      const known = new Set(collector.spans().map(({ spanId }) => spanId));
      return deliveries.every(({ headers }) => known.has(String(headers['traceparent']).split('-')[2]!));
    });
    expect(new Set(spanIds).size).to.equal(spanIds.length);
    const calls = running.sandbox!.calls.filter(({ body }) => body['biz_opaque_callback_data'] === operation);
    expect(calls).to.have.length(1);
    expect(JSON.stringify(calls)).not.to.include('traceparent');
  });

  it('logs each request and each step of the work with ids that belong together', () => {
    const parsed = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    const request = parsed.find((line) => line['msg'] === 'request' && line['request_id'] === REQUEST_ID);
    expect(request).to.include({ operation_uuid: operation, status: 202, route: '/messages' });
    const send = parsed.find((line) => line['msg'] === 'send' && line['operation_uuid'] === operation);
    expect(send).to.include({ correlation_id: REQUEST_ID, result: 'accepted', step: 'done' });
    expect(send!['event_id']).to.match(/^[0-9a-f-]{36}$/);
    const told = parsed.find(
      (line) => line['msg'] === 'webhook attempt' && line['correlation_id'] === REQUEST_ID,
    );
    expect(told).to.include({ step: 'delivered', status: 200 });
    for (const line of parsed.filter(({ msg }) => msg === 'request')) {
      expect(line, JSON.stringify(line)).to.include.keys('request_id', 'status');
    }
  });

  it('moves the metrics: requests, refusals, sends, deliveries, lags, queues, the store', async () => {
    const refused = await valueOf('recado_refusals_total', 'at="request"', 'code="validation_failed"');
    await send('observe-2', { type: 'text' });
    expect(await valueOf('recado_refusals_total', 'at="request"', 'code="validation_failed"')).to.equal(
      refused + 1,
    );

    expect(
      await valueOf('recado_http_request_seconds_count', 'route="/messages"', 'status_class="2xx"'),
    ).to.equal(1);
    expect(await valueOf('recado_send_steps_total', 'result="accepted"')).to.equal(1);
    expect(
      await valueOf('recado_webhook_attempts_total', 'step="delivered"', 'status_class="2xx"'),
    ).to.be.greaterThan(3);
    expect(await valueOf('recado_store', 'name="wal_bytes"')).to.be.greaterThan(0);
    expect(await valueOf('recado_store', 'name="file_bytes"')).to.be.greaterThan(0);
    expect(await valueOf('recado_store', 'name="disk_free_bytes"')).to.be.greaterThan(0);
    const all = await metrics();
    for (const name of [
      'recado_projection_lag_seconds{projection="operations"} 0',
      'recado_topic_lag_messages{topic="sends",group="sending"} 0',
      'recado_parked_messages{group="all"} 0',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect(all).to.include(name);
    }
    // A message that waits shows in the metric of its channel. The operator stops the channel, so it cannot be sent.
    const channel = running.credentials['channel_uuid']!;
    const stop = (stopped: string) => call('admin', 'PATCH', `/channels/${channel}/sending`, { stopped });
    expect((await stop('everything')).status).to.equal(200);
    let sent = 0;
    // The stop takes effect within about a second.
    const sendOne = () => {
      sent += 1;
      return send(`observe-waiting-${sent}`, textTo(`+55119871${String(30_000 + sent)}`));
    };
    const age = (): Promise<number> => valueOf('recado_channel_queue_age_seconds', `channel="${channel}"`);
    await eventually(async () => (await sendOne()).status === 202 && (await age()) > 0.2, {
      what: 'a queue that grows old',
    });
    expect((await stop('nothing')).status).to.equal(200);
    await eventually(async () => (await age()) === 0, { what: 'a queue that is empty' });
    // Refusals by WhatsApp are counted by their code. The sandbox refuses depending on the last digits of the number.
    const failing = await send('observe-failing', textTo(UNREACHABLE));
    expect(failing.status).to.equal(202);
    await eventually(async () => (await valueOf('recado_refusals_total', 'at="provider"')) > 0, {
      what: 'a refusal by the provider',
    });
    expect(await valueOf('recado_send_steps_total', 'result="failed"')).to.equal(1);
    await call('admin', 'POST', '/backups', {});
    await eventually(async () => (await valueOf('recado_store', 'name="last_backup_timestamp_seconds"')) > 0);
  });

  it('writes no phone, name, text, e-mail or secret into the log, whatever passes through', async () => {
    await call('api', 'GET', `/contacts?query=${encodeURIComponent(NAME)}`);
    await call('api', 'GET', `/contacts/external/${encodeURIComponent(PHONE)}`);
    await fetch(`${running.url}/api/v1/contacts`, {
      headers: { authorization: 'Bearer recado_api_wrong_Geheimnis' },
    });
    await call('admin', 'POST', '/sandbox/inbound-messages', {
      from: PHONE,
      name: NAME,
      message: { type: 'text', text: TEXT },
    });
    await fetch(`${running.url}/providers/whatsapp/webhooks`, {
      method: 'POST',
      body: JSON.stringify({ text: TEXT, from: PHONE }),
    });
    running.core.app.logger.error(
      {
        err: Object.assign(new Error('x'), { config: { headers: 1, token: 'Geheimnis' } }),
        api_key: 'Geheimnis',
      },
      'a line that ought not to be written so',
    );
    await eventually(() => lines.some((line) => line.includes('ought not')));
    expect(lines.length).to.be.greaterThan(10);
    const secrets = Object.entries(running.credentials)
      .filter(([name]) => /key|token|secret/.test(name))
      .map(([, value]) => value);
    expect(secrets.length).to.be.greaterThan(3);
    const all = lines.join('');
    const digits = PHONE.slice(1);
    for (const word of [
      ...secrets,
      digits,
      digits.slice(4),
      NAME,
      'Iracema',
      TEXT,
      'mandacaru',
      EMAIL,
      'Geheimnis',
    ]) {
      const line = lines.find((each) => each.includes(word));
      expect(line, `${word.slice(0, 12)} stands in the log`).to.equal(undefined);
    }
    expect(all).to.include('[redacted]');
  });
});
