/** What a message says, by its type. */
import type { Message } from '../shapes.js';
import { amount, named, t } from '../words.js';
import { FileOf } from './bubble-file.js';
import { asFields, kindOf, textIn, type Fields } from './message-fields.js';

const listIn = (content: Fields, name: string): readonly Fields[] => {
  const value = content[name];
  return Array.isArray(value) ? value.map(asFields).filter((one) => one !== null) : [];
};

const FILES: ReadonlySet<string> = new Set(['image', 'video', 'audio', 'document', 'sticker']);
/** What says by itself what it is. */
const PLAIN: ReadonlySet<string> = new Set(['text', 'note', 'template', 'reaction', ...FILES]);

export function Content({ message, onChange }: { readonly message: Message; readonly onChange: () => void }) {
  const content: Fields = message.content;
  const { type } = message;
  if (message.deleted_at) return <p class="quiet">{t('thread.deleted')}</p>;
  if (type === 'system_notice') return <p class="quiet">{named('notice', textIn(content, 'kind') ?? '')}</p>;
  const text =
    textIn(content, 'text') ??
    textIn(content, 'caption') ??
    textIn(content, 'title') ??
    textIn(content, 'emoji');
  return (
    <>
      {!PLAIN.has(type) && (
        <p class="quiet">
          {type === 'interactive' && message.direction === 'outbound'
            ? t('thread.kind.question')
            : kindOf(type)}
        </p>
      )}
      {FILES.has(type) && <FileOf message={message} onChange={onChange} />}
      {type === 'template' && <HeaderFile header={asFields(content['header'])} />}
      {text !== null && <p class="text">{text}</p>}
      {type === 'location' && <Location content={content} />}
      {type === 'contacts' && <Cards cards={listIn(content, 'contacts')} />}
      {type === 'order' && <Cart items={listIn(content, 'items')} />}
      <Choices content={content} />
    </>
  );
}

/** The file above a template's text, as it was sent. */
function HeaderFile({ header }: { readonly header: Fields | null }) {
  const name =
    header && (textIn(header, 'filename') ?? textIn(header, 'link') ?? textIn(header, 'mime_type'));
  return name ? <p class="quiet">{t('file.header', { name })}</p> : null;
}

function Location({ content }: { readonly content: Fields }) {
  const { latitude, longitude } = content;
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return null;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <>
      {['name', 'address'].map((field) => {
        const said = textIn(content, field);
        return said === null ? null : (
          <p key={field} class="text">
            {said}
          </p>
        );
      })}
      <p>
        <a href={map} target="_blank" rel="noopener noreferrer">
          {t('file.map', { place: `${latitude.toFixed(5)}, ${longitude.toFixed(5)}` })}
        </a>
      </p>
    </>
  );
}

function Cards({ cards }: { readonly cards: readonly Fields[] }) {
  return (
    <ul class="cards">
      {cards.map((card, index) => {
        const name = asFields(card['name']);
        const phones = listIn(card, 'phones').map(
          (phone) => textIn(phone, 'phone') ?? textIn(phone, 'wa_id'),
        );
        return (
          <li key={index}>
            <strong>{(name && textIn(name, 'formatted_name')) ?? t('inbox.somebody')}</strong>{' '}
            <span>{phones.filter((phone) => phone !== null).join(', ')}</span>
          </li>
        );
      })}
    </ul>
  );
}

function Cart({ items }: { readonly items: readonly Fields[] }) {
  return (
    <ul class="cards">
      {items.map((item, index) => {
        const { quantity, item_price: price } = item;
        return (
          <li key={index}>
            {typeof quantity === 'number' && <>{quantity} × </>}
            <code>{textIn(item, 'product_retailer_id')}</code>
            {typeof price === 'number' && <> · {amount(String(price))}</>}
          </li>
        );
      })}
    </ul>
  );
}

/** Buttons and rows of a question, which can't be chosen here. */
function Choices({ content }: { readonly content: Fields }) {
  const rows = ['buttons', 'rows', 'choices'].flatMap((name) => listIn(content, name));
  const titles = rows.map((row) => textIn(row, 'title')).filter((title) => title !== null);
  return titles.length === 0 ? null : (
    <ul class="choices">
      {titles.map((title) => (
        <li key={title}>{title}</li>
      ))}
    </ul>
  );
}
