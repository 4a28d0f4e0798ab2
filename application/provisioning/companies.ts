import { companyAggregate } from '../../domain/company/decide.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { MarketingSettings } from '../../domain/policies/gates.js';
import { foldWord, type OptOutWords } from '../../domain/policies/opt-out-words.js';
import { directCommand, type App } from '../app.js';
import { invalidField, type Caller, type Written } from './common.js';

/**
 * Registers a new tenant.
 * @throws Refusal `validation_failed` when the time zone is not in the IANA database
 */
export async function registerCompany(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly name: string; readonly timezone?: string | undefined },
  caller: Caller,
): Promise<Written & { readonly companyUuid: CompanyUuid }> {
  const timezone = input.timezone ?? 'America/Sao_Paulo';
  if (!isTimezone(timezone)) {
    throw invalidField(
      'timezone',
      'timezone_unknown',
      `${timezone} is not an IANA time zone such as America/Sao_Paulo.`,
    );
  }
  const companyUuid = app.newId();
  const done = await app.executor.execute(
    companyAggregate,
    companyUuid,
    { type: 'RegisterCompany', name: input.name, timezone },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { companyUuid, position: done.position };
}

/**
 * Enables or disables MARKETING sends, or changes their caps; a field that is left out stays. Takes effect with the
 * next send, including those that are already waiting.
 * @throws Refusal not_found
 */
export async function changeMarketingSettings(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly settings: Partial<MarketingSettings> },
  caller: Caller,
): Promise<Written> {
  const { companyUuid, settings } = input;
  const done = await app.executor.execute(
    companyAggregate,
    companyUuid,
    { type: 'ChangeMarketingSettings', settings },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}

/**
 * Sets the words that stop and resume marketing, in addition to the built-in ones; a list that is left out stays. Takes
 * effect with the next message of a customer.
 * @throws Refusal not_found; validation_failed when a word has neither letter nor digit
 */
export async function changeOptOutWords(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly words: Partial<OptOutWords> },
  caller: Caller,
): Promise<Written> {
  const { companyUuid, words } = input;
  for (const list of ['stop', 'resume'] as const) refuseEmptyWords(list, words[list] ?? []);
  const done = await app.executor.execute(
    companyAggregate,
    companyUuid,
    { type: 'ChangeOptOutWords', words },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}

/**
 * Sets the words that request a person while a flow runs, in addition to the built-in ones. Takes effect with the next
 * message of a customer.
 * @throws Refusal not_found; validation_failed when a word has neither letter nor digit
 */
export async function changePersonWords(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly words: readonly string[] },
  caller: Caller,
): Promise<Written> {
  const { companyUuid, words } = input;
  refuseEmptyWords('words', words);
  const done = await app.executor.execute(
    companyAggregate,
    companyUuid,
    { type: 'ChangePersonWords', words },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}

/**
 * Whether viewers may reveal the customers' data of one thing. It holds from the next call on; what was revealed before
 * stays shown until its time is over.
 * @throws Refusal not_found
 */
export async function changePrivacySettings(
  app: Pick<App, 'executor' | 'newId'>,
  input: { readonly companyUuid: CompanyUuid; readonly viewersMayReveal: boolean },
  caller: Caller,
): Promise<Written> {
  const { companyUuid, viewersMayReveal } = input;
  const done = await app.executor.execute(
    companyAggregate,
    companyUuid,
    { type: 'ChangePrivacySettings', viewersMayReveal },
    directCommand(app, { company: companyUuid, ...caller }),
  );
  return { position: done.position };
}

function refuseEmptyWords(field: string, words: readonly string[]): void {
  const index = words.findIndex((word) => foldWord(word) === '');
  if (index >= 0) throw invalidField(`${field}[${index}]`, 'word_empty', 'A word needs a letter or a digit.');
}

function isTimezone(name: string): boolean {
  // Newer ICU versions accept offsets such as +03:00, but those have no daylight saving.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
