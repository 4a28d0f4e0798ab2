/**
 * The same as JSON.stringify(presentEvent(…)), made of the texts that are stored: what nobody has to see masked goes through
 * as it is. Whatever is not as it is today (an older version, another order of metadata) takes the long way.
 */
import { SYSTEM_COMPANY } from '../../application/app.js';
import type { EventDefinition } from '../../domain/kernel/event.js';
import type { SchemaRegistry } from '../../domain/kernel/schema-registry.js';
import type { TextRecord } from '../../ports/history-texts.js';
import type { EventMeta } from '../../ports/event-store.js';
import { actorOf, isSecret, MASK, personOf, presentEvent } from './masking.js';

/** As the executor writes it. */
const META =
  /^\{"correlation_id":"([^"\\]*)","causation_id":"([^"\\]*)","command_id":"[^"\\]*","actor":"([^"\\]*)","company":"([^"\\]*)","occurred_at":"([^"\\]*)","schema_version":(\d+)\}$/;
const PLAIN_NAME = /^[\w.-]+$/;
/** What the codec puts last. */
const SEALED = '"sealed":{"key":"';
const BOX = '","box":"';
const END = '"}}';

interface Plan {
  readonly version: string;
  /** `"phone":"***","name":"***"`; empty where nothing is personal. */
  readonly personal: string;
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

  /** Keys and workers are few; a bound all the same. */
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
    if (plan === null || meta === null || meta[6] !== plan.version) return theLongWay(registry, record);
    const [, correlation, causation, actor, company, at] = meta as unknown as readonly string[];
    const shown = maskedText(record.data, plan, company!);
    if (shown === null) return theLongWay(registry, record);
    const owner = company === SYSTEM_COMPANY ? 'null' : `"${company}"`;
    return (
      `{"position":"${position}","occurred_at":"${at}","id":"${eventId}","type":"${type}","schema_version":${plan.version},` +
      `"stream":"${stream}","revision":${revision},"company_uuid":${owner},"person":${shown.person},` +
      `"actor":${actorText(actor!)},"correlation_id":"${correlation}","causation_id":"${causation}","data":${shown.data}}\n`
    );
  };
}

/** Null for a type that is not in the catalogue, or that holds secrets. */
function makePlan(definition: EventDefinition | undefined): Plan | null {
  if (!definition) return null;
  const { properties } = definition.schema as unknown as { readonly properties: object };
  if (Object.keys(properties).some(isSecret)) return null;
  const personal = definition.personal.map((name) => `${JSON.stringify(name)}:"${MASK}"`).join();
  return { version: String(definition.version), personal };
}

/** Null when the box is not where it has to be. */
function maskedText(
  data: string,
  { personal }: Plan,
  company: string,
): { readonly data: string; readonly person: string } | null {
  if (personal === '') return data.includes(SEALED) ? null : { data, person: 'null' };
  const begin = data.lastIndexOf(SEALED);
  if (begin < 1 || !data.endsWith(END)) return null;
  const keyEnd = data.indexOf('"', begin + SEALED.length);
  if (!data.startsWith(BOX, keyEnd)) return null;
  // Nothing but the box until the end: it is the outermost object that ends here.
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
