import type { Words } from './words.js';

/** What a role may not do is said where a person would look for it. */
export const may = {
  'may.more': ['The role {role} can do more here.', 'Quem tem o papel {role} pode fazer mais aqui.'],
  'may.change': [
    'You may look here; the role {role} can change it.',
    'Aqui você pode olhar; quem tem o papel {role} pode mudar.',
  ],
  'may.viewer': [
    'You look on as a viewer: what changes something is not shown, and customers are masked. An owner of the company can give you another role.',
    'Você está como Consulta: o que muda algo não aparece, e os clientes ficam ocultos. Um responsável da empresa pode dar a você outro papel.',
  ],
} as const satisfies Words;
