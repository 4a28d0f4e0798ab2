import type { Schemas } from '../api.js';
import type { Names } from '../team.js';
import { language } from '../words.js';
import { EVENTS_PT } from '../words/events.js';

export type StoredEvent = Schemas['StoredEvent'];

/** As filters take it, such as `worker:sending`. */
export const actorText = ({ actor }: StoredEvent): string => {
  const { kind, id } = (actor ?? {}) as { readonly kind?: string; readonly id?: string };
  return [kind, id].filter((part) => part !== undefined).join(':');
};

/** For people: by name where the company's team has it. */
export function actorName(event: StoredEvent, names: Names): string {
  const text = actorText(event);
  const [kind, uuid = ''] = text.split(':');
  return kind === 'user' ? (names.get(uuid) ?? text) : text;
}

/** When events of the type are recorded, in the language of the page. */
export const whenRecorded = ({ type, description }: Schemas['EventType']): string =>
  language === 'pt' ? (EVENTS_PT[type] ?? description) : description;
