/** Passes an update to its handler. No payload content causes an exception beyond this module. */
import type { App } from '../../application/app.js';
import type { CommandContext } from '../../application/execute.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { InvalidEvent } from '../../domain/kernel/schema-registry.js';
import type { ProviderUpdate } from '../../ports/provider-webhook.js';
import type { Applied } from './applied.js';
import { channelByPhoneNumberId, type ChannelRef } from './channels.js';
import { applyAccount, applyNumber } from './handlers/account.js';
import { applyAddressBook } from './handlers/address-book.js';
import { applyChange } from './handlers/change.js';
import { receiveEcho } from './handlers/echo.js';
import { importHistory } from './handlers/history.js';
import { applyIdentity } from './handlers/identity.js';
import { receiveMessage } from './handlers/message.js';
import { applyNotice } from './handlers/notice.js';
import { applyPreference } from './handlers/preference.js';
import { applyStatus } from './handlers/status.js';
import { applyTemplate } from './handlers/template.js';

/** An update of a provider webhook takes this of the app. */
export type InboundDeps = Pick<
  App,
  | 'clock'
  | 'dueTimes'
  | 'executor'
  | 'indexSecret'
  | 'lastOrdinals'
  | 'newId'
  | 'personOwners'
  | 'provider'
  | 'readModels'
  | 'secrets'
  | 'store'
  | 'tracing'
>;

/**
 * Codes of transient refusals. `contact_merged`: the contact was merged a moment ago; the next try finds the primary
 * one.
 */
const PASSING: ReadonlySet<string> = new Set(['concurrent_update', 'provider_unavailable', 'contact_merged']);

/**
 * Refusals and events that do not fit their schema become `retry` or `park`.
 * @throws every other error, such as that of an unavailable store: the update is to be tried again
 */
export async function applyUpdate(
  app: InboundDeps,
  update: ProviderUpdate,
  context: CommandContext,
): Promise<Applied> {
  try {
    return await route(app, update, context);
  } catch (error) {
    if (error instanceof InvalidEvent) return { park: `it does not fit what is kept: ${error.message}` };
    if (!(error instanceof Refusal)) throw error;
    return PASSING.has(error.code) ? { retry: error.message } : { park: error.message };
  }
}

async function route(app: InboundDeps, update: ProviderUpdate, context: CommandContext): Promise<Applied> {
  switch (update.kind) {
    case 'other':
      return { park: update.reason };
    case 'template':
      return applyTemplate(app, update, context);
    case 'number':
      return applyNumber(app, update, context);
    case 'account':
      return applyAccount(app, update, context);
    default: {
      const channel = await channelByPhoneNumberId(app.readModels, update.phoneNumberId);
      if (channel === null) return { park: `no channel has the phone number id ${update.phoneNumberId}` };
      return toNumber(app, channel, update, { ...context, company: channel.company_uuid });
    }
  }
}

type OfNumber = Extract<ProviderUpdate, { readonly phoneNumberId: string }>;

function toNumber(
  app: InboundDeps,
  channel: ChannelRef,
  update: OfNumber,
  context: CommandContext,
): Promise<Applied> {
  switch (update.kind) {
    case 'message':
      return receiveMessage(app, channel, update, context);
    case 'status':
      return applyStatus(app, channel, update, context);
    case 'echo':
      return receiveEcho(app, channel, update, context);
    case 'edit':
    case 'revoke':
      return applyChange(app, channel, update, context);
    case 'notice':
      return applyNotice(app, channel, update, context);
    case 'identity':
      return applyIdentity(app, channel, update, context);
    case 'preference':
      return applyPreference(app, channel, update, context);
    case 'history':
      return importHistory(app, channel, update, context);
    case 'address_book':
      return applyAddressBook(app, channel, update, context);
    default:
      return update satisfies never;
  }
}
