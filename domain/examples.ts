/** Examples of every aggregate, in the order of the catalogue, without their own types. */
import { channelAggregate } from './channel/decide.js';
import { channelCommandExamples, channelEventExamples } from './channel/examples.js';
import { companyAggregate } from './company/decide.js';
import { companyCommandExamples, companyEventExamples } from './company/examples.js';
import { contactAggregate } from './contact/decide.js';
import { contactCommandExamples, contactEventExamples } from './contact/examples.js';
import { conversationAggregate } from './conversation/decide.js';
import { conversationCommandExamples, conversationEventExamples } from './conversation/examples.js';
import { erasureAggregate } from './erasure/decide.js';
import { erasureCommandExamples, erasureEventExamples } from './erasure/examples.js';
import { executionAggregate } from './execution/decide.js';
import { executionCommandExamples, executionEventExamples } from './execution/examples.js';
import { flowAggregate } from './flow/decide.js';
import { flowCommandExamples, flowEventExamples } from './flow/examples.js';
import { identityAggregate } from './identity/decide.js';
import { identityCommandExamples, identityEventExamples } from './identity/examples.js';
import { intakeAggregate } from './intake/decide.js';
import { intakeCommandExamples, intakeEventExamples } from './intake/examples.js';
import { integrationAggregate } from './integration/decide.js';
import { integrationCommandExamples, integrationEventExamples } from './integration/examples.js';
import type { Aggregate } from './kernel/decider.js';
import type { DomainEvent } from './kernel/event.js';
import type { CommandExamples, EventExamples } from './kernel/examples.js';
import { ledgerAggregate } from './ledger/decide.js';
import { ledgerCommandExamples, ledgerEventExamples } from './ledger/examples.js';
import { messageAggregate } from './message/decide.js';
import { messageCommandExamples, messageEventExamples } from './message/examples.js';
import { operationAggregate } from './operation/decide.js';
import { operationCommandExamples, operationEventExamples } from './operation/examples.js';
import { orderAggregate } from './order/decide.js';
import { orderCommandExamples, orderEventExamples } from './order/examples.js';
import { productAggregate } from './product/decide.js';
import { productCommandExamples, productEventExamples } from './product/examples.js';
import { restoreAggregate } from './restore/decide.js';
import { restoreCommandExamples, restoreEventExamples } from './restore/examples.js';
import { sendingAggregate } from './sending/decide.js';
import { sendingCommandExamples, sendingEventExamples } from './sending/examples.js';
import { shelfAggregate } from './shelf/decide.js';
import { shelfCommandExamples, shelfEventExamples } from './shelf/examples.js';
import { storeAggregate } from './store/decide.js';
import { storeCommandExamples, storeEventExamples } from './store/examples.js';
import { teamAggregate } from './team/decide.js';
import { teamCommandExamples, teamEventExamples } from './team/examples.js';
import { templateAggregate } from './template/decide.js';
import { templateCommandExamples, templateEventExamples } from './template/examples.js';

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
  examplesOf(ledgerAggregate, ledgerEventExamples, ledgerCommandExamples),
  examplesOf(sendingAggregate, sendingEventExamples, sendingCommandExamples),
  examplesOf(intakeAggregate, intakeEventExamples, intakeCommandExamples),
  examplesOf(teamAggregate, teamEventExamples, teamCommandExamples),
  examplesOf(storeAggregate, storeEventExamples, storeCommandExamples),
  examplesOf(shelfAggregate, shelfEventExamples, shelfCommandExamples),
  examplesOf(productAggregate, productEventExamples, productCommandExamples),
  examplesOf(orderAggregate, orderEventExamples, orderCommandExamples),
  examplesOf(erasureAggregate, erasureEventExamples, erasureCommandExamples),
  examplesOf(restoreAggregate, restoreEventExamples, restoreCommandExamples),
];
