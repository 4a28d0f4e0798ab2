/**
 * Imports contacts from a table. Each row creates a contact, or changes the contact with its external id or phone. A
 * row that fails is reported and does not affect the others. Importing the same rows again changes nothing, so an
 * interrupted import is simply repeated.
 */
import { decideContact } from '../../domain/contact/decide.js';
import { initialContact, type Contact } from '../../domain/contact/state.js';
import { identityAggregate } from '../../domain/identity/decide.js';
import { entryOf } from '../../domain/kernel/entries.js';
import type { CompanyUuid, ContactUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { checkDetails, type ContactDetails } from '../../domain/policies/contact-details.js';
import { parsePhone, phoneKey } from '../../domain/policies/phone.js';
import type { App } from '../app.js';
import type { CommandContext } from '../execute.js';
import { resolveContact } from '../people/resolve-contact.js';
import { externalIdentity, personIdentity } from '../people/subject.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { upsertExternal } from './upsert-external.js';
import { commandContact } from './write.js';

export interface ImportRow extends ContactDetails {
  /** Line number in the caller's table; returned with the row's result. */
  readonly line: number;
  readonly phone?: string;
  /** At most 128 characters. */
  readonly external_id?: string;
}

export interface ImportInput {
  readonly companyUuid: CompanyUuid;
  /** The integration that the external ids belong to; required when there are any. */
  readonly integrationUuid: string | null;
  /** Reports the result that each row would have, and changes nothing. */
  readonly preview: boolean;
  readonly rows: readonly ImportRow[];
}

export interface RowResult {
  readonly line: number;
  readonly status: 'created' | 'updated' | 'unchanged' | 'failed';
  /** Null for rows that failed, and for contacts that a preview would create. */
  readonly contact_uuid: ContactUuid | null;
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  } | null;
}

/** Groups of rows that are processed concurrently. Rows about the same person keep their order. */
const AT_ONCE = 16;

export async function importContacts(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'personOwners' | 'readModels' | 'store'>,
  input: ImportInput,
  context: CommandContext,
): Promise<readonly RowResult[]> {
  const groups = new Map<string, { readonly row: ImportRow; readonly index: number }[]>();
  for (const [index, row] of input.rows.entries()) {
    const key = row.external_id === undefined ? `p${phoneKey(row.phone ?? '')}` : `e${row.external_id}`;
    groups.set(key, [...(groups.get(key) ?? []), { row, index }]);
  }
  const results: RowResult[] = [];
  const waiting = groups.values();
  const take = async (): Promise<void> => {
    for (const group of waiting) {
      for (const { row, index } of group) {
        const own = { ...context, commandId: `${context.commandId}/${index}` };
        results[index] = await importRow(app, input, row, own);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
  return results;
}

async function importRow(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'personOwners' | 'readModels' | 'store'>,
  input: ImportInput,
  row: ImportRow,
  context: CommandContext,
): Promise<RowResult> {
  const { line } = row;
  try {
    const plan = await planRow(app, input, row);
    const { status } = plan;
    if (input.preview || status === 'unchanged') {
      return { line, status, contact_uuid: plan.uuid, error: null };
    }
    return { line, status, contact_uuid: await applyRow(app, input, row, plan.uuid, context), error: null };
  } catch (error) {
    // An unavailable store is not the fault of the row.
    if (!(error instanceof Refusal)) throw error;
    const { code, message, details } = error;
    return { line, status: 'failed', contact_uuid: null, error: { code, message, details } };
  }
}

interface Plan {
  readonly status: 'created' | 'updated' | 'unchanged';
  readonly uuid: string | null;
}

/** Computed from the streams; only reads. */
async function planRow(
  app: Pick<App, 'executor' | 'indexSecret'>,
  input: ImportInput,
  row: ImportRow,
): Promise<Plan> {
  const { companyUuid, integrationUuid } = input;
  const { phone: written, external_id: externalId } = row;
  const details = detailsOf(row);
  checkDetails(details);
  if (externalId !== undefined && integrationUuid === null) {
    throw invalid('external_id', 'integration_required', 'Say whose external ids these are.');
  }
  const byExternal =
    externalId === undefined
      ? null
      : await holder(app, externalIdentity(app.indexSecret, integrationUuid!, externalId));
  if (written === undefined) {
    if (byExternal === null) {
      throw invalid(
        'phone',
        'phone_required',
        'There is no contact with this external_id, and no phone to make one.',
      );
    }
    return { status: differs(byExternal.contact, details) ? 'updated' : 'unchanged', uuid: byExternal.uuid };
  }
  const phone = parsePhone(written, 'phone');
  const byPhone = await holder(app, personIdentity(app.indexSecret, companyUuid, phone.key));
  if (byPhone === null || !byPhone.contact.exists) return { status: 'created', uuid: null };
  const linked = byExternal?.uuid === byPhone.uuid;
  if (externalId !== undefined && !linked) {
    const known = entryOf(byPhone.contact.links, integrationUuid!) ?? null;
    if (known !== null && known !== externalId) {
      throw new Refusal(
        'external_contact_conflict',
        'The contact with this phone is already linked to another external_id.',
        { contact_uuid: byPhone.uuid, external_id: known },
      );
    }
  }
  const changes =
    byPhone.contact.phone === null ||
    (externalId !== undefined && !linked) ||
    differs(byPhone.contact, details);
  return { status: changes ? 'updated' : 'unchanged', uuid: byPhone.uuid };
}

async function applyRow(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'newId' | 'personOwners' | 'readModels' | 'store'>,
  { companyUuid, integrationUuid }: ImportInput,
  row: ImportRow,
  uuid: string | null,
  context: CommandContext,
): Promise<string> {
  const { phone, external_id: externalId } = row;
  const details = detailsOf(row);
  if (phone === undefined) {
    return change(app, companyUuid, uuid!, details, context);
  }
  if (externalId !== undefined) {
    const upsert = { companyUuid, integrationUuid: integrationUuid!, externalId, phone, details };
    return upsertExternal(app, { ...upsert, source: 'import' }, context);
  }
  const { e164, key } = parsePhone(phone, 'phone');
  const person = { phone: e164, phoneKey: key, waUserId: null, name: null };
  const contact = await resolveContact(app, companyUuid, person, 'import', context);
  return change(app, companyUuid, contact.uuid, details, context);
}

async function change(
  app: Pick<App, 'clock' | 'executor' | 'indexSecret' | 'readModels'>,
  companyUuid: CompanyUuid,
  uuid: string,
  details: ContactDetails,
  context: CommandContext,
): Promise<string> {
  const command = { type: 'ChangeContact', source: 'import', details } as const;
  return (await commandContact(app, companyUuid, uuid, command, context)).uuid;
}

const detailsOf = ({ name, email, tags, custom_fields }: ImportRow): ContactDetails => ({
  ...(name === undefined ? {} : { name }),
  ...(email === undefined ? {} : { email }),
  ...(tags === undefined ? {} : { tags }),
  ...(custom_fields === undefined ? {} : { custom_fields }),
});

async function holder(
  app: Pick<App, 'executor'>,
  identity: string,
): Promise<{ readonly uuid: string; readonly contact: Contact } | null> {
  const { owner } = (await app.executor.load(identityAggregate, identity)).state;
  return owner === null ? null : primaryContactOf(app, owner);
}

/** Uses the decider itself, so that a preview cannot differ from the import. */
const differs = (contact: Contact, details: ContactDetails): boolean =>
  contact.erased ||
  decideContact(
    { type: 'ChangeContact', source: 'import', details },
    contact.exists ? contact : { ...initialContact, exists: true },
  ).length > 0;

const invalid = (path: string, code: string, message: string): Refusal =>
  new Refusal('validation_failed', message, { fields: [{ path, code, message }] });
