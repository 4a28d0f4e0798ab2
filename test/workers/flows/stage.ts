/** A company with a channel, flows that are published in it, and a customer. */
import { acceptExecution } from '../../../application/flows/accept.js';
import { publishFlow } from '../../../application/flows/publish.js';
import { directCommand } from '../../../application/app.js';
import { flowAggregate, type FlowCommand } from '../../../domain/flow/decide.js';
import type { FlowDefinition } from '../../../domain/flow/blocks.js';
import { readDefinition } from '../../../domain/flow/problems.js';
import { deriveId } from '../../../domain/kernel/ids.js';
import { operationId } from '../../../domain/operation/decide.js';
import { makeWorld, addCustomer, addInboundMessage } from '../../support/api/world.js';
import type { FlowWorld } from './world.js';

export const PHONE = '+5511987650001';

export type Said = { readonly text: string } | { readonly tap: string; readonly title: string };

export interface Stage {
  readonly company: string;
  readonly channel: string;
  /** @param make receives the uuids of all flows, so that they can name each other */
  publish(
    count: number,
    make: (place: number, uuids: readonly string[]) => FlowDefinition,
  ): Promise<readonly string[]>;
  /** Requests an execution as the API does, under an idempotency key; returns the execution's uuid. */
  execute(flowUuid: string, key: string, variables?: Readonly<Record<string, string>>): Promise<string>;
  /** The customer writes; returns the message's uuid. */
  readonly say: (content: Said) => Promise<string>;
}

export async function setStage(world: FlowWorld): Promise<Stage> {
  const { app } = world;
  const { company, channel, integration, keyId } = await makeWorld(app);
  let spoken = 0;
  const stage: Stage = {
    company,
    channel,
    async publish(count, make) {
      const uuids = Array.from({ length: count }, (_, place) => deriveId('flow', 'case', place, company));
      for (const [place, uuid] of uuids.entries()) {
        const definition = make(place, uuids);
        const wrong = readDefinition(definition).problems.filter(({ severity }) => severity === 'error');
        if (wrong.length > 0) throw new Error(`no such flow can be published: ${JSON.stringify(wrong)}`);
        const run = (command: FlowCommand) =>
          app.executor.execute(flowAggregate, uuid, command, directCommand(app, { company, actor: 'test' }));
        await run({ type: 'CreateFlow', companyUuid: company, name: `Flow ${place}` });
        await run({ type: 'SaveFlowDraft', definition, digest: `digest ${place}` });
        await publishFlow(app, uuid, { actor: 'test' });
      }
      await world.show();
      return uuids;
    },
    async execute(flowUuid, key, variables = {}) {
      await acceptExecution(app, flowUuid, {
        companyUuid: company,
        integrationUuid: integration,
        keyId,
        keyOwner: integration,
        actor: `key:${keyId}`,
        idempotencyKey: key,
        requestId: `request ${key}`,
        method: 'POST',
        route: '/flows/{flow_uuid}/executions',
        body: { recipient: { phone: PHONE }, channel_uuid: channel, variables },
      });
      return operationId(integration, key);
    },
    async say(content) {
      const customer = await addCustomer(app, stage, { phone: PHONE });
      return addInboundMessage(app, stage, customer, {
        provider_message_id: `wamid.in.${(spoken += 1)}`,
        ...('tap' in content
          ? { type: 'interactive', content: { kind: 'button', id: content.tap, title: content.title } }
          : { content: { text: content.text } }),
      });
    },
  };
  return stage;
}
