/** The streams of the product, by category, and the ids that are made for some of them. */
import { deriveId, type CompanyUuid } from './kernel/ids.js';
import { streamNames } from './kernel/stream.js';

// Set-up.
export const companyStream = streamNames<'company'>('company');
export const integrationStream = streamNames<'integration'>('integration');
export const channelStream = streamNames<'channel'>('channel');
/** By the channel's uuid. */
export const channelControlsStream = streamNames<'channel'>('sending');
export const templateStream = streamNames('template');
export const flowStream = streamNames('flow');
/** One stream per company, named by its uuid. */
export const savedRepliesStream = streamNames<'company'>('replies');
/** One stream per company, named by its uuid. */
export const teamStream = streamNames<'company'>('team');

// People, and what is said with them.
export const contactStream = streamNames<'contact'>('contact');
export const identityStream = streamNames('identity');
export const conversationStream = streamNames<'conversation'>('conversation');
export const messageStream = streamNames<'message'>('message');
export const operationStream = streamNames<'operation'>('operation');
export const executionStream = streamNames<'execution'>('execution');
export const intakeStream = streamNames('intake');
export const quotaStream = streamNames('ledger');
export const erasureStream = streamNames('erasure');

// Stores.
export const storeStream = streamNames('store');
export const productStream = streamNames('product');
export const productQuotaStream = streamNames('shelf');
export const orderStream = streamNames<'order'>('order');

/** A company has at most one store, so its id is derived from the company's. */
export const storeId = (companyUuid: CompanyUuid): string => deriveId('store', companyUuid);

// What was asked for and refused, day by day: one stream for each day, so that it stays short.
export const refusedSendsStream = streamNames('refused');
/** By the person. */
export const accountStream = streamNames('account');
/** By the company, and one for the server itself. */
export const upkeepStream = streamNames('upkeep');

/** @param day UTC, such as 2026-11-20 */
export const refusedSendsId = (integrationUuid: string, day: string): string =>
  deriveId('refused-sends', integrationUuid, day);

/** @param day UTC, such as 2026-11-20 */
export const accountDayId = (memberUuid: string, day: string): string =>
  deriveId('account-day', memberUuid, day);

/** @param day UTC, such as 2026-11-20 */
export const upkeepDayId = (companyUuid: CompanyUuid, day: string): string =>
  deriveId('upkeep-day', companyUuid, day);

// The deployment.
export const restoreStream = streamNames('restore');

/** A deployment has one such stream: a restored copy of the history contains its restores under the same name. */
export const RESTORES = deriveId('restores');
