import type { App } from '../../application/app.js';
import { historyUpTo } from '../notifications/delivery-order.js';
import { webhookTypeOf, type WebhookEventType } from '../notifications/event-kind.js';
import type { KeepEnvelope, EnvelopeDeps } from './book.js';

/** The recorded event. */
type Recorded = Parameters<typeof historyUpTo>[1];

/**
 * Makes and keeps the envelopes of one event. Null: it is no webhook event.
 * @param absent integrations that had neither an envelope of it nor a gap a moment ago
 * @throws what `envelopeFor` and `historyUpTo` throw; the type, where it is known, with `FailedEnvelope`
 */
export async function makeEnvelopes(
  app: EnvelopeDeps & Pick<App, 'codec'>,
  keep: KeepEnvelope,
  recorded: Recorded,
  eventId: string,
  integrations: readonly string[],
  absent?: ReadonlySet<string>,
): Promise<WebhookEventType | null> {
  const history = await historyUpTo(app, recorded);
  const type = history && webhookTypeOf(history);
  if (!history || type === null) return null;
  try {
    await Promise.all(
      integrations.map(async (integrationUuid) => {
        const input = { eventId, type, history, integrationUuid };
        const kept = await keep(app, input, absent?.has(integrationUuid));
        await kept?.durable;
      }),
    );
  } catch (error) {
    throw new FailedEnvelope(type, error);
  }
  return type;
}

export class FailedEnvelope extends Error {
  override readonly name = 'FailedEnvelope';
  constructor(
    readonly type: WebhookEventType,
    override readonly cause: unknown,
  ) {
    super(cause instanceof Error ? cause.message : String(cause));
  }
}
