/**
 * The file of a message. Shown is only a picture that the server made anew; a sound plays when somebody starts it.
 * Everything else is a download.
 */
import { useState } from 'preact/hooks';
import { addressOfFile, send } from '../api.js';
import { sizeText } from '../files.js';
import { useWork } from '../load.js';
import { ErrorBox, messageOf } from '../parts.js';
import { useMay } from '../session.js';
import type { Message } from '../shapes.js';
import { t } from '../words.js';
import { asFields, kindOf, textIn, type Fields } from './message-fields.js';

const PICTURES: ReadonlySet<string> = new Set(['image', 'sticker']);

export function FileOf({ message, onChange }: { readonly message: Message; readonly onChange: () => void }) {
  const may = useMay('getMessageFile');
  const content: Fields = message.content;
  const kind = kindOf(message.type);
  const link = safeLink(textIn(content, 'link'));
  if (link !== null)
    return (
      <p>
        <span class="quiet">{kind}</span>{' '}
        <a href={link} target="_blank" rel="noopener noreferrer">
          {textIn(content, 'filename') ?? t('thread.file')}
        </a>
      </p>
    );
  switch (content['media_status']) {
    case 'stored':
      return may ? <Stored message={message} /> : <p class="quiet">{kind}</p>;
    case 'failed':
      return <Failed message={message} onChange={onChange} />;
    case 'pending':
      return <p class="quiet">{t('file.pending', { kind })}</p>;
    default:
      return <p class="quiet">{kind}</p>;
  }
}

function Stored({ message: { uuid, type, content, direction } }: { readonly message: Message }) {
  const fields: Fields = content;
  const [broken, setBroken] = useState(false);
  const file = addressOfFile(`/messages/${uuid}/file`);
  const name = textIn(fields, 'filename') ?? kindOf(type);
  if (PICTURES.has(type) && !broken)
    return (
      <a class="picture-link" href={file} download>
        <img
          class={type === 'sticker' ? 'sticker' : 'photo'}
          src={addressOfFile(`/messages/${uuid}/picture`)}
          alt={t('file.picture', { caption: textIn(fields, 'caption') ?? kindOf(type) })}
          loading="lazy"
          onError={() => setBroken(true)}
        />
      </a>
    );
  const { size } = fields;
  return (
    <>
      {type === 'audio' && <audio controls preload="none" src={file} aria-label={kindOf(type)} />}
      <p>
        <a class="file" href={file} download>
          <span aria-hidden="true">↓</span> {name}
        </a>{' '}
        <span class="quiet">
          {[textIn(fields, 'mime_type')?.replace(/;.*/, ''), typeof size === 'number' && sizeText(size)]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </p>
      {direction === 'inbound' && type !== 'audio' && <p class="quiet">{t('thread.care')}</p>}
    </>
  );
}

/** WhatsApp keeps files for seven days, so asking again may help. */
function Failed({
  message: { uuid, type, content },
  onChange,
}: {
  readonly message: Message;
  readonly onChange: () => void;
}) {
  const may = useMay('requestMedia');
  const work = useWork();
  const error = asFields((content as Fields)['media_error']);
  const code = (error && textIn(error, 'code')) ?? '';
  const message = (error && textIn(error, 'message')) ?? '';
  return (
    <>
      <p class="bad">
        <span aria-hidden="true">■</span> {t('file.failed', { kind: kindOf(type) })}{' '}
        {messageOf({ code, message })}
      </p>
      {may && (
        <button
          type="button"
          disabled={work.busy}
          onClick={() =>
            void work.run(() => send('POST', `/messages/${uuid}/media`)).then((done) => done && onChange())
          }
        >
          {t('file.again')}
        </button>
      )}
      {work.error !== null && <ErrorBox error={work.error} />}
    </>
  );
}

/** An address of the web; nothing that runs. */
function safeLink(link: string | null): string | null {
  if (link === null || !URL.canParse(link)) return null;
  const url = new URL(link);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
