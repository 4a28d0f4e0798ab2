import type { Words } from './words.js';

export const reveal = {
  'reveal.title': ['Show this customer', 'Mostrar este cliente'],
  'reveal.how': [
    'Phone and texts are masked for your role. You may see them here for ten minutes; your company sees that you did, and why.',
    'Telefone e textos ficam ocultos para o seu papel. Você pode vê-los aqui por dez minutos; a empresa vê que você viu e o motivo.',
  ],
  'reveal.reason': ['Reason', 'Motivo'],
  'reveal.reference': ['Ticket or order (optional)', 'Chamado ou pedido (opcional)'],
  'reveal.show': ['Show and record', 'Mostrar e registrar'],
  'reveal.shown': ['Shown until {time}. It is recorded.', 'Visível até {time}. Ficou registrado.'],
  'reason.customer_asked': ['The customer asked', 'O cliente pediu'],
  'reason.order_problem': ['A problem with an order', 'Problema com um pedido'],
  'reason.payment_check': ['Checking a payment', 'Conferência de pagamento'],
  'reason.complaint': ['A complaint', 'Reclamação'],
  'reason.quality_review': ['Reviewing the service', 'Avaliação do atendimento'],
  'reason.legal_request': ['A legal request', 'Pedido legal'],
  'reason.suspected_abuse': ['Suspected abuse', 'Suspeita de abuso'],
  'refusal.revealing_off': [
    'Your company does not let your role see customers. An owner can allow it.',
    'Sua empresa não permite que o seu papel veja os clientes. Um responsável pode permitir.',
  ],
  'refusal.reveals_exhausted': [
    'You have shown as many customers as an hour or a day allows. Ask an agent, or try again later.',
    'Você já mostrou o máximo de clientes por hora ou por dia. Peça a um atendente ou tente mais tarde.',
  ],
} as const satisfies Words;
