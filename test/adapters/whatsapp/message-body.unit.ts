import { expect } from 'chai';
import { toMetaBody } from '../../../adapters/whatsapp/message-body.js';
import type { OutboundContent } from '../../../ports/provider.js';

describe('WhatsApp client: request bodies', () => {
  it('a text to a phone', () => {
    expect(
      toMetaBody({
        to: { phone: '+5511912345678' },
        content: { type: 'text', text: 'oi https://example.com', previewUrl: true },
        opaque: 'op',
      }),
    ).to.deep.equal({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+5511912345678',
      biz_opaque_callback_data: 'op',
      type: 'text',
      text: { body: 'oi https://example.com', preview_url: true },
    });
  });

  it('a learned WhatsApp id gets its plus, without which Meta would prepend a country code', () => {
    const body = toMetaBody({
      to: { waId: '553188887777' },
      content: { type: 'text', text: 'oi', previewUrl: false },
      opaque: 'op',
    });
    expect(body).to.include({ to: '+553188887777' });
  });

  it('a business-scoped user id goes into `recipient` and `to` stays out', () => {
    const body = toMetaBody({
      to: { userId: 'BR.9f3a' },
      content: { type: 'text', text: 'oi', previewUrl: false },
      opaque: 'op',
    });
    expect(body).to.include({ recipient: 'BR.9f3a' }).and.not.have.property('to');
  });

  it('a template with every kind of component, empty ones left out', () => {
    const body = toMetaBody({
      to: { phone: '+5511912345678' },
      content: {
        type: 'template',
        name: 'new_collection',
        language: 'pt_BR',
        components: [
          {
            type: 'header',
            parameters: [{ type: 'document', link: 'https://example.com/a.pdf', filename: 'a.pdf' }],
          },
          { type: 'body', parameters: [{ type: 'text', text: 'Ana', name: 'first_name' }] },
          { type: 'button', subType: 'url', index: 0, value: 'verao' },
          { type: 'button', subType: 'quick_reply', index: 1, value: 'STOP' },
          { type: 'button', subType: 'copy_code', index: 2, value: 'SAVE10' },
        ],
      },
      opaque: 'op',
    });
    expect(body['template']).to.deep.equal({
      name: 'new_collection',
      language: { code: 'pt_BR' },
      components: [
        {
          type: 'header',
          parameters: [
            { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf' } },
          ],
        },
        { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ana' }] },
        { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: 'verao' }] },
        {
          type: 'button',
          sub_type: 'quick_reply',
          index: '1',
          parameters: [{ type: 'payload', payload: 'STOP' }],
        },
        {
          type: 'button',
          sub_type: 'copy_code',
          index: '2',
          parameters: [{ type: 'coupon_code', coupon_code: 'SAVE10' }],
        },
      ],
    });
  });

  it('positional values, a location header, and no component without variables', () => {
    const body = toMetaBody({
      to: { phone: '+5511912345678' },
      content: {
        type: 'template',
        name: 't',
        language: 'en_US',
        components: [
          {
            type: 'header',
            parameters: [{ type: 'location', latitude: -23.5, longitude: -46.6, name: 'Loja' }],
          },
          { type: 'body', parameters: [] },
        ],
      },
      opaque: 'op',
    });
    expect(body['template']).to.have.deep.property('components', [
      {
        type: 'header',
        parameters: [{ type: 'location', location: { latitude: '-23.5', longitude: '-46.6', name: 'Loja' } }],
      },
    ]);
  });

  const bodyOf = (content: OutboundContent): Record<string, unknown> =>
    toMetaBody({ to: { phone: '+5511912345678' }, content, opaque: 'op' });

  it('files by their address: audio has no caption, only documents have a name', () => {
    const link = 'https://example.com/a';
    expect(bodyOf({ type: 'image', link, caption: 'Chegou' })).to.deep.include({
      type: 'image',
      image: { link, caption: 'Chegou' },
    });
    expect(bodyOf({ type: 'video', link })).to.deep.include({ type: 'video', video: { link } });
    expect(bodyOf({ type: 'audio', link })).to.deep.include({ type: 'audio', audio: { link } });
    expect(bodyOf({ type: 'document', link, filename: 'nota.pdf' })).to.deep.include({
      type: 'document',
      document: { link, filename: 'nota.pdf' },
    });
  });

  it('buttons', () => {
    const buttons = [
      { id: 'y', title: 'Sim' },
      { id: 'n', title: 'Não' },
    ];
    expect(bodyOf({ type: 'interactive', kind: 'buttons', text: 'Posso?', buttons })).to.deep.include({
      type: 'interactive',
      interactive: {
        type: 'button',
        body: { text: 'Posso?' },
        action: {
          buttons: [
            { type: 'reply', reply: { id: 'y', title: 'Sim' } },
            { type: 'reply', reply: { id: 'n', title: 'Não' } },
          ],
        },
      },
    });
  });

  it('a list, in one section without a title', () => {
    const rows = [
      { id: 'a', title: 'Vendas' },
      { id: 'b', title: 'Suporte', description: 'Seg a sex' },
    ];
    const list = { type: 'interactive', kind: 'list', text: 'Com quem?', button: 'Opções', rows } as const;
    expect(bodyOf(list)).to.deep.include({
      type: 'interactive',
      interactive: {
        type: 'list',
        body: { text: 'Com quem?' },
        action: { button: 'Opções', sections: [{ rows }] },
      },
    });
  });
});
