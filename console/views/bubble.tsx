/** One message. What customers write is set as text, never as markup. */
import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { useWork } from '../load.js';
import { ErrorBox, messageOf, Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Message } from '../shapes.js';
import { named, t } from '../words.js';
import { Content } from './bubble-content.js';
import { asFields, kindOf, textIn, type Fields } from './message-fields.js';

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
        <Content message={message} onChange={where.onSent} />
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
      <Content message={message} onChange={where.onSent} />
      <p class="quiet">
        <a href={addressOf(where.company, 'messages', message.uuid)} onClick={follow}>
          <Time at={message.sent_at ?? message.created_at ?? ''} />
        </a>
        {kind === 'out' && <> · {named('message', status)}</>}
        {message.edited_at && <> · {t('thread.edited')}</>}
      </p>
      {error && (
        <p class="bad">
          <span aria-hidden="true">■</span> {messageOf(error)} <code>{error.code}</code>
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
      <button data-op="requestMedia" type="button" disabled={work.busy} onClick={() => void work.run(again)}>
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
