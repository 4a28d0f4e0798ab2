/**
 * Produces the same as JSON.stringify(presentEvent(…)) from the stored texts: parts that need no masking are copied.
 * Records in another form (an older version, another order of metadata) are parsed and serialised instead.
 */
import { SYSTEM_COMPANY } from '../../application/app.js';
import type { EventDefinition } from '../../domain/kernel/event.js';
import type { SchemaRegistry } from '../../domain/kernel/schema-registry.js';
import type { TextRecord } from '../../ports/history-texts.js';
import type { EventMeta } from '../../ports/event-store.js';
import { actorOf, isSecret, MASK, personOf, presentEvent } from './masking.js';

/** Metadata as the executor writes it. The first two members form one group because they are copied together. */
const META =
  /^\{("correlation_id":"[^"\\]*","causation_id":"[^"\\]*"),"command_id":"[^"\\]*","actor":"([^"\\]*)","company":"([^"\\]*)","occurred_at":"([^"\\]*)","schema_version":(\d+)\}$/;
const PLAIN_NAME = /^[\w.-]+$/;
/** The member that the codec writes last. */
const SEALED = '"sealed":{"key":"';
const BOX = '","box":"';
const END = '"}}';

interface Plan {
  readonly version: string;
  /** The text between the id and the stream. */
  readonly named: string;
  /** `"phone":"***","name":"***"`; empty when no field is personal. */
  readonly personal: string;
  /** Matches members that are secrets, with their values where these are plain texts; null when the type has none. */
  readonly secrets: RegExp | null;
}

interface Shown {
  readonly data: string;
  /** JSON. */
  readonly person: string;
}

export function createMaskedLines({
  registry,
}: {
  readonly registry: SchemaRegistry;
}): (record: TextRecord) => string {
  const plans = new Map<string, Plan | null>();
  const actors = new Map<string, string>();

  function planOf(type: string): Plan | null {
    let plan = plans.get(type);
    if (plan === undefined) plans.set(type, (plan = makePlan(registry.definition(type))));
    return plan;
  }

  /** Keys and workers are few; the cache is bounded nevertheless. */
  function actorText(actor: string): string {
    let text = actors.get(actor);
    if (text === undefined) {
      if (actors.size >= 1_000) actors.clear();
      actors.set(actor, (text = JSON.stringify(actorOf(actor))));
    }
    return text;
  }

  return (record) => {
    const { position, stream, revision, eventId, type } = record;
    const plan = planOf(type);
    const meta = plan && PLAIN_NAME.test(stream) ? META.exec(record.meta) : null;
    if (plan === null || meta === null || meta[5] !== plan.version) return theLongWay(registry, record);
    const company = meta[3]!;
    const shown = masked(record.data, plan, company);
    if (shown === null) return theLongWay(registry, record);
    const owner = company === SYSTEM_COMPANY ? 'null' : `"${company}"`;
    return (
      `{"position":"${position}","occurred_at":"${meta[4]!}","id":"${eventId}${plan.named}${stream}","revision":${revision},` +
      `"company_uuid":${owner},"person":${shown.person},"actor":${actorText(meta[2]!)},${meta[1]!},"data":${shown.data}}\n`
    );
  };
}

/** Null for a type that is not in the catalogue, or that has both secrets and personal fields. */
function makePlan(definition: EventDefinition | undefined): Plan | null {
  if (!definition) return null;
  const secrets = Object.keys(definition.schema.properties).filter(isSecret);
  if (secrets.length > 0 && definition.personal.length > 0) return null;
  return {
    version: String(definition.version),
    named: `","type":"${definition.type}","schema_version":${definition.version},"stream":"`,
    personal: definition.personal.map((name) => `${JSON.stringify(name)}:"${MASK}"`).join(),
    secrets: secrets.length === 0 ? null : new RegExp(`"(?:${secrets.join('|')})":(null|"[^"\\\\]*")?`, 'g'),
  };
}

/** Null when the text alone is not enough to decide. */
function masked(data: string, plan: Plan, company: string): Shown | null {
  if (plan.secrets !== null) return withoutSecrets(data, plan.secrets);
  return plan.personal === '' ? unsealed(data) : withoutPersonal(data, plan.personal, company);
}

const unsealed = (data: string): Shown | null => (data.includes(SEALED) ? null : { data, person: 'null' });

/** Null when a member may belong to a nested object, or is no plain text. */
function withoutSecrets(data: string, secrets: RegExp): Shown | null {
  if (data.includes('{', 1)) return null;
  let plain = true;
  const text = data.replace(secrets, (member: string, value: string | undefined) => {
    if (value === undefined) plain = false;
    return value === undefined || value === 'null' ? member : `${member.slice(0, -value.length)}"${MASK}"`;
  });
  return plain ? { data: text, person: 'null' } : null;
}

/** Null when the box is not at its expected place. */
function withoutPersonal(data: string, personal: string, company: string): Shown | null {
  const begin = data.lastIndexOf(SEALED);
  if (begin < 1 || !data.endsWith(END)) return null;
  const keyEnd = data.indexOf('"', begin + SEALED.length);
  if (!data.startsWith(BOX, keyEnd)) return null;
  // Only the box remains until the end, so the closing bracket is that of the outermost object.
  if (data.indexOf('"', keyEnd + BOX.length) !== data.length - END.length) return null;
  const person = personOf(data.slice(begin + SEALED.length, keyEnd), company);
  return {
    data: `${data.slice(0, begin)}${personal}}`,
    person: person === null ? 'null' : JSON.stringify(person),
  };
}

function theLongWay(registry: SchemaRegistry, { meta, data, ...plain }: TextRecord): string {
  const record = {
    ...plain,
    meta: JSON.parse(meta) as EventMeta,
    data: JSON.parse(data) as Record<string, unknown>,
  };
  return `${JSON.stringify(presentEvent(registry, record))}\n`;
}
