import type { Words } from './words.js';

export const work = {
  'work.held': ['Held back since a restore', 'Parado desde uma restauração'],
  'work.heldWhat': [
    'It may have been done before the restore. Release what still has to be done, end the rest.',
    'Pode já ter sido feito antes da restauração. Libere o que ainda precisa ser feito e encerre o resto.',
  ],
  'work.release': ['Release', 'Liberar'],
  'work.end': ['End', 'Encerrar'],
  'work.endTitle': ['End this work? It will not be done.', 'Encerrar este trabalho? Ele não será feito.'],
  'work.kind.send': ['Message', 'Mensagem'],
  'work.kind.flow': ['Flow', 'Fluxo'],
  'work.kind.delivery': ['Webhook', 'Webhook'],
  'work.kind.order': ['Unpaid order', 'Pedido não pago'],
  'work.kind.reaction': ['Reaction to an event', 'Reação a um evento'],
  'work.parked': ['Failed too often', 'Falhou vezes demais'],
  'work.parkedWhat': [
    'It is kept until somebody tries it again. Cure the cause first.',
    'Fica guardado até alguém tentar de novo. Resolva a causa primeiro.',
  ],
  'work.retry': ['Try again', 'Tentar de novo'],
  'work.more': [
    'There is more: the rest comes up as these are dealt with.',
    'Há mais: o resto aparece conforme estes forem resolvidos.',
  ],
} as const satisfies Words;
