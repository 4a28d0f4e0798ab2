/** What the team answers again and again, kept for all of them. The address says which one is being edited. */
import { useRef, useState } from 'preact/hooks';
import { send } from '../api.js';
import { useAsk } from '../ask.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { follow, go } from '../place.js';
import { filledIn, shortCutOf, useSavedReplies, type SavedReply } from '../saved-replies.js';
import { t } from '../words.js';

/** In place of a conversation's uuid. */
export const SAVED_REPLIES = 'saved-replies';
const NEW = 'new';
const EXAMPLE = 'Ana Lima';

interface Props {
  readonly company: string;
  /** The uuid of the one that is edited, or `new`. */
  readonly edited: string | null;
  readonly addressOf: (edited: string | null) => string;
}

export function SavedReplies({ company, edited, addressOf }: Props) {
  const loaded = useSavedReplies(company);
  const path = `/companies/${company}/saved-replies`;
  const done = (): void => {
    loaded.reload();
    go(addressOf(null), 'replace');
  };
  return (
    <div class="saved-replies">
      <div class="title">
        <h1>{t('saved.title')}</h1>
        {edited !== NEW && (
          <a data-op="addSavedReply" class="button main end" href={addressOf(NEW)} onClick={follow}>
            {t('saved.new')}
          </a>
        )}
      </div>
      <p class="quiet">{t('saved.how')}</p>
      {edited === NEW && <Form path={path} reply={null} onDone={done} back={addressOf(null)} />}
      <Shown loaded={loaded}>
        {(replies) =>
          replies === null ? null : (
            <>
              {replies.length === 0 && edited !== NEW && <p class="quiet">{t('saved.none')}</p>}
              <ul class="saved">
                {replies.map((reply) => (
                  <li key={reply.uuid}>
                    {edited === reply.uuid ? (
                      <Form path={path} reply={reply} onDone={done} back={addressOf(null)} />
                    ) : (
                      <Row
                        path={path}
                        reply={reply}
                        address={addressOf(reply.uuid)}
                        onChange={loaded.reload}
                      />
                    )}
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Shown>
    </div>
  );
}

function Row({
  path,
  reply,
  address,
  onChange,
}: {
  readonly path: string;
  readonly reply: SavedReply;
  readonly address: string;
  readonly onChange: () => void;
}) {
  const work = useWork();
  const [ask, question] = useAsk();
  const { uuid, title, short_cut: shortCut, text } = reply;
  const remove = async (): Promise<void> => {
    const asked = {
      title: t('saved.removeAsk', { title }),
      text: t('saved.removeText'),
      yes: t('saved.remove'),
    };
    if ((await ask(asked)) === null) return;
    if (await work.run(() => send('DELETE', `${path}/${uuid}`))) onChange();
  };
  return (
    <>
      <div class="line">
        <strong>{title}</strong> <code>/{shortCut}</code>
        <span class="end actions">
          <a
            data-op="changeSavedReply"
            class="button"
            href={address}
            onClick={follow}
            aria-label={t('saved.editOf', { title })}
          >
            {t('saved.edit')}
          </a>
          <button
            data-op="removeSavedReply"
            type="button"
            class="danger"
            disabled={work.busy}
            onClick={() => void remove()}
            aria-label={t('saved.removeOf', { title })}
          >
            {t('saved.remove')}
          </button>
        </span>
      </div>
      <p class="text">{text}</p>
      {work.error !== null && <ErrorBox error={work.error} />}
      {question}
    </>
  );
}

function Form({
  path,
  reply,
  onDone,
  back,
}: {
  readonly path: string;
  readonly reply: SavedReply | null;
  readonly onDone: () => void;
  readonly back: string;
}) {
  const [title, setTitle] = useState(reply?.title ?? '');
  const [typedCut, setShortCut] = useState(reply?.short_cut ?? null);
  const [text, setText] = useState(reply?.text ?? '');
  const work = useWork();
  const box = useRef<HTMLTextAreaElement>(null);
  // Until somebody writes another one, it follows the title.
  const shortCut = typedCut ?? shortCutOf(title);
  const body = { title, short_cut: shortCut, text };
  const save = (): Promise<unknown> =>
    reply === null ? send('POST', path, body) : send('PATCH', `${path}/${reply.uuid}`, body);
  const insert = (placeholder: string): void => {
    const { selectionStart = text.length, selectionEnd = text.length } = box.current ?? {};
    setText(text.slice(0, selectionStart) + placeholder + text.slice(selectionEnd));
    box.current?.focus();
  };
  const otherwise = t('saved.insert.default');
  return (
    <form
      data-op="addSavedReply"
      class="form told"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(save).then((saved) => saved && onDone());
      }}
    >
      <Field
        label={t('saved.field.title')}
        required
        focused
        maxLength={80}
        value={title}
        onInput={setTitle}
      />
      <Field
        label={t('saved.field.shortCut')}
        hint={t('saved.field.shortCutHint')}
        required
        maxLength={32}
        value={shortCut}
        onInput={(cut) => setShortCut(cut.replace(/^\//, '').toLowerCase())}
      />
      <label class="field">
        {t('saved.field.text')}
        <textarea
          ref={box}
          required
          rows={5}
          maxLength={2000}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <p class="line">
        <span class="quiet">{t('saved.insert')}</span>
        <button type="button" onClick={() => insert(`{{contact.first_name|${otherwise}}}`)}>
          {t('saved.insert.first')}
        </button>
        <button type="button" onClick={() => insert(`{{contact.name|${otherwise}}}`)}>
          {t('saved.insert.name')}
        </button>
      </p>
      {text.includes('{{') && (
        <dl class="facts">
          <dt>{t('saved.previewOf', { name: EXAMPLE })}</dt>
          <dd class="text">{filledIn(text, EXAMPLE)}</dd>
          <dt>{t('saved.preview.none')}</dt>
          <dd class="text">{filledIn(text, null)}</dd>
        </dl>
      )}
      <div class="actions">
        <button type="submit" class="main" disabled={work.busy}>
          {t('saved.save')}
        </button>
        <a class="button" href={back} onClick={follow}>
          {t('saved.cancel')}
        </a>
      </div>
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}
