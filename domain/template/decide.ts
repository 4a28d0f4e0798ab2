import type { Aggregate } from '../kernel/decider.js';
import { canonicalJson } from '../policies/canonical-json.js';
import { templateEvents, type TemplateEvent } from './events.js';
import { evolveTemplate, initialTemplate, type Template, type TemplateDefinition } from './state.js';
import { templateStream } from './stream.js';

export type TemplateCommand =
  | {
      readonly type: 'ImportTemplate';
      readonly companyUuid: string;
      readonly channelUuid: string;
      readonly wabaId: string;
      readonly name: string;
      readonly language: string;
      readonly definition: TemplateDefinition;
    }
  | { readonly type: 'RemoveTemplate' };

export function decideTemplate(command: TemplateCommand, state: Template): readonly TemplateEvent[] {
  switch (command.type) {
    case 'ImportTemplate': {
      const data = {
        provider_template_id: command.definition.providerTemplateId,
        status: command.definition.status,
        category: command.definition.category,
        parameter_format: command.definition.parameterFormat,
        components: command.definition.components.map((c) => ({ ...c })),
      };
      // Read models have dropped a removed one, so one that comes back is told in full.
      if (!state.exists || state.removed) {
        const { companyUuid, channelUuid, wabaId, name, language } = command;
        return [
          {
            type: 'TemplateImported',
            data: {
              company_uuid: companyUuid,
              channel_uuid: channelUuid,
              waba_id: wabaId,
              name,
              language,
              ...data,
            },
          },
        ];
      }
      // The provider promises no order of keys: a new order is no change.
      const same = canonicalJson(state.definition) === canonicalJson(command.definition);
      return same ? [] : [{ type: 'TemplateChanged', data }];
    }
    case 'RemoveTemplate':
      return state.exists && !state.removed ? [{ type: 'TemplateRemoved', data: {} }] : [];
    default:
      return command satisfies never;
  }
}

export const templateAggregate: Aggregate<Template, TemplateCommand, TemplateEvent> = {
  stream: templateStream,
  events: templateEvents,
  initial: initialTemplate,
  decide: decideTemplate,
  evolve: evolveTemplate,
};
