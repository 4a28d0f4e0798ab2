import type {
  HeaderParameter,
  OutboundMessage,
  OutboundQuestion,
  TemplateComponent,
  TextParameter,
} from '../../ports/provider.js';

/**
 * Meta's request body of `POST /{phone_number_id}/messages`. Phones always keep their `+`: without it Meta prepends the
 * business number's country code (Meta, "Send messages"). Never contains `category`, which would make the call a
 * different product (Direct Send).
 */
export function toMetaBody(message: OutboundMessage): Record<string, unknown> {
  const { to, content } = message;
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    ...('userId' in to
      ? { recipient: to.userId }
      : { to: `+${('phone' in to ? to.phone : to.waId).replace(/^\+/, '')}` }),
    biz_opaque_callback_data: message.opaque,
    type: content.type,
    [content.type]: toMetaNode(content),
  };
}

function toMetaNode(content: OutboundMessage['content']): Record<string, unknown> {
  switch (content.type) {
    case 'text':
      return { body: content.text, preview_url: content.previewUrl };
    case 'template':
      return {
        name: content.name,
        language: { code: content.language },
        // A component without variables is omitted, as Meta requires.
        components: content.components
          .filter((component) => component.type === 'button' || component.parameters.length > 0)
          .map(toMetaComponent),
      };
    case 'interactive':
      return toMetaInteractive(content);
    default: {
      const { type: _, ...file } = content;
      return file;
    }
  }
}

/** Meta, "Interactive reply buttons" and "Interactive list": one section needs no title. */
function toMetaInteractive(question: OutboundQuestion): Record<string, unknown> {
  const body = { text: question.text };
  return question.kind === 'buttons'
    ? {
        type: 'button',
        body,
        action: {
          buttons: question.buttons.map(({ id, title }) => ({ type: 'reply', reply: { id, title } })),
        },
      }
    : {
        type: 'list',
        body,
        action: { button: question.button, sections: [{ rows: question.rows.map((row) => ({ ...row })) }] },
      };
}

function toMetaComponent(component: TemplateComponent): Record<string, unknown> {
  switch (component.type) {
    case 'header':
      return { type: 'header', parameters: component.parameters.map(toMetaHeaderParameter) };
    case 'body':
      return { type: 'body', parameters: component.parameters.map(toMetaText) };
    case 'button':
      return {
        type: 'button',
        sub_type: component.subType,
        index: String(component.index),
        parameters: [buttonParameter(component.subType, component.value)],
      };
  }
}

function buttonParameter(
  subType: 'url' | 'quick_reply' | 'copy_code',
  value: string,
): Record<string, string> {
  switch (subType) {
    case 'url':
      return { type: 'text', text: value };
    case 'quick_reply':
      return { type: 'payload', payload: value };
    case 'copy_code':
      return { type: 'coupon_code', coupon_code: value };
  }
}

const toMetaText = (parameter: TextParameter): Record<string, string> => ({
  type: 'text',
  ...(parameter.name === undefined ? {} : { parameter_name: parameter.name }),
  text: parameter.text,
});

function toMetaHeaderParameter(parameter: HeaderParameter): Record<string, unknown> {
  switch (parameter.type) {
    case 'text':
      return toMetaText(parameter);
    case 'location':
      return {
        type: 'location',
        location: {
          latitude: String(parameter.latitude),
          longitude: String(parameter.longitude),
          ...(parameter.name === undefined ? {} : { name: parameter.name }),
          ...(parameter.address === undefined ? {} : { address: parameter.address }),
        },
      };
    default:
      return {
        type: parameter.type,
        [parameter.type]: {
          ...('id' in parameter ? { id: parameter.id } : { link: parameter.link }),
          ...(parameter.filename === undefined ? {} : { filename: parameter.filename }),
        },
      };
  }
}
