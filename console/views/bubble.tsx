/** One message. What customers write is set as text, and their files are links: neither becomes markup. */
import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { useWork } from '../load.js';
import { ErrorBox, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Message } from '../shapes.js';
import { named, t } from '../words.js';

interface Where {
  readonly company: string;
  readonly conversation: string;
  readonly onSent: () => void;
}

export function Bubble({ message, where }: { readonly message: Message; readonly where: Where }) {
  const { direction, type, status, error } = message;
  if (type === 'system_notice' || type === 'store_order')
    return (
      <li class="bubble middle">
        <Content message={message} />
        <StoreOrder content={message.content} company={where.company} />
        <p class="quiet">
          <Time at={message.sent_at ?? message.created_at ?? ''} />
        </p>
      </li>
    );
  const kind = type === 'note' ? 'note' : direction === 'inbound' ? 'in' : 'out';
  return (
    <li class={`bubble ${kind}`}>
      {kind === 'note' && <strong class="quiet">{t('thread.note')}</strong>}
      <Content message={message} />
      <p class="quiet">
        <a href={addressOf(where.company, 'messages', message.uuid)} onClick={follow}>
          <Time at={message.sent_at ?? message.created_at ?? ''} />
        </a>
        {kind === 'out' && <> · {named('message', status)}</>}
        {message.edited_at && <> · {t('thread.edited')}</>}
      </p>
      {error && (
        <p class="bad">
          <span aria-hidden="true">■</span> {error.message} <code>{error.code}</code>
          {providerOf(error.details) !== null && <> · WhatsApp: {providerOf(error.details)}</>}
        </p>
      )}
      {message.transcript && (
        <p class="text">
          <span class="quiet">{t('thread.transcript')}</span> {message.transcript}
        </p>
      )}
      {kind === 'out' && status === 'failed' && <SendAgain message={message} where={where} />}
    </li>
  );
}

/** WhatsApp's own code and words. */
function providerOf(details: unknown): string | null {
  const provider = asFields(asFields(details)?.['provider']);
  if (provider === null) return null;
  return [provider['code'], provider['title'], provider['details']].filter(Boolean).join(' ');
}

/** The same text once more, as a message of its own: what failed stays failed. */
function SendAgain({ message, where }: { readonly message: Message; readonly where: Where }) {
  const work = useWork();
  const [key] = useState(() => crypto.randomUUID());
  const [sent, setSent] = useState<string | null>(null);
  const text = message.type === 'text' ? textIn(message.content, 'text') : null;
  if (text === null) return null;
  if (sent !== null)
    return (
      <p role="status">
        {t('thread.sentAgain')} <code>{sent}</code>
      </p>
    );
  const again = async (): Promise<void> => {
    const body = { type: 'text', content: { text } };
    const path = `/conversations/${where.conversation}/messages`;
    setSent((await send<{ readonly uuid: string }>('POST', path, body, { 'idempotency-key': key })).uuid);
    where.onSent();
  };
  return (
    <>
      <button type="button" disabled={work.busy} onClick={() => void work.run(again)}>
        {t('thread.again')}
      </button>
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}

function StoreOrder({ content, company }: { readonly content: Fields; readonly company: string }) {
  const uuid = textIn(content, 'order_uuid');
  return uuid === null ? null : (
    <a href={addressOf(company, 'orders', uuid)} onClick={follow}>
      {t('thread.order', { code: textIn(content, 'code') ?? '' })}
    </a>
  );
}

/** One line of a message, for lists. */
export function lineOf(message: Message): string {
  if (message.deleted_at) return t('thread.deleted');
  const content: Fields = message.content;
  if (message.type === 'system_notice') return named('notice', textIn(content, 'kind') ?? '');
  return (
    textIn(content, 'text') ??
    textIn(content, 'caption') ??
    textIn(content, 'title') ??
    textIn(content, 'emoji') ??
    kindOf(message.type)
  );
}

const asFields = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null;

type Fields = Readonly<Record<string, unknown>>;
const textIn = (content: Fields, name: string): string | null => {
  const value = content[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

function Content({ message }: { readonly message: Message }) {
  const content: Fields = message.content;
  if (message.deleted_at) return <p class="quiet">{t('thread.deleted')}</p>;
  const text =
    textIn(content, 'text') ??
    textIn(content, 'caption') ??
    textIn(content, 'title') ??
    textIn(content, 'emoji');
  if (message.type === 'system_notice')
    return <p class="quiet">{named('notice', textIn(content, 'kind') ?? '')}</p>;
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
          </a>{' '}
          {message.direction === 'inbound' && <span class="quiet">{t('thread.care')}</span>}
        </p>
      )}
      {!plain && text === null && link === null && name !== null && <p class="text">{name}</p>}
      <Choices content={content} />
    </>
  );
}

/** Buttons and rows of a question, which can't be chosen here. */
function Choices({ content }: { readonly content: Fields }) {
  const rows = content['buttons'] ?? content['rows'] ?? content['choices'];
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
