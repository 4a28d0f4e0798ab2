/** One message. What customers write is set as text, and their files are links: neither becomes markup. */
import { Time } from '../parts.js';
import type { Message } from '../shapes.js';
import { named, t } from '../words.js';

export function Bubble({ message }: { readonly message: Message }) {
  const { direction, type, status, error } = message;
  const kind = type === 'note' ? 'note' : direction === 'inbound' ? 'in' : 'out';
  return (
    <li class={`bubble ${kind}`}>
      {kind === 'note' && <strong class="quiet">{t('thread.note')}</strong>}
      <Content message={message} />
      <p class="quiet">
        <Time at={message.sent_at ?? message.created_at ?? ''} />
        {kind === 'out' && <> · {named('message', status)}</>}
        {message.edited_at && <> · {t('thread.edited')}</>}
      </p>
      {error && (
        <p class="bad">
          {error.message} <code>{error.code}</code>
        </p>
      )}
    </li>
  );
}

type Fields = Readonly<Record<string, unknown>>;
const textIn = (content: Fields, name: string): string | null => {
  const value = content[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

function Content({ message }: { readonly message: Message }) {
  const content: Fields = message.content;
  if (message.deleted_at) return <p class="quiet">{t('thread.deleted')}</p>;
  const text = textIn(content, 'text') ?? textIn(content, 'caption') ?? textIn(content, 'emoji');
  const link = safeLink(textIn(content, 'url') ?? textIn(content, 'link'));
  const name = textIn(content, 'filename') ?? textIn(content, 'name');
  const plain = message.type === 'text' || message.type === 'note' || message.type === 'template';
  return (
    <>
      {!plain && <p class="quiet">{kindOf(message.type)}</p>}
      {text !== null && <p class="text">{text}</p>}
      {link !== null && (
        <p>
          <a href={link} target="_blank" rel="noopener noreferrer">
            {name ?? t('thread.file')}
          </a>
        </p>
      )}
      {!plain && text === null && link === null && name !== null && <p class="text">{name}</p>}
      <Choices content={content} />
    </>
  );
}

/** Buttons and rows of a question, which can't be chosen here. */
function Choices({ content }: { readonly content: Fields }) {
  const rows = content['buttons'] ?? content['rows'];
  if (!Array.isArray(rows)) return null;
  const titles = rows.flatMap((row: unknown) => {
    const title = typeof row === 'object' && row !== null ? textIn(row as Fields, 'title') : null;
    return title === null ? [] : [title];
  });
  return (
    <ul class="choices">
      {titles.map((title) => (
        <li key={title}>{title}</li>
      ))}
    </ul>
  );
}

function kindOf(type: string): string {
  const word = named('thread.kind', type);
  return word === type ? t('thread.kind.other', { type }) : word;
}

/** An address of the web, or of this server; nothing that runs. */
function safeLink(link: string | null): string | null {
  if (link === null) return null;
  try {
    const url = new URL(link, location.origin);
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
  } catch {
    return null;
  }
}
