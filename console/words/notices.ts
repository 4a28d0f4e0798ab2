import type { Words } from './words.js';

/** Notices between the messages of a conversation (spec §2, system_notice). WhatsApp may send kinds that are not here. */
export const notices = {
  'notice.message_edited': [
    'The customer edited a message. WhatsApp does not send the new text.',
    'O cliente editou uma mensagem. O WhatsApp não envia o novo texto.',
  ],
  'notice.message_deleted': ['The customer deleted a message.', 'O cliente apagou uma mensagem.'],
  'notice.user_changed_number': ['The customer has a new number.', 'O cliente mudou de número.'],
  'notice.system': [
    'WhatsApp reports a change of this customer.',
    'O WhatsApp avisa uma mudança deste cliente.',
  ],
  'notice.cart_store_unavailable': [
    'The cart became no order: the shop is closed. Answer the customer.',
    'O carrinho não virou pedido: a loja está fechada. Responda ao cliente.',
  ],
  'notice.cart_product_unknown': [
    'The cart became no order: the shop does not have one of its products. Answer the customer.',
    'O carrinho não virou pedido: a loja não tem um dos produtos. Responda ao cliente.',
  ],
  'notice.cart_product_ambiguous': [
    'The cart became no order: several products share one code. Answer the customer, and give each product its own SKU.',
    'O carrinho não virou pedido: vários produtos têm o mesmo código. Responda ao cliente e dê um SKU a cada produto.',
  ],
  'notice.cart_product_unavailable': [
    'The cart became no order: one of its products is not for sale. Answer the customer.',
    'O carrinho não virou pedido: um dos produtos não está à venda. Responda ao cliente.',
  ],
  'notice.cart_insufficient_stock': [
    'The cart became no order: there is not enough in stock. Answer the customer.',
    'O carrinho não virou pedido: não há estoque suficiente. Responda ao cliente.',
  ],
  'notice.cart_unit_limit_exceeded': [
    'The cart became no order: it holds more of one product than an order may. Answer the customer.',
    'O carrinho não virou pedido: tem mais unidades de um produto do que um pedido pode ter. Responda ao cliente.',
  ],
  'notice.cart_unpaid_order_limit_reached': [
    'The cart became no order: the customer has too many orders that are not paid. Answer the customer.',
    'O carrinho não virou pedido: o cliente tem pedidos demais sem pagar. Responda ao cliente.',
  ],
  'notice.cart_not_ordered': [
    'The cart became no order. Answer the customer.',
    'O carrinho não virou pedido. Responda ao cliente.',
  ],
} satisfies Words;
