import type { Words } from './words.js';

export const reveal = {
  'reveal.contact': ['Show phone and details', 'Mostrar telefone e dados'],
  'reveal.conversation': ['Show phone and texts', 'Mostrar telefone e textos'],
  'reveal.order': ['Show the customer', 'Mostrar o cliente'],
  'reveal.message': ['Show phone and text', 'Mostrar telefone e texto'],
  'reveal.how': [
    'It is shown to you alone, for ten minutes. Your name, the time and the reason are recorded, and the owners of the company can read that in the audit.',
    'Só você verá, por dez minutos. Seu nome, a hora e o motivo ficam registrados, e os responsáveis da empresa podem ler isso na auditoria.',
  ],
  'reveal.reason': ['Reason', 'Motivo'],
  'reveal.choose': ['Choose …', 'Escolha …'],
  'reveal.reference': ['Ticket or order (optional)', 'Chamado ou pedido (opcional)'],
  'reveal.referenceHow': [
    'A number, such as T-1042. No names: it stays in the history.',
    'Um número, como T-1042. Sem nomes: fica no histórico.',
  ],
  'reveal.show': ['Show and record', 'Mostrar e registrar'],
  'reveal.shown': ['Shown until {time}', 'Visível até {time}'],
  'reveal.recorded': ['It is recorded.', 'Ficou registrado.'],
  'reveal.again': ['You can show the next one at {time}.', 'Você pode mostrar o próximo às {time}.'],
  'reason.customer_asked': ['The customer asked', 'O cliente pediu'],
  'reason.order_problem': ['A problem with an order', 'Problema com um pedido'],
  'reason.payment_check': ['Checking a payment', 'Conferência de pagamento'],
  'reason.complaint': ['A complaint', 'Reclamação'],
  'reason.quality_review': ['Reviewing the service', 'Avaliação do atendimento'],
  'reason.legal_request': ['A legal request', 'Pedido legal'],
  'reason.suspected_abuse': ['Suspected abuse', 'Suspeita de abuso'],
  'refusal.revealing_off': [
    'Phones and texts are hidden for your role. An owner of the company can allow viewers to show them, under Settings.',
    'Telefones e textos ficam ocultos para o seu papel. Um responsável da empresa pode permitir que sejam mostrados, em Configurações.',
  ],
  'refusal.reveals_exhausted': [
    'You have shown as many customers as an hour or a day allows. Ask an agent, or try again later.',
    'Você já mostrou o máximo de clientes por hora ou por dia. Peça a um atendente ou tente mais tarde.',
  ],
} as const satisfies Words;
