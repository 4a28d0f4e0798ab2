import type { Words } from './words.js';

/** Refusals that people meet in the page, whatever section they are in. Others are shown as the API explains them. */
export const refusals = {
  'refusal.service_window_closed': [
    'The customer wrote more than 24 hours ago, so WhatsApp lets only a template through. Send one.',
    'O cliente escreveu há mais de 24 horas, e o WhatsApp só deixa passar um modelo. Envie um modelo.',
  ],
  'refusal.recipient_opted_out': [
    'This person wants no marketing. Other messages still reach them.',
    'Esta pessoa não quer receber marketing. Outras mensagens continuam chegando.',
  ],
  'refusal.recipient_unreachable': [
    'WhatsApp does not reach this number: it has no WhatsApp, or has not accepted its terms. Try another way.',
    'O WhatsApp não alcança este número: ele não tem WhatsApp ou não aceitou os termos. Tente outro meio.',
  ],
  'refusal.recipient_erased': [
    'This person’s data was erased, so nothing can be sent.',
    'Os dados desta pessoa foram apagados; nada pode ser enviado.',
  ],
  'refusal.recipient_marketing_limit_reached': [
    'WhatsApp limits the marketing that one person gets from all companies. Send it another day.',
    'O WhatsApp limita o marketing que uma pessoa recebe de todas as empresas. Envie outro dia.',
  ],
  'refusal.company_daily_marketing_cap_exceeded': [
    'Your company sent as much marketing as it allows itself in 24 hours. Wait, or change the limit in Settings.',
    'A empresa já enviou o máximo de marketing que permite em 24 horas. Espere ou mude o limite em Configurações.',
  ],
  'refusal.template_frequency_cap_exceeded': [
    'This person got as much marketing as your company allows for now. Wait, or change the limit in Settings.',
    'Esta pessoa já recebeu o máximo de marketing que a empresa permite. Espere ou mude o limite em Configurações.',
  ],
  'refusal.duplicate_template_send': [
    'The same template went to this person within the last 24 hours, so it was not sent twice.',
    'O mesmo modelo já foi para esta pessoa nas últimas 24 horas; não foi enviado de novo.',
  ],
  'refusal.marketing_sends_disabled': [
    'Marketing is switched off. An owner switches it on in Settings.',
    'O marketing está desligado. Um responsável liga em Configurações.',
  ],
  'refusal.template_sends_disabled': [
    'WhatsApp disabled this template. Choose another one.',
    'O WhatsApp desativou este modelo. Escolha outro.',
  ],
  'refusal.channel_marketing_paused': [
    'WhatsApp lowered the quality of this number, so it sends no marketing for a while. Other messages go on.',
    'O WhatsApp baixou a qualidade deste número, que por um tempo não envia marketing. O resto continua.',
  ],
  'refusal.channel_not_connected': [
    'The number is not connected to WhatsApp. See Channels.',
    'O número não está conectado ao WhatsApp. Veja Canais.',
  ],
  'refusal.channel_already_connected': [
    'This number is connected to another company. Disconnect it there first.',
    'Este número está conectado a outra empresa. Desconecte lá primeiro.',
  ],
  'refusal.template_not_approved': [
    'WhatsApp has not approved this template, or has paused it. Choose another one.',
    'O WhatsApp não aprovou este modelo ou o pausou. Escolha outro.',
  ],
  'refusal.template_not_found': [
    'This number has no such template. Import the templates again.',
    'Este número não tem esse modelo. Importe os modelos de novo.',
  ],
  'refusal.template_parameters_invalid': [
    'The values do not fit the template. Fill in each of them.',
    'Os valores não servem para o modelo. Preencha todos.',
  ],
  'refusal.template_quality_blocked': [
    'WhatsApp stopped this template because of its quality. Choose another one.',
    'O WhatsApp parou este modelo por causa da qualidade. Escolha outro.',
  ],
  'refusal.text_too_long': [
    'The text is too long for WhatsApp. Shorten it, or send two messages.',
    'O texto é longo demais para o WhatsApp. Encurte ou envie em duas mensagens.',
  ],
  'refusal.conversation_closed': [
    'This conversation ended, and a newer one is open. Write there.',
    'Esta conversa terminou e há uma mais nova. Escreva lá.',
  ],
  'refusal.provider_unavailable': [
    'WhatsApp does not answer at the moment. Send it again later.',
    'O WhatsApp não responde no momento. Envie de novo mais tarde.',
  ],
  'refusal.send_outcome_unknown': [
    'Nobody knows whether WhatsApp took this message. Ask the customer before you send it again.',
    'Não se sabe se o WhatsApp aceitou esta mensagem. Pergunte ao cliente antes de enviar de novo.',
  ],
  'refusal.send_pacing_timeout': [
    'The message waited too long in the queue and was given up. Send it again.',
    'A mensagem esperou demais na fila e foi abandonada. Envie de novo.',
  ],
  'refusal.contact_merged': [
    'This contact was merged into another one. Open that one.',
    'Este contato foi unido a outro. Abra o outro.',
  ],
  'refusal.flow_invalid': [
    'The flow has problems. They are listed by block.',
    'O fluxo tem problemas. Veja a lista por bloco.',
  ],
  'refusal.flow_not_active': ['This flow is not published.', 'Este fluxo não está publicado.'],
  'refusal.flow_running': [
    'Another flow runs in this conversation. Wait until it ends, or take over.',
    'Outro fluxo está rodando nesta conversa. Espere terminar ou assuma.',
  ],
  'refusal.execution_ended': ['This run of the flow is over.', 'Esta execução do fluxo já terminou.'],
  'refusal.category_slug_taken': [
    'Another category has this address. Choose another name.',
    'Outra categoria tem este endereço. Escolha outro nome.',
  ],
  'refusal.category_too_deep': [
    'Categories can not be nested that deep. Choose one further up.',
    'As categorias não podem ir tão fundo. Escolha uma acima.',
  ],
  'refusal.category_cycle': [
    'A category can not be inside itself.',
    'Uma categoria não pode ficar dentro dela mesma.',
  ],
  'refusal.category_limit_reached': [
    'The shop has as many categories as it may. Remove one first.',
    'A loja já tem o máximo de categorias. Remova uma antes.',
  ],
  'refusal.product_limit_reached': [
    'The shop has as many products as its plan allows.',
    'A loja já tem o máximo de produtos do plano.',
  ],
  'refusal.product_deleted': ['This product was removed.', 'Este produto foi excluído.'],
  'refusal.precondition_failed': [
    'Somebody else changed this meanwhile. Look at it again, then repeat your change.',
    'Outra pessoa alterou isto enquanto isso. Veja de novo e repita a sua alteração.',
  ],
  'refusal.concurrent_update': [
    'Somebody else changed this at the same moment. Try again.',
    'Outra pessoa alterou isto no mesmo momento. Tente de novo.',
  ],
  'refusal.delivery_unavailable': [
    'The shop does not deliver to this place. Choose pick-up, or add the place in Shop.',
    'A loja não entrega neste lugar. Escolha retirada ou inclua o lugar em Loja.',
  ],
  'refusal.pickup_unavailable': [
    'The shop has no pick-up. Choose delivery.',
    'A loja não tem retirada. Escolha entrega.',
  ],
  'refusal.payment_method_unavailable': [
    'The shop does not take this payment. See Shop.',
    'A loja não aceita esta forma de pagamento. Veja Loja.',
  ],
  'refusal.unit_limit_exceeded': [
    'One order may not have that many of a product.',
    'Um pedido não pode ter tantas unidades de um produto.',
  ],
  'refusal.unpaid_order_limit_reached': [
    'This customer has as many unpaid orders as the shop allows.',
    'Este cliente já tem o máximo de pedidos não pagos que a loja permite.',
  ],
  'refusal.webhook_disabled': [
    'This address is paused. Resume it first.',
    'Este endereço está pausado. Retome antes.',
  ],
  'refusal.webhook_job_limit_reached': [
    'Three recoveries of this address run already. Wait for one, or cancel one.',
    'Três recuperações deste endereço já estão em andamento. Espere ou cancele uma.',
  ],
  'refusal.secret_rotation_limit_reached': [
    'Three earlier secrets still sign. Wait until one has ended, or drop all of them with no overlap.',
    'Três segredos anteriores ainda assinam. Espere um terminar, ou descarte todos sem sobreposição.',
  ],
  'refusal.webhook_limit_reached': [
    'The integration has as many addresses as it may. Delete one first.',
    'A integração já tem o máximo de endereços. Exclua um antes.',
  ],
  'refusal.delivery_erased': [
    'The person of this delivery was erased, so it can not be sent again.',
    'A pessoa desta entrega foi apagada; ela não pode ser enviada de novo.',
  ],
  'refusal.insufficient_role': [
    'Your role does not allow this. Ask an owner of your company.',
    'O seu papel não permite isto. Peça a um responsável da empresa.',
  ],
  'refusal.not_found': [
    'This is not there: it was removed, or the address is wrong.',
    'Isto não existe: foi removido ou o endereço está errado.',
  ],
  'refusal.team_full': [
    'The team has as many people and groups as it may.',
    'A equipe já tem o máximo de pessoas e grupos.',
  ],
  'refusal.rate_limited': [
    'Too many calls at once. Wait a moment, then try again.',
    'Muitas chamadas de uma vez. Espere um pouco e tente de novo.',
  ],
  'refusal.internal_error': [
    'A fault of the server. Try again; if it stays, give the number below to support.',
    'Falha do servidor. Tente de novo; se continuar, passe o número abaixo ao suporte.',
  ],
  'refusal.unavailable': [
    'The server is starting or stopping. Try again in a moment.',
    'O servidor está iniciando ou parando. Tente de novo em instantes.',
  ],
} as const satisfies Words;
