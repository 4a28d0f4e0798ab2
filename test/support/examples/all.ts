/** Examples of every aggregate, in the order of the catalogue, with their specific types erased. */
import { accountAggregate } from '../../../domain/account/decide.js';
import { accountCommandExamples, accountEventExamples } from './account.js';
import { channelAggregate } from '../../../domain/channel/decide.js';
import { channelCommandExamples, channelEventExamples } from './channel.js';
import { companyAggregate } from '../../../domain/company/decide.js';
import { companyCommandExamples, companyEventExamples } from './company.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { contactCommandExamples, contactEventExamples } from './contact.js';
import { conversationAggregate } from '../../../domain/conversation/decide.js';
import { conversationCommandExamples, conversationEventExamples } from './conversation.js';
import { erasureAggregate } from '../../../domain/erasure/decide.js';
import { erasureCommandExamples, erasureEventExamples } from './erasure.js';
import { executionAggregate } from '../../../domain/execution/decide.js';
import { executionCommandExamples, executionEventExamples } from './execution.js';
import { flowAggregate } from '../../../domain/flow/decide.js';
import { flowCommandExamples, flowEventExamples } from './flow.js';
import { identityAggregate } from '../../../domain/identity/decide.js';
import { identityCommandExamples, identityEventExamples } from './identity.js';
import { intakeAggregate } from '../../../domain/intake/decide.js';
import { intakeCommandExamples, intakeEventExamples } from './intake.js';
import { integrationAggregate } from '../../../domain/integration/decide.js';
import { integrationCommandExamples, integrationEventExamples } from './integration.js';
import type { Aggregate } from '../../../domain/kernel/decider.js';
import type { DomainEvent } from '../../../domain/kernel/event.js';
import type { CommandExamples, EventExamples } from './example.js';
import { quotaAggregate } from '../../../domain/quota/decide.js';
import { ledgerCommandExamples, ledgerEventExamples } from './quota.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { messageCommandExamples, messageEventExamples } from './message.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationCommandExamples, operationEventExamples } from './operation.js';
import { orderAggregate } from '../../../domain/order/decide.js';
import { orderCommandExamples, orderEventExamples } from './order.js';
import { productAggregate } from '../../../domain/product/decide.js';
import { productCommandExamples, productEventExamples } from './product.js';
import { refusedSendsAggregate } from '../../../domain/refused-sends/decide.js';
import { refusedSendsCommandExamples, refusedSendsEventExamples } from './refused-sends.js';
import { restoreAggregate } from '../../../domain/restore/decide.js';
import { restoreCommandExamples, restoreEventExamples } from './restore.js';
import { channelControlsAggregate } from '../../../domain/channel-controls/decide.js';
import { sendingCommandExamples, sendingEventExamples } from './channel-controls.js';
import { productQuotaAggregate } from '../../../domain/product-quota/decide.js';
import { shelfCommandExamples, shelfEventExamples } from './product-quota.js';
import { savedRepliesAggregate } from '../../../domain/saved-replies/decide.js';
import { savedRepliesCommandExamples, savedRepliesEventExamples } from './saved-replies.js';
import { storeAggregate } from '../../../domain/store/decide.js';
import { storeCommandExamples, storeEventExamples } from './store.js';
import { teamAggregate } from '../../../domain/team/decide.js';
import { teamCommandExamples, teamEventExamples } from './team.js';
import { templateAggregate } from '../../../domain/template/decide.js';
import { templateCommandExamples, templateEventExamples } from './template.js';
import { upkeepAggregate } from '../../../domain/upkeep/decide.js';
import { upkeepCommandExamples, upkeepEventExamples } from './upkeep.js';

interface AnyCommand {
  readonly type: string;
}

export interface AggregateExamples {
  readonly aggregate: Aggregate<unknown, AnyCommand, DomainEvent>;
  readonly events: EventExamples<DomainEvent>;
  readonly commands: CommandExamples<DomainEvent, AnyCommand>;
}

function examplesOf<State, Command extends AnyCommand, Event extends DomainEvent>(
  aggregate: Aggregate<State, Command, Event>,
  events: EventExamples<Event>,
  commands: CommandExamples<Event, Command>,
): AggregateExamples {
  return { aggregate: aggregate as unknown as AggregateExamples['aggregate'], events, commands };
}

export const examples: readonly AggregateExamples[] = [
  examplesOf(companyAggregate, companyEventExamples, companyCommandExamples),
  examplesOf(integrationAggregate, integrationEventExamples, integrationCommandExamples),
  examplesOf(channelAggregate, channelEventExamples, channelCommandExamples),
  examplesOf(templateAggregate, templateEventExamples, templateCommandExamples),
  examplesOf(flowAggregate, flowEventExamples, flowCommandExamples),
  examplesOf(executionAggregate, executionEventExamples, executionCommandExamples),
  examplesOf(identityAggregate, identityEventExamples, identityCommandExamples),
  examplesOf(contactAggregate, contactEventExamples, contactCommandExamples),
  examplesOf(conversationAggregate, conversationEventExamples, conversationCommandExamples),
  examplesOf(messageAggregate, messageEventExamples, messageCommandExamples),
  examplesOf(operationAggregate, operationEventExamples, operationCommandExamples),
  examplesOf(quotaAggregate, ledgerEventExamples, ledgerCommandExamples),
  examplesOf(channelControlsAggregate, sendingEventExamples, sendingCommandExamples),
  examplesOf(intakeAggregate, intakeEventExamples, intakeCommandExamples),
  examplesOf(teamAggregate, teamEventExamples, teamCommandExamples),
  examplesOf(storeAggregate, storeEventExamples, storeCommandExamples),
  examplesOf(productQuotaAggregate, shelfEventExamples, shelfCommandExamples),
  examplesOf(productAggregate, productEventExamples, productCommandExamples),
  examplesOf(orderAggregate, orderEventExamples, orderCommandExamples),
  examplesOf(erasureAggregate, erasureEventExamples, erasureCommandExamples),
  examplesOf(restoreAggregate, restoreEventExamples, restoreCommandExamples),
  examplesOf(refusedSendsAggregate, refusedSendsEventExamples, refusedSendsCommandExamples),
  examplesOf(accountAggregate, accountEventExamples, accountCommandExamples),
  examplesOf(savedRepliesAggregate, savedRepliesEventExamples, savedRepliesCommandExamples),
  examplesOf(upkeepAggregate, upkeepEventExamples, upkeepCommandExamples),
];
