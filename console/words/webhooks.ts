import type { Words } from './words.js';

export const webhooks = {
  'webhooks.endpoints': ['Endpoints', 'Endereços'],
  'webhooks.none': [
    'No endpoint. Integrations create them: POST /api/v1/webhooks',
    'Nenhum endereço. As integrações os criam: POST /api/v1/webhooks',
  ],
  'webhooks.address': ['Address', 'Endereço'],
  'webhooks.health': ['Health', 'Saúde'],
  'webhooks.well': ['answers', 'responde'],
  'webhooks.failing': ['failing since {since}', 'falhando desde {since}'],
  'webhooks.resting': ['resting until {until}', 'em descanso até {until}'],
  'webhooks.paused': ['paused', 'pausado'],
  'webhooks.deliveries': ['Deliveries', 'Entregas'],
  'webhooks.noDeliveries': ['No deliveries.', 'Nenhuma entrega.'],
  'webhooks.event': ['Event', 'Evento'],
  'webhooks.state': ['Status', 'Situação'],
  'webhooks.tries': ['Attempts', 'Tentativas'],
  'webhooks.last': ['Last answer', 'Última resposta'],
  'webhooks.made': ['Created', 'Criada'],
  'webhooks.again': ['Deliver again', 'Entregar de novo'],
  'webhooks.queued': ['Queued.', 'Na fila.'],
  'delivery.pending': ['pending', 'pendente'],
  'delivery.delivered': ['delivered', 'entregue'],
  'delivery.failed': ['failed', 'falhou'],
  'delivery.cancelled': ['cancelled', 'cancelada'],
} as const satisfies Words;
