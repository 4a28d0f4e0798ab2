import type { Words } from './words.js';

export const savedReplies = {
  'saved.title': ['Saved replies', 'Respostas salvas'],
  'saved.open': ['Saved replies', 'Respostas salvas'],
  'saved.how': [
    'In the answer box, type / and the short cut, or a word of the text.',
    'Na caixa de resposta, digite / e o atalho, ou uma palavra do texto.',
  ],
  'saved.none': [
    'Nothing is saved yet. Save here what the team writes every day: opening hours, delivery times, how to pay.',
    'Nada salvo ainda. Guarde aqui o que a equipe escreve todo dia: horário, prazo de entrega, como pagar.',
  ],
  'saved.noneFound': ['No saved reply has “{text}”.', 'Nenhuma resposta salva tem “{text}”.'],
  'saved.noneYet': ['Nothing is saved yet.', 'Nada salvo ainda.'],
  'saved.found': ['Saved replies: {count}', 'Respostas salvas: {count}'],
  'saved.hint': ['↑ ↓ choose · Enter takes it · Esc closes', '↑ ↓ escolhem · Enter usa · Esc fecha'],
  'saved.new': ['New saved reply', 'Nova resposta salva'],
  'saved.edit': ['Edit', 'Editar'],
  'saved.editOf': ['Edit “{title}”', 'Editar “{title}”'],
  'saved.remove': ['Remove', 'Remover'],
  'saved.removeOf': ['Remove “{title}”', 'Remover “{title}”'],
  'saved.removeAsk': ['Remove “{title}”?', 'Remover “{title}”?'],
  'saved.removeText': [
    'Nobody of the team can use it any more. Messages that were sent with it stay.',
    'Ninguém da equipe poderá mais usá-la. As mensagens já enviadas com ela ficam.',
  ],
  'saved.save': ['Save', 'Salvar'],
  'saved.cancel': ['Cancel', 'Cancelar'],
  'saved.field.title': ['What it is about', 'Sobre o que é'],
  'saved.field.shortCut': ['Short cut', 'Atalho'],
  'saved.field.shortCutHint': [
    'Typed behind /. Small letters without accents, digits and hyphens.',
    'Digitado depois de /. Letras minúsculas sem acento, números e hífens.',
  ],
  'saved.field.text': ['Text', 'Texto'],
  'saved.insert': ['Insert:', 'Inserir:'],
  'saved.insert.first': ['first name', 'primeiro nome'],
  'saved.insert.name': ['name', 'nome'],
  'saved.insert.default': ['customer', 'cliente'],
  'saved.previewOf': ['As {name} gets it', 'Como {name} recebe'],
  'saved.preview.none': ['As somebody without a name gets it', 'Como recebe quem não tem nome'],
  'saved.back': ['Back to the conversations', 'Voltar às conversas'],
  'refusal.short_cut_taken': [
    'Another saved reply has this short cut. Choose another one.',
    'Outra resposta salva já tem esse atalho. Escolha outro.',
  ],
  'refusal.saved_replies_full': [
    'There are 200 saved replies, and no more are possible. Remove one first.',
    'Já há 200 respostas salvas, e esse é o máximo. Remova uma antes.',
  ],
} as const satisfies Words;
