/**
 * The baseline of `bench floor` on the embedded store: a process that makes the HTTP exchanges of a message, and the same
 * events durable in the same steps, and nothing else. For a message with two statuses: a POST /messages, which is
 * validated and answered 202; a call of the provider; two webhooks of the provider, whose signature is checked, answered
 * 200; two signed webhooks to the integrator. The steps are in floor-counts.ts.
 *
 * No authentication, no quota, no decisions, no encryption, no projections, no read models, no order, no retries, no
 * log. Bodies of webhooks come from constants.
 *
 * - `FLOOR_VALIDATOR=off`: requests are not validated.
 * - `FLOOR_STEPS`: a name in EMBEDDED_STEPS.
 * - `FLOOR_PACE`: so many accepted messages are sent a second, the others wait. Without it, each is sent at once.
 * - `FLOOR_BURN=210,2400`: a loop takes so many microseconds for each accepted message, and so many more for one that is
 *   sent, in parts before each of its steps. What a process of that CPU could do at best.
 */
import { randomUUID } from 'node:crypto';
import express, { type Request, type Response } from 'express';
import { Pool } from 'undici';
import { verifyWebhookSignature } from '../../adapters/whatsapp/webhook-signature.js';
import { loadContract } from '../../api/contract.js';
import { requestValidatorsOf } from '../../api/middleware/request-validator.js';
import { openBareLog } from './bare-log.js';
import { bareRecord } from './bare-record.js';
import { bareWebhook } from './bare-webhook.js';
import { EMBEDDED_STEPS, type Step } from './floor-counts.js';

const { accept, prepare, outcome, keep, report } = EMBEDDED_STEPS[process.env['FLOOR_STEPS']!]!;
const secret = process.env['FLOOR_APP_SECRET']!;
const endpoint = new URL(process.env['FLOOR_RECEIVER']!);
const log = openBareLog(process.env['DATA_DIR']!);
const provider = new Pool(process.env['WHATSAPP_API_URL']!, { connections: null });
const receiver = new Pool(endpoint.origin, { connections: 128 });
const validators = (await requestValidatorsOf(loadContract())).validators;
const validate = process.env['FLOOR_VALIDATOR'] === 'off' ? undefined : validators.get('sendMessage')!;

const fillers = new Map<number, string>();
function fillerOf(characters: number): string {
  let filler = fillers.get(characters);
  if (filler === undefined) fillers.set(characters, (filler = 'x'.repeat(characters)));
  return filler;
}

/** What data has beside its filler: `{"operation_uuid":"…","filler":""}`. */
const BESIDE = JSON.stringify({ operation_uuid: randomUUID(), filler: '' }).length;

const [burnAccept = 0, burnSend = 0] = (process.env['FLOOR_BURN'] ?? '').split(',').map(Number);
const sendSteps = [prepare, outcome, keep, keep, report].reduce((sum, steps) => sum + steps.length, 0);

function burn(microseconds: number): void {
  const until = performance.now() + microseconds / 1_000;
  while (performance.now() < until);
}

async function store(steps: readonly Step[], uuid: string): Promise<void> {
  for (const step of steps) {
    burn(steps === accept ? burnAccept / accept.length : burnSend / sendSteps);
    const records = Object.entries(step).map(([type, characters]) =>
      bareRecord(type, { operation_uuid: uuid }, uuid, fillerOf(Math.max(0, characters - BESIDE))),
    );
    await log.append(`operation-${uuid}`, records);
  }
}

/** As cheap as undici has it, which is how the product's adapters use it. */
function post(
  pool: Pool,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    pool.dispatch(
      { path, method: 'POST', headers, body },
      {
        onRequestStart: () => undefined,
        onResponseStart: () => undefined,
        onResponseData: (_, chunk) => void chunks.push(chunk),
        onResponseEnd: () => resolve(Buffer.concat(chunks)),
        onResponseError: (_, error) => reject(error),
      },
    );
  });
}

interface MessageBody {
  readonly recipient: { readonly phone: string };
  readonly content: { readonly text: string };
}

async function send(uuid: string, { recipient, content }: MessageBody): Promise<void> {
  await store(prepare, uuid);
  const answer = await post(
    provider,
    '/v25.0/106540352242922/messages',
    { authorization: 'Bearer bench-token', accept: 'application/json', 'content-type': 'application/json' },
    JSON.stringify({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: recipient.phone,
      type: 'text',
      text: { body: content.text, preview_url: false },
      biz_opaque_callback_data: uuid,
    }),
  );
  const { messages } = JSON.parse(answer.toString()) as { messages: readonly { id: string }[] };
  await store(outcome, uuid);
  await tell(uuid, messages[0]!.id, 'sent');
}

/** Messages that wait for their turn. */
const waiting: (() => void)[] = [];
const pace = Number(process.env['FLOOR_PACE'] ?? Infinity);
if (pace !== Infinity) setInterval(() => waiting.shift()?.(), 1000 / pace);

function sendInTurn(uuid: string, body: MessageBody): void {
  const begin = (): void => void send(uuid, body).catch(fail);
  if (pace === Infinity) begin();
  else waiting.push(begin);
}

async function tell(uuid: string, messageId: string, status: string): Promise<void> {
  const { headers, body } = bareWebhook(uuid, messageId, status);
  await post(receiver, endpoint.pathname, headers, body);
}

interface Status {
  readonly id: string;
  readonly status: string;
  readonly biz_opaque_callback_data: string;
}

interface ProviderWebhook {
  readonly entry: readonly {
    readonly changes: readonly { readonly value: { readonly statuses: readonly Status[] } }[];
  }[];
}

async function apply({ id, status, biz_opaque_callback_data: uuid }: Status): Promise<void> {
  if (status === 'sent') return;
  await store(report, uuid);
  await tell(uuid, id, status);
}

const statusesIn = (body: Buffer): readonly Status[] =>
  (JSON.parse(body.toString()) as ProviderWebhook).entry.flatMap(({ changes }) =>
    changes.flatMap(({ value }) => value.statuses),
  );

/** A floor that leaves work out would look too low. */
function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.post('/api/v1/messages', express.json(), async (req: Request, res: Response) => {
  await validate?.(req, res);
  const uuid = randomUUID();
  await store(accept, uuid);
  const created_at = new Date().toISOString();
  res
    .status(202)
    .set('Location', `/api/v1/operations/${uuid}`)
    .json({
      data: {
        uuid,
        type: 'message.send',
        status: 'queued',
        result: null,
        error: null,
        created_at,
        started_at: null,
        completed_at: null,
      },
    });
  sendInTurn(uuid, req.body as MessageBody);
});
app.post(
  '/providers/whatsapp/webhooks',
  express.raw({ type: () => true }),
  async (req: Request, res: Response) => {
    const body = req.body as Buffer;
    if (!verifyWebhookSignature(body, req.get('x-hub-signature-256'), secret)) fail('a wrong signature');
    await store(keep, randomUUID());
    res.status(200).type('text/plain').send('ok');
    for (const status of statusesIn(body)) apply(status).catch(fail);
  },
);
const server = app.listen(Number(process.env['PORT']), '127.0.0.1', () => console.log('bare process is up'));
server.keepAliveTimeout = 72_000;
process.once('SIGTERM', () => {
  log.close();
  process.exit(0);
});
