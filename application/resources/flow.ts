/** Flow as the contract shows it (spec §2). */
import type { FlowDoc } from '../../read-models/flows.js';

/** The fields of a `flows` document used here. */
export type FlowSource = Omit<FlowDoc, 'version' | 'published_digest' | 'draft_digest'>;

export function presentFlow({ uuid, name, status, created_at, updated_at }: FlowSource) {
  return { uuid, name, status, supported_providers: ['whatsapp'], created_at, updated_at };
}

export type FlowResource = ReturnType<typeof presentFlow>;
