/**
 * Who may call what. Every operation of the contract declares the least role (`x-recado-role`); whose company it is
 * about follows from its path, or is declared (`x-recado-company`). All of it is enforced here, before the handler.
 */
import type { App } from '../../application/app.js';
import type { Reveals } from '../../application/console/reveals.js';
import { notFound } from '../../application/provisioning/common.js';
import { isRevealable, type Revealable } from '../../domain/account/reveals.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { isAtLeast, isRole, type Role } from '../../domain/policies/roles.js';
import {
  channelStream,
  contactStream,
  conversationStream,
  executionStream,
  flowStream,
  integrationStream,
  messageStream,
  operationStream,
} from '../../domain/streams.js';
import type { CollectionName } from '../../ports/read-models.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import { deliveries } from '../../read-models/deliveries.js';
import { erasures } from '../../read-models/erasures.js';
import { webhookEndpoints } from '../../read-models/webhook-endpoints.js';
import { operationsOf, type ContractDocument, type ContractOperation } from '../contract.js';
import type { Call, Caller, Reply } from '../middleware/call.js';
import { maskPeople } from './mask-people.js';

export interface RoleCaller extends Caller {
  readonly role: Role;
  /** When the person last showed the password; absent for who has none. */
  readonly provedAt?: string;
  /** Absent: the caller has the admin token. */
  readonly session?: ConsoleSessionDoc;
}

/** How long a password counts for what asks for it. */
export const PROOF_MS = 600_000;

type AccessApp = Pick<App, 'store' | 'readModels' | 'clock'>;
type CompanyOf = (app: AccessApp, id: string) => Promise<string | undefined>;

/** The history knows whose a thing is as soon as it exists: every stream belongs to one company. */
const byStream =
  (names: StreamNames): CompanyOf =>
  async ({ store }, id) =>
    (await store.read(names.toName(id), { limit: 1 }))[0]?.meta.company;

const byDocument =
  (collection: CollectionName<{ readonly company_uuid: CompanyUuid }>): CompanyOf =>
  async ({ readModels }, id) =>
    (await readModels.get(collection, id))?.doc.company_uuid;

/** The first parameter of a path tells whose thing it is. What follows it in the path is a part of that thing. */
const OWNERS: Readonly<Record<string, { readonly name: string; readonly companyOf: CompanyOf }>> = {
  company_uuid: { name: 'company', companyOf: (_app, id) => Promise.resolve(id) },
  integration_uuid: { name: 'integration', companyOf: byStream(integrationStream) },
  endpoint_uuid: { name: 'webhook endpoint', companyOf: byDocument(webhookEndpoints.name) },
  channel_uuid: { name: 'channel', companyOf: byStream(channelStream) },
  flow_uuid: { name: 'flow', companyOf: byStream(flowStream) },
  execution_uuid: { name: 'execution', companyOf: byStream(executionStream) },
  operation_uuid: { name: 'operation', companyOf: byStream(operationStream) },
  conversation_uuid: { name: 'conversation', companyOf: byStream(conversationStream) },
  contact_uuid: { name: 'contact', companyOf: byStream(contactStream) },
  message_uuid: { name: 'message', companyOf: byStream(messageStream) },
  erasure_uuid: { name: 'erasure', companyOf: byDocument(erasures.name) },
  delivery_id: { name: 'delivery', companyOf: byDocument(deliveries.name) },
};

/** Where the company of an operation comes from. */
export type CompanySource =
  | { readonly from: 'path'; readonly parameter: string }
  /** A list: the query's `company`, which is the caller's own where it is left out. */
  | { readonly from: 'query' }
  /** It shows and changes nothing of a company. */
  | { readonly from: 'none' };

export interface Access {
  readonly role: Role;
  /** Null: only operators may call it, and they are of no company. */
  readonly company: CompanySource | null;
  /** It tells of people, whom viewers see masked. */
  readonly masks: boolean;
  /** The one thing that it reads as a whole, so that it may be shown to a viewer on demand; null: never. */
  readonly reveals: Revealable | null;
  /** A session that somebody left open must not be enough for it. */
  readonly asksPassword: boolean;
}

export interface AccessCheck {
  /** @throws Refusal insufficient_role, password_needed; not_found for what is of another company */
  admit(caller: RoleCaller, operation: ContractOperation, params: Call['params']): Promise<void>;
  /** Whose company an admitted call is about; undefined where it is about none, or about a thing that is not there. */
  companyFor(
    caller: RoleCaller,
    operation: ContractOperation,
    params: Call['params'],
  ): Promise<string | undefined>;
  /** The query with the caller's company, where the operation takes one. @throws Refusal not_found */
  narrow(caller: RoleCaller, operation: ContractOperation, query: Call['query']): Call['query'];
  /** The answer as the caller may see it. */
  show(
    caller: RoleCaller,
    operation: ContractOperation,
    params: Call['params'],
    reply: Reply,
  ): Reply | Promise<Reply>;
}

/** @throws Error for an operation that does not declare its role, or whose company is not known */
export function accessOf(document: ContractDocument): ReadonlyMap<string, Access> {
  return new Map(
    operationsOf(document).map(({ method, path, operationId }) => {
      const operation = document.paths[path]![method.toLowerCase()]!;
      const role = operation['x-recado-role'];
      if (!isRole(role)) throw new Error(`${operationId} of the admin contract lacks x-recado-role`);
      return [
        operationId,
        {
          role,
          company: role === 'operator' ? null : sourceOf(operationId, path, operation),
          masks: operation['x-recado-masks'] === true,
          reveals: revealedBy(operationId, path, operation),
          asksPassword: operation['x-recado-asks-password'] === true,
        },
      ];
    }),
  );
}

/** @throws Error for a thing that the path does not name */
function revealedBy(
  operationId: string,
  path: string,
  operation: { readonly [field: string]: unknown },
): Revealable | null {
  const thing = operation['x-recado-reveals'];
  if (thing === undefined) return null;
  if (isRevealable(thing) && path.includes(`{${thing}_uuid}`)) return thing;
  throw new Error(`${operationId} of the admin contract reveals what its path does not name`);
}

function sourceOf(
  operationId: string,
  path: string,
  operation: { readonly [field: string]: unknown },
): CompanySource {
  const declared = operation['x-recado-company'];
  if (declared === 'query' || declared === 'none') return { from: declared };
  const parameter = /\{(\w+)\}/.exec(path)?.[1];
  if (parameter !== undefined && OWNERS[parameter]) return { from: 'path', parameter };
  throw new Error(`${operationId} of the admin contract does not tell whose company it is about`);
}

export function createAccessCheck(
  app: AccessApp,
  document: ContractDocument,
  reveals: Pick<Reveals, 'isShown'>,
): AccessCheck {
  const accesses = accessOf(document);
  return {
    async admit({ role, company, provedAt }, { operationId }, params) {
      const access = accesses.get(operationId)!;
      if (!isAtLeast(role, access.role)) throw insufficientRole(role, access.role);
      if (company !== null && access.company?.from === 'path') {
        const { name, companyOf } = OWNERS[access.company.parameter]!;
        const id = params[access.company.parameter]!;
        if ((await companyOf(app, id)) !== company) throw notFound(name.replaceAll(' ', '_'), name);
      }
      if (access.asksPassword && provedAt !== undefined) requireProof(provedAt, app.clock.now());
    },

    async companyFor({ company }, { operationId }, params) {
      if (company !== null) return company;
      const source = accesses.get(operationId)!.company;
      if (source?.from !== 'path') return undefined;
      return OWNERS[source.parameter]!.companyOf(app, params[source.parameter]!);
    },

    narrow({ company }, { operationId }, query) {
      if (company === null || accesses.get(operationId)!.company?.from !== 'query') return query;
      const asked = query['company'];
      if (typeof asked === 'string' && asked.toLowerCase() !== company) throw notFound('company', 'company');
      return { ...query, company };
    },

    show({ role, session }, { operationId }, params, reply) {
      const access = accesses.get(operationId);
      if (role !== 'viewer' || access?.masks !== true) return reply;
      const masked = { ...reply, body: maskPeople(reply.body) };
      const uuid = params[`${access.reveals ?? ''}_uuid`];
      if (access.reveals === null || uuid === undefined || session === undefined) return masked;
      return reveals
        .isShown(session.session_uuid, { thing: access.reveals, uuid })
        .then((shown) => (shown ? reply : masked));
    },
  };
}

/** @throws Refusal password_needed */
function requireProof(provedAt: string, now: number): void {
  if (now - Date.parse(provedAt) < PROOF_MS) return;
  throw new Refusal(
    'password_needed',
    'This call asks for your password again. Send it to POST /session/confirmation, then repeat the call within ten minutes.',
  );
}

const insufficientRole = (role: Role, required: Role): Refusal =>
  new Refusal(
    'insufficient_role',
    required === 'operator'
      ? `Your role is ${role}. This call is for operators of the server.`
      : `Your role is ${role}. This call needs the role ${required}. An owner of the company can change roles.`,
    { required_role: required, role },
  );
