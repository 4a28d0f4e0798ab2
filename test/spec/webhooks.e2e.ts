/** The specification of events and their deliveries, at a receiver that shares no code with the product (spec §6). */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { rotateWebhookSecret } from '../../application/provisioning/integrations.js';
import { eventually } from '../support/e2e/eventually.js';
import { openedProduct } from '../support/e2e/opened-product.js';
import { opened } from '../support/opened.js';
import { serveBodies } from '../support/servers.js';

type Row = Record<string, unknown>;

interface Received {
  readonly method: string | undefined;
  /** Header names as received on the wire. */
  readonly names: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  readonly event: { readonly id: string; readonly type: string; readonly data: Row };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TYPES = [
  'message.received',
  'message.status.updated',
  'message.transcribed',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'flow.execution.updated',
  'webhook.test',
  'order.created',
];
const TRACKING = {
  utm_source: 'google',
  utm_medium: 'cpc',
  utm_campaign: 'natal',
  utm_term: 'tênis',
  utm_content: 'a',
  gclid: 'g1',
  gbraid: 'g2',
  wbraid: 'w1',
  fbclid: 'f1',
  msclkid: 'm1',
  ttclid: 't1',
};

describe('events by the specification', () => {
  let endpointUuid: string;
  const received: Received[] = [];
  /** Statuses that the receiver returns before it returns 200. */
  const answers: number[] = [];

  const product = openedProduct(() => ({ driven: true }));
  const receiver = opened(() =>
    serveBodies((request, response, raw) => {
      received.push({
        method: request.method,
        names: request.rawHeaders.filter((_, index) => index % 2 === 0),
        headers: request.headers as Record<string, string>,
        raw,
        event: JSON.parse(raw.toString('utf8')) as Received['event'],
      });
      response.writeHead(answers.shift() ?? 200).end();
    }),
  );
  before(async () => {
    endpointUuid = await product.subscribe(`${receiver.origin}/hook`);
  });

  const of = (type: string): Received[] => received.filter(({ event }) => event.type === type);
  const reply = (from: string, text: string) => product.reply(from, text, 'Ana');
  /** Verifies a signature by the recipe of the specification, step by step. */
  const signed = ({ headers, raw }: Received, secret: string): boolean => {
    const hmac = createHmac('sha256', secret)
      .update(`${headers['service-timestamp']!}.`)
      .update(raw)
      .digest('hex');
    return headers['service-signature']!.split(',').includes(`v1=${hmac}`);
  };
  const messageOf = ({ event }: Received): Row => event.data['message'] as Row;
  const told = (type: string, text: string): Promise<Received> =>
    eventually(() => of(type).find((it) => (messageOf(it)['content'] as Row)['text'] === text), {
      what: `${type} of ${text}`,
    });

  it('a delivery is a POST of JSON with the five headers, signed, and without a bearer token', async () => {
    const secret = product.running.credentials['webhook_secret']!;
    reply('+5511987670001', 'ação 🇧🇷 "aspas"');
    await told('message.received', 'ação 🇧🇷 "aspas"');
    await eventually(() => of('conversation.created').length > 0);
    const operation = await product.sent('+5511987670001');
    await product.messageStatus(operation, 'read');
    await eventually(() => of('message.status.updated').some((it) => messageOf(it)['status'] === 'read'));
    for (const delivery of received) {
      const { method, names, headers, event } = delivery;
      expect(method).to.equal('POST');
      expect(names).to.include.members([
        'Service-Event-Id',
        'Service-Event',
        'Service-Delivery-Id',
        'Service-Timestamp',
        'Service-Signature',
      ]);
      expect(headers).to.not.have.property('authorization');
      expect(headers['content-type']).to.equal('application/json');
      expect(headers['service-event']).to.equal(event.type).and.to.be.oneOf(TYPES);
      expect(headers['service-event-id']).to.equal(event.id).and.to.match(UUID);
      expect(headers['service-delivery-id']).to.match(UUID).and.to.not.equal(event.id);
      expect(headers['service-timestamp']).to.match(/^[0-9]+$/);
      expect(Math.abs(Number(headers['service-timestamp']) - product.clock!.now() / 1000)).to.be.lessThan(60);
      expect(headers['service-signature']).to.match(/^v1=[a-f0-9]{64}$/);
      expect(signed(delivery, secret)).to.equal(true);
      expect(signed(delivery, `${secret}x`)).to.equal(false);
      expect(signed({ ...delivery, raw: Buffer.concat([delivery.raw, Buffer.from(' ')]) }, secret)).to.equal(
        false,
      );
    }
    const ids = received.map(({ event }) => event.id);
    expect(new Set(ids).size, 'unique per event').to.equal(ids.length);
    expect(new Set(received.map(({ headers }) => headers['service-delivery-id'])).size).to.equal(ids.length);
  });

  it('one that was not accepted comes again, as the same event and the same bytes', async () => {
    answers.push(500);
    reply('+5511987670002', 'de novo');
    const first = await told('message.received', 'de novo');
    const tries = await eventually(
      () => {
        const found = received.filter(({ event }) => event.id === first.event.id);
        const refused = received.filter(({ headers }) => headers['service-attempt'] === '2');
        return refused.length > 0 && found.length >= 1 && refused;
      },
      { timeoutMs: 30_000, what: 'a second attempt', clock: product.clock },
    );
    const again = tries[0]!;
    const before = received.find(
      ({ event, headers }) => event.id === again.event.id && headers['service-attempt'] === '1',
    )!;
    expect(again.raw.equals(before.raw)).to.equal(true);
    expect(again.headers['service-event-id']).to.equal(before.headers['service-event-id']);
    expect(again.headers['service-delivery-id']).to.equal(before.headers['service-delivery-id']);
    expect(signed(again, product.running.credentials['webhook_secret']!)).to.equal(true);
  });

  it('tracking fields of the contact come as data.tracking, and nothing else of its fields does', async () => {
    const phone = '+5511987670003';
    const custom_fields = { ...TRACKING, tamanho: 'M', UTM_SOURCE: 'no', fbp: 'no' };
    const put = await product.ask('PUT', '/contacts/external/track-1', { json: { phone, custom_fields } });
    expect(put.status, put.text).to.equal(200);
    reply(phone, 'vim do anúncio');
    const { event } = await told('message.received', 'vim do anúncio');
    expect(event.data['tracking']).to.deep.equal(TRACKING);
    expect(event.data['contact']).to.deep.include({ external_id: 'track-1', custom_fields });
    reply('+5511987670004', 'vim sozinho');
    const plain = await told('message.received', 'vim sozinho');
    expect(plain.event.data).to.not.have.property('tracking');
  });

  it('what is told is what GET shows', async () => {
    reply('+5511987670005', 'igual');
    const { event } = await told('message.received', 'igual');
    const { uuid } = event.data['conversation'] as { uuid: string };
    const [listed] = await product.messages(uuid);
    expect(messageOf({ event } as Received)).to.deep.equal(listed);
    const contact = event.data['contact'] as Row;
    expect(contact).to.deep.equal(await product.get(`/contacts/${String(contact['uuid'])}`));
  });

  it('a resolved conversation is conversation.updated, a test is webhook.test', async () => {
    reply('+5511987670006', 'obrigada');
    const { event } = await told('message.received', 'obrigada');
    const { uuid } = event.data['conversation'] as { uuid: string };
    await product.admin('POST', `/conversations/${uuid}/resolve`, undefined, 200);
    const updated = await eventually(() =>
      of('conversation.updated').find((it) => (it.event.data['conversation'] as Row)['uuid'] === uuid),
    );
    expect(updated.event.data['conversation']).to.include({ status: 'resolved' });
    const resolved = await product.get<Row[]>('/conversations?status=resolved');
    expect(resolved.map((row) => row['uuid'])).to.deep.equal([uuid]);

    await product.admin('POST', `/webhooks/${endpointUuid}/test`);
    const test = await eventually(() => of('webhook.test')[0]);
    expect(test.headers['service-event']).to.equal('webhook.test');
    expect(signed(test, product.running.credentials['webhook_secret']!)).to.equal(true);
  });

  it('carries the signatures of both secrets after a rotation, and of two at most', async () => {
    const previous = product.running.credentials['webhook_secret']!;
    const rotate = () =>
      rotateWebhookSecret(product.app, { integrationUuid: product.integration }, { actor: 'test' });
    const { webhookSecret: current, previousExpiresAt } = await rotate();
    const overlap = Date.parse(previousExpiresAt!) - product.clock!.now();
    expect(overlap).to.be.within(86_340_000, 86_400_000);
    reply('+5511987670007', 'duas');
    const delivery = await told('message.received', 'duas');
    expect(delivery.headers['service-signature']).to.match(/^v1=[a-f0-9]{64},v1=[a-f0-9]{64}$/);
    expect(signed(delivery, current)).to.equal(true);
    expect(signed(delivery, previous)).to.equal(true);
    // A second rotation within the day, as after a lost answer: the header has two signatures at most, and the secret
    // that receivers surely have is one of them.
    const { webhookSecret: newest } = await rotate();
    reply('+5511987670007', 'ainda duas');
    const next = await told('message.received', 'ainda duas');
    expect(next.headers['service-signature']).to.match(/^v1=[a-f0-9]{64},v1=[a-f0-9]{64}$/);
    const accepted = [newest, current, previous].map((secret) => signed(next, secret));
    expect(accepted).to.deep.equal([true, false, true]);
  });
});
