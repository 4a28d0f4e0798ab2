import type { SandboxTemplate } from './template.js';
import type { SandboxPhoneNumber } from './types.js';

export const DEMO_WABA_ID = '102290129340398';
export const DEMO_PHONE_NUMBER_ID = '106540352242922';

export const DEMO_PHONE_NUMBERS: readonly SandboxPhoneNumber[] = [
  {
    id: DEMO_PHONE_NUMBER_ID,
    wabaId: DEMO_WABA_ID,
    displayPhoneNumber: '+55 11 4002-8922',
    verifiedName: 'Loja Demonstração',
    qualityRating: 'GREEN',
    status: 'CONNECTED',
    throughputLevel: 'STANDARD',
    messagingLimit: 'TIER_100K',
  },
];

const template = (
  id: string,
  rest: Pick<SandboxTemplate, 'name' | 'category' | 'components'> & Partial<SandboxTemplate>,
): SandboxTemplate => ({
  id,
  wabaId: DEMO_WABA_ID,
  language: 'pt_BR',
  status: 'APPROVED',
  parameterFormat: 'POSITIONAL',
  ...rest,
});

const body = (text: string, example: readonly string[]): Record<string, unknown> => ({
  type: 'BODY',
  text,
  ...(example.length === 0 ? {} : { example: { body_text: [example] } }),
});

/** One template of each category, both parameter formats, a header with media, and the two states that refuse sends. */
export const DEMO_TEMPLATES: readonly SandboxTemplate[] = [
  template('900100000000001', {
    name: 'order_confirmation',
    category: 'UTILITY',
    components: [body('Olá {{1}}, seu pedido {{2}} foi confirmado. Obrigado!', ['Ana', '1042'])],
  }),
  template('900100000000002', {
    name: 'order_confirmation',
    language: 'en_US',
    category: 'UTILITY',
    components: [body('Hi {{1}}, your order {{2}} is confirmed. Thank you!', ['Ana', '1042'])],
  }),
  template('900100000000003', {
    name: 'verification_code',
    category: 'AUTHENTICATION',
    components: [body('*{{1}}* é seu código de verificação.', ['123456'])],
  }),
  template('900100000000004', {
    name: 'weekly_offers',
    category: 'MARKETING',
    components: [
      body('Oi {{1}}! As ofertas da semana chegaram: {{2}}. Aproveite!', ['Ana', 'até 30% em calçados']),
      { type: 'FOOTER', text: 'Responda PARAR para não receber mais' },
    ],
  }),
  template('900100000000005', {
    name: 'delivery_update',
    category: 'UTILITY',
    parameterFormat: 'NAMED',
    components: [
      {
        type: 'BODY',
        text: 'Olá {{first_name}}, o pedido {{order_number}} saiu para entrega.',
        example: {
          body_text_named_params: [
            { param_name: 'first_name', example: 'Ana' },
            { param_name: 'order_number', example: '1042' },
          ],
        },
      },
    ],
  }),
  template('900100000000006', {
    name: 'new_collection',
    category: 'MARKETING',
    components: [
      {
        type: 'HEADER',
        format: 'IMAGE',
        example: { header_handle: ['https://example.com/collection.jpg'] },
      },
      body('Oi {{1}}, a nova coleção chegou!', ['Ana']),
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Ver coleção', url: 'https://example.com/c/{{1}}', example: ['verao'] },
          { type: 'QUICK_REPLY', text: 'Parar promoções' },
        ],
      },
    ],
  }),
  template('900100000000007', {
    name: 'flash_sale',
    category: 'MARKETING',
    status: 'PAUSED',
    components: [body('Só hoje, {{1}}: frete grátis!', ['Ana'])],
  }),
  template('900100000000008', {
    name: 'lucky_draw',
    category: 'MARKETING',
    status: 'REJECTED',
    rejectedReason: 'PROMOTIONAL',
    components: [body('Você foi sorteado! Clique já.', [])],
  }),
];
