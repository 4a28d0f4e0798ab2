/** Converts an accepted send into the provider's format. application/send composed the content of each type. */
import type { SendAsAccepted } from '../../domain/operation/state.js';
import type { OutboundContent, OutboundQuestion, TemplateComponent } from '../../ports/provider.js';

type Content = NonNullable<SendAsAccepted['content']>;

/** @param accepted a send whose recipient has not been erased */
export function outboundContent({
  message_type: type,
  content,
  components,
}: SendAsAccepted): OutboundContent {
  const said: Content = content!;
  switch (type) {
    case 'text':
      return { type, text: String(said['text']), previewUrl: said['preview_url'] === true };
    case 'template':
      return {
        type,
        name: String(said['name']),
        language: String(said['language']),
        components: (components ?? []) as unknown as readonly TemplateComponent[],
      };
    case 'interactive':
      return { type, ...said } as unknown as OutboundQuestion;
    case 'audio':
      return { type, ...fileOf(said) };
    case 'image':
    case 'video':
      return { type, ...fileOf(said), ...words(said, 'caption') };
    case 'document':
      return { type, ...fileOf(said), ...words(said, 'caption'), ...words(said, 'filename') };
    default:
      return type satisfies never;
  }
}

const fileOf = (said: Content): { readonly link: string } | { readonly id: string } =>
  typeof said['media_id'] === 'string' ? { id: said['media_id'] } : { link: String(said['link']) };

const words = <K extends string>(said: Content, name: K): { readonly [k in K]?: string } =>
  typeof said[name] === 'string' ? ({ [name]: said[name] } as { readonly [k in K]: string }) : {};
