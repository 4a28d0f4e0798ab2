/**
 * The flow of the demo workspace: it greets, asks, branches, stores how a customer found the shop, sends a template,
 * and hands off to people.
 */
import type { App } from '../../application/app.js';
import { createFlow } from '../../application/flows/manage.js';
import { publishFlow } from '../../application/flows/publish.js';
import type { Caller } from '../../application/provisioning/common.js';
import type { FlowDefinition } from '../../domain/flow/blocks.js';

export const DEMO_FLOW: FlowDefinition = {
  schema: 1,
  start: 'welcome',
  triggers: [{ on: 'keyword', words: ['menu', 'começar'] }],
  blocks: {
    welcome: {
      type: 'send_text',
      text: 'Olá, {{contact.name|cliente}}! Aqui é a Loja Demo.',
      next: 'came_from',
    },
    came_from: {
      type: 'condition',
      branches: [
        { when: { value: '{{vars.utm_source}}', is: 'set' }, next: 'keep_source' },
        { when: { value: '{{contact.field.origem}}', is: 'set' }, next: 'question' },
      ],
      otherwise: 'keep_direct',
    },
    keep_source: {
      type: 'set_field',
      field: 'origem',
      value: '{{vars.utm_source}}/{{vars.utm_campaign|sem campanha}}',
      next: 'question',
    },
    keep_direct: { type: 'set_field', field: 'origem', value: 'whatsapp', next: 'question' },
    question: {
      type: 'ask',
      text: 'Como posso ajudar?',
      save_as: 'wish',
      choices: [
        { id: 'order', title: 'Meu pedido', next: 'order_number' },
        { id: 'people', title: 'Falar com alguém', next: 'people' },
        { id: 'nothing', title: 'Só olhando', next: 'bye' },
      ],
      retries: 1,
      retry_text: 'Não entendi. Toque em uma das opções, ou responda 1, 2 ou 3.',
      timeout: '1h',
      next: null,
      on_invalid: 'people',
      on_timeout: 'bye',
    },
    order_number: {
      type: 'ask',
      text: 'Qual é o número do pedido?',
      save_as: 'order',
      expect: 'number',
      retry_text: 'Só os números, por favor.',
      timeout: '1h',
      next: 'confirm',
      on_invalid: 'people',
      on_timeout: 'bye',
    },
    confirm: {
      type: 'send_template',
      name: 'order_confirmation',
      language: 'pt_BR',
      parameters: ['{{contact.name|cliente}}', '{{answer.order}}'],
      next: 'tag',
      on_error: 'people',
    },
    tag: { type: 'add_tag', tag: 'perguntou-pedido', next: 'bye' },
    people: {
      type: 'handoff',
      note: 'Veio de {{contact.field.origem|lugar nenhum}}; quer: {{answer.wish|—}}.',
    },
    bye: { type: 'send_text', text: 'Até logo!', next: null },
  },
};

/** Published, so that `recado sandbox chat` and POST /flows/{flow_uuid}/executions can use it. */
export async function makeDemoFlow(
  app: App,
  { companyUuid }: { readonly companyUuid: string },
  caller: Caller,
): Promise<void> {
  const { flowUuid } = await createFlow(
    app,
    { companyUuid, name: 'Boas-vindas', definition: DEMO_FLOW },
    caller,
  );
  await publishFlow(app, flowUuid, caller);
}
