import type { Words } from './words.js';

/** Words of the parts that several sections share. */
export const kit = {
  'ask.no': ['Go back', 'Voltar'],
  'ask.type': ['Type “{text}” to confirm', 'Digite “{text}” para confirmar'],
  'ago.now': ['just now', 'agora'],
  'ago.minutes': ['{count} min ago', 'há {count} min'],
  'ago.hours': ['{count} h ago', 'há {count} h'],
  'ago.days': ['{count} d ago', 'há {count} d'],
  'form.save': ['Save', 'Salvar'],
  'form.saving': ['Saving …', 'Salvando …'],
  'form.saved': ['Saved.', 'Salvo.'],
  'form.cancel': ['Cancel', 'Cancelar'],
  'form.add': ['Add', 'Adicionar'],
  'form.remove': ['Remove', 'Remover'],
  'form.yes': ['Yes', 'Sim'],
  'form.no': ['No', 'Não'],
  'form.all': ['All', 'Todos'],
  'form.search': ['Search', 'Buscar'],
  'form.copy': ['Copy', 'Copiar'],
  'form.copied': ['Copied.', 'Copiado.'],
  'refusal.insufficient_stock': [
    'There is not enough stock for this order. Lower the quantity, or correct the stock of the product first.',
    'Não há estoque suficiente para este pedido. Diminua a quantidade ou corrija o estoque do produto primeiro.',
  ],
  'refusal.product_unavailable': [
    'A product of this order is not for sale any more. Take it out, or put it on sale again.',
    'Um produto deste pedido não está mais à venda. Tire-o do pedido ou coloque-o à venda de novo.',
  ],
  'refusal.invalid_status_transition': [
    'The order was moved meanwhile, and this step is not possible from where it is now.',
    'O pedido foi movido nesse meio-tempo, e este passo não é possível a partir de onde ele está agora.',
  ],
  'refusal.price_invalid': [
    'This is no price. Write it as 49,90, without other signs.',
    'Isto não é um preço. Escreva como 49,90, sem outros sinais.',
  ],
  'refusal.promo_price_invalid': [
    'The promotional price must be above zero and below the price.',
    'O preço promocional precisa ser maior que zero e menor que o preço.',
  ],
  'refusal.gtin_invalid': [
    'This is no barcode: it has 8, 12, 13 or 14 digits, and the last one must fit the others.',
    'Isto não é um código de barras: ele tem 8, 12, 13 ou 14 números, e o último precisa combinar com os outros.',
  ],
  'refusal.variant_options_mismatch': [
    'All variants need the same options, each with a value.',
    'Todas as variações precisam das mesmas opções, cada uma com um valor.',
  ],
  'refusal.variant_duplicated': [
    'Two variants have the same options.',
    'Duas variações têm as mesmas opções.',
  ],
  'refusal.store_slug_taken': [
    'Another shop has this address. Choose another one.',
    'Outra loja já usa este endereço. Escolha outro.',
  ],
  'refusal.category_has_children': [
    'This category has others inside. Remove those first.',
    'Esta categoria tem outras dentro. Remova-as primeiro.',
  ],
} as const satisfies Words;
