/** Flow as the contract shows it (spec §2). */

/** What is read of a `flows` document. */
export interface FlowSource {
  readonly uuid: string;
  readonly company_uuid: string;
  readonly name: string;
  readonly status: 'draft' | 'active';
  readonly created_at: string;
  readonly updated_at: string;
}

export function presentFlow({ uuid, name, status, created_at, updated_at }: FlowSource) {
  return { uuid, name, status, supported_providers: ['whatsapp'], created_at, updated_at };
}

export type FlowResource = ReturnType<typeof presentFlow>;
