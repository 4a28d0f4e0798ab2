import type { CompanyUuid } from '../kernel/ids.js';
import type { FlowDefinition } from './blocks.js';
import type { FlowEvent } from './events.js';

export interface Flow {
  readonly exists: boolean;
  readonly deleted: boolean;
  readonly companyUuid: CompanyUuid;
  readonly name: string;
  readonly draft: { readonly definition: FlowDefinition; readonly digest: string } | null;
  /** Version that new executions run. */
  readonly published: { readonly version: number; readonly digest: string } | null;
  /** Number of versions published so far. */
  readonly versions: number;
}

export const initialFlow: Flow = {
  exists: false,
  deleted: false,
  companyUuid: '',
  name: '',
  draft: null,
  published: null,
  versions: 0,
};

export function evolveFlow(state: Flow, event: FlowEvent): Flow {
  switch (event.type) {
    case 'FlowCreated':
      return { ...initialFlow, exists: true, companyUuid: event.data.company_uuid, name: event.data.name };
    case 'FlowRenamed':
      return { ...state, name: event.data.name };
    case 'FlowDraftSaved': {
      const { definition, digest } = event.data;
      return { ...state, draft: { definition: definition as FlowDefinition, digest } };
    }
    case 'FlowPublished': {
      const { version, digest } = event.data;
      return { ...state, published: { version, digest }, versions: version };
    }
    case 'FlowUnpublished':
      return { ...state, published: null };
    case 'FlowDeleted':
      return { ...state, deleted: true, published: null };
    default:
      return state;
  }
}
