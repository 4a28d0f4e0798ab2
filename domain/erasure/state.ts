import type { CompanyUuid, ContactUuid } from '../kernel/ids.js';
import type { ErasureEvent } from './events.js';

export interface Erasure {
  readonly exists: boolean;
  readonly companyUuid: CompanyUuid;
  readonly contactUuid: ContactUuid;
  readonly contactUuids: readonly string[];
  readonly subjects: readonly string[];
  readonly identities: readonly string[];
  /** Position up to which sealed data may exist; null until all keys are destroyed. */
  readonly through: string | null;
  readonly waitingFor: readonly string[];
  readonly ended: boolean;
}

export const initialErasure: Erasure = {
  exists: false,
  companyUuid: '',
  contactUuid: '',
  contactUuids: [],
  subjects: [],
  identities: [],
  through: null,
  waitingFor: [],
  ended: false,
};

/** The subjects whose keys are to be destroyed are on record. */
export const isScoped = ({ subjects }: Erasure): boolean => subjects.length > 0;

export function evolveErasure(state: Erasure, event: ErasureEvent): Erasure {
  switch (event.type) {
    case 'ErasureRequested':
      return {
        ...initialErasure,
        exists: true,
        companyUuid: event.data.company_uuid,
        contactUuid: event.data.contact_uuid,
        contactUuids: [event.data.contact_uuid],
      };
    case 'ErasureScoped': {
      const subjects = union(state.subjects, event.data.subjects);
      return {
        ...state,
        contactUuids: union(state.contactUuids, event.data.contact_uuids),
        subjects,
        identities: union(state.identities, event.data.identities),
        // A newly found subject has keys that must still be destroyed.
        through: subjects.length === state.subjects.length ? state.through : null,
      };
    }
    case 'ErasureKeysDestroyed':
      return { ...state, through: event.data.through, waitingFor: [] };
    case 'ErasureHeldUp':
      return { ...state, waitingFor: texts(event.data.waiting_for) };
    case 'ErasureEnded':
      return { ...state, waitingFor: [], ended: true };
    default:
      return state;
  }
}

/** Stored events may hold anything. */
const texts = (values: unknown): readonly string[] =>
  Array.isArray(values) ? values.filter((value): value is string => typeof value === 'string') : [];

const union = (known: readonly string[], more: unknown): readonly string[] => [
  ...new Set([...known, ...texts(more)]),
];
