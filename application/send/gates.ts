/**
 * The gates of template sends (spec §7). They are checked when a send is accepted. Right before its first attempt they
 * are passed, which reserves its share of the quotas (slots). Text has no gates. docs/sending.md explains each gate.
 */
import { channelAggregate } from '../../domain/channel/decide.js';
import { companyAggregate } from '../../domain/company/decide.js';
import type { ChannelUuid, CompanyUuid, OperationUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { ReservationRequest } from '../../domain/quota/decide.js';
import type { Quota } from '../../domain/quota/state.js';
import { messageAggregate } from '../../domain/message/decide.js';
import { operationAggregate } from '../../domain/operation/decide.js';
import { cameToNothing } from '../../domain/operation/state.js';
import {
  companyRules,
  identicalRules,
  judge,
  opening,
  recipientRules,
  type MarketingSettings,
  type Rule,
} from '../../domain/policies/gates.js';
import { channelControlsAggregate } from '../../domain/channel-controls/decide.js';
import { templateAggregate } from '../../domain/template/decide.js';
import type { App } from '../app.js';
import { serviceWindowOpen } from '../conversation/service-window.js';
import type { CommandContext } from '../execute.js';
import {
  absorbedLedgers,
  companyLedger,
  dayOf,
  identicalLedger,
  loadLedgers,
  recipientLedger,
  recipientOf,
  templateKey,
  type Addressee,
  type Recipient,
} from './quotas.js';
import { giveBack, takeCompanySlot, takeRecipientSlot, takeSlot } from './slots.js';

/** The properties of a template send that the gates use. */
export interface GatedSend {
  readonly companyUuid: CompanyUuid;
  readonly channelUuid: ChannelUuid;
  /** Derived from the phone's key, where a phone is known. */
  readonly subject: string;
  readonly addressee: Addressee;
  readonly templateUuid: string;
  readonly category: string;
  readonly name: string;
  readonly language: string;
  readonly components: unknown;
}

const MARKETING = 'MARKETING';

/** Checks the gates when a send is accepted. Reserves nothing. @throws Refusal with the gate's code */
export async function checkGates(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  send: GatedSend,
): Promise<void> {
  const now = app.clock.now();
  if (send.category !== MARKETING) {
    const ledgers = await loadLedgers(app, [identicalOf(app, send)]);
    return refuseBy(app, ledgers, whatOf(send), identicalRules, now);
  }
  const settings = await marketingSettings(app, send.companyUuid);
  await mayMarket(app, send.channelUuid, now);
  const recipient = await recipientOf(app, send.companyUuid, send.addressee);
  mayReceive(recipient);
  const rules = recipientRules(settings, await isWindowOpen(app, recipient, send.channelUuid, now));
  const ids = [recipientLedger(recipient.subject), ...(await absorbedLedgers(app, recipient.contact))];
  await refuseBy(app, await loadLedgers(app, ids), whatOf(send), rules, now);
  const days = [dayOf(now), dayOf(now) - 1].map((day) => companyLedger(send.companyUuid, day));
  await refuseBy(app, await loadLedgers(app, days), whatOf(send), companyRules(settings), now);
}

/**
 * Passes every gate. On return the send holds its reservations (slots), which it may have held before.
 * @param first false when the operation may have been here before
 * @throws Refusal with the gate's code; the caller returns the reservations made so far, once the operation has failed
 */
export async function passGates(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  operationUuid: OperationUuid,
  send: GatedSend,
  recipient: Recipient,
  first: boolean,
  context: CommandContext,
): Promise<void> {
  await templateSends(app, send);
  const what = whatOf(send);
  const request: ReservationRequest = { operationUuid, what, counted: true };
  if (send.category !== MARKETING) {
    // Nearly always the first of its kind: skipping the load saves a read for each.
    return takeSlot(app, identicalOf(app, send), request, identicalRules, [], context, first);
  }
  const now = app.clock.now();
  const settings = await marketingSettings(app, send.companyUuid);
  await mayMarket(app, send.channelUuid, now);
  mayReceive(recipient);
  const open = await isWindowOpen(app, recipient, send.channelUuid, now);
  await takeRecipientSlot(
    app,
    recipient,
    { ...request, counted: !open },
    recipientRules(settings, open),
    context,
  );
  await takeCompanySlot(app, send.companyUuid, request, companyRules(settings), context);
}

/**
 * Returns the reservations of a failed send, so that it no longer counts. May be repeated, and called for sends that
 * made none.
 * @param about some time of the send: a company's reservation is searched on that day and on the days before and after
 * it
 */
export async function giveBackSlots(
  app: Pick<App, 'executor' | 'indexSecret'>,
  operationUuid: OperationUuid,
  send: GatedSend,
  reason: string,
  about: number,
  context: CommandContext,
): Promise<void> {
  if (send.category !== MARKETING) {
    return giveBack(app, [identicalOf(app, send)], operationUuid, reason, context);
  }
  const recipient = await recipientOf(app, send.companyUuid, send.addressee);
  const ledgers = [
    recipientLedger(recipient.subject),
    ...(await absorbedLedgers(app, recipient.contact)),
    ...[-1, 0, 1].map((day) => companyLedger(send.companyUuid, dayOf(about) + day)),
  ];
  await giveBack(app, ledgers, operationUuid, reason, context);
}

const whatOf = (send: GatedSend): string => templateKey(send.companyUuid, send.name);
const identicalOf = (app: Pick<App, 'indexSecret'>, send: GatedSend): string =>
  identicalLedger(app, send.subject, send);

/**
 * A failed send may not have returned its reservation yet; that reservation must not cause a refusal. Such sends are
 * excluded in a few rounds; more that fail at this very moment are not examined.
 */
async function refuseBy(
  app: Pick<App, 'executor'>,
  ledgers: readonly Quota[],
  what: string,
  rules: readonly Rule[],
  now: number,
): Promise<void> {
  const nothing = new Set<string>();
  for (let look = 1; ; look += 1) {
    const standing = nothing.size === 0 ? ledgers : ledgers.map((ledger) => withoutSlots(ledger, nothing));
    const refusal = judge(standing, what, rules, now);
    if (refusal === null) return;
    const failed = look > LOOKS ? [] : await thoseThatFailed(app, refusal.details);
    if (failed.length === 0) throw new Refusal(refusal.code, refusal.message, refusal.details);
    for (const uuid of failed) nothing.add(uuid);
  }
}

const LOOKS = 3;
const LOOKED_THROUGH = 20;

const withoutSlots = (ledger: Quota, uuids: ReadonlySet<string>): Quota => ({
  ...ledger,
  slots: ledger.slots.filter(({ operationUuid }) => !uuids.has(operationUuid)),
});

/** The failed ones of the sends that a refusal names as its cause. */
async function thoseThatFailed(
  app: Pick<App, 'executor'>,
  { earlier_events: earlier }: Readonly<Record<string, unknown>>,
): Promise<readonly string[]> {
  const named: readonly { readonly operation_uuid?: unknown }[] = Array.isArray(earlier) ? earlier : [];
  const uuids = named.flatMap(({ operation_uuid: uuid }) => (typeof uuid === 'string' ? [uuid] : []));
  const seen = await Promise.all(
    uuids.slice(0, LOOKED_THROUGH).map(async (uuid) => ({ uuid, failed: await hasFailed(app, uuid) })),
  );
  return seen.filter(({ failed }) => failed).map(({ uuid }) => uuid);
}

/** Failed at the call, or by a later status of its message. */
async function hasFailed(app: Pick<App, 'executor'>, operationUuid: OperationUuid): Promise<boolean> {
  const { state } = await app.executor.load(operationAggregate, operationUuid);
  if (state.messageUuid === null || cameToNothing(state)) return cameToNothing(state);
  const { state: message } = await app.executor.load(messageAggregate, state.messageUuid);
  return message.status === 'failed';
}

async function marketingSettings(
  app: Pick<App, 'executor'>,
  companyUuid: CompanyUuid,
): Promise<MarketingSettings> {
  const { marketing } = (await app.executor.load(companyAggregate, companyUuid)).state;
  if (marketing.enabled) return marketing;
  throw new Refusal(
    'marketing_sends_disabled',
    'Marketing is not enabled for this company. Its owner has to switch it on first.',
    { company_uuid: companyUuid },
  );
}

/** WhatsApp reports the rating RED, or the number status FLAGGED, when people block or report the number. */
async function mayMarket(app: Pick<App, 'executor'>, channelUuid: ChannelUuid, now: number): Promise<void> {
  const [{ state: channel }, { state: sending }] = await Promise.all([
    app.executor.load(channelAggregate, channelUuid),
    app.executor.load(channelControlsAggregate, channelUuid),
  ]);
  const facts = {
    channel_uuid: channelUuid,
    quality: channel.qualityRating,
    provider_status: channel.providerStatus,
  };
  const { pause } = sending;
  if (pause !== null && now < Date.parse(pause.until)) {
    throw paused({
      ...facts,
      ...opening(Date.parse(pause.until), now),
      provider: { code: pause.code },
      earlier_events: [{ operation_uuid: pause.operationUuid }],
    });
  }
  // Ends when WhatsApp rates the number better; that time is unknown.
  if (channel.qualityRating === 'RED' || channel.providerStatus === 'FLAGGED') throw paused(facts);
}

const paused = (details: Readonly<Record<string, unknown>>): Refusal =>
  new Refusal(
    'channel_marketing_paused',
    'WhatsApp flagged the quality of this channel, so it sends no marketing for now.',
    details,
  );

/** @throws Refusal recipient_opted_out */
function mayReceive({ uuid, contact }: Recipient): void {
  if (!contact?.optedOut) return;
  throw new Refusal('recipient_opted_out', 'The recipient has opted out of marketing.', {
    contact_uuid: uuid,
    opted_out_at: contact.wishAt,
  });
}

/** Whether the service window is open for the contact, or for any contact that was merged into it. */
async function isWindowOpen(
  app: Pick<App, 'executor' | 'readModels'>,
  { uuid, contact }: Recipient,
  channelUuid: ChannelUuid,
  now: number,
): Promise<boolean> {
  if (uuid === null) return false;
  for (const who of [uuid, ...(contact?.absorbed ?? [])]) {
    if (await serviceWindowOpen(app, who, channelUuid, now)) return true;
  }
  return false;
}

/** Refuses a send that was accepted while its template could be sent, and no longer can. */
async function templateSends(
  app: Pick<App, 'executor'>,
  { templateUuid, name, language }: GatedSend,
): Promise<void> {
  const { state } = await app.executor.load(templateAggregate, templateUuid);
  const { status } = state.definition;
  if (!state.exists || (status === 'APPROVED' && !state.removed)) return;
  const details = { name, language, status: state.removed ? 'REMOVED' : status };
  if (status === 'PAUSED') {
    throw new Refusal(
      'template_quality_blocked',
      'WhatsApp has paused this template for its quality.',
      details,
    );
  }
  if (status === 'DISABLED') {
    throw new Refusal('template_sends_disabled', 'WhatsApp has disabled this template.', details);
  }
  throw new Refusal(
    'template_not_approved',
    'WhatsApp has no approved version of this template in this language.',
    details,
  );
}
