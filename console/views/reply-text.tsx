/** A text or a file for the customer, or a note for the team. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../api.js';
import { ACCEPTED } from '../files.js';
import { useKey, useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import type { Conversation } from '../shapes.js';
import { t } from '../words.js';
import { useSavedReplyPicker } from './saved-reply-picker.js';
import { AttachButton, Attached, useAttachment, type Attaching } from './attach.js';

const LONGEST = { text: 4096, caption: 1024, note: 4096 } as const;

export function TextForm({
  company,
  mode,
  conversation,
  disabled,
  onSent,
  onTyping,
  takeOver,
}: {
  readonly company: string;
  readonly mode: 'text' | 'note';
  readonly conversation: Conversation;
  readonly disabled: boolean;
  readonly onSent: () => void;
  readonly onTyping: (something: boolean) => void;
  readonly takeOver: (() => Promise<void>) | null;
}) {
  const { uuid } = conversation;
  const [text, setText] = useState('');
  const work = useWork();
  const keyOf = useKey();
  const attaching = useAttachment(uuid);
  const { file } = attaching;
  const takesFiles = mode === 'text' && !disabled;
  const silent = file?.kind === 'audio';
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLTextAreaElement>(null);
  const picking = useSavedReplyPicker(company, conversation, box, setText);
  const picks = mode === 'text' && !disabled && !silent;
  const over = useDropped(form, takesFiles ? attaching : null);

  const sendNow = async (): Promise<unknown> => {
    const path = `/conversations/${uuid}`;
    if (mode === 'note') return send('POST', `${path}/notes`, { text });
    const message =
      file === null
        ? { type: 'text', content: { text } }
        : {
            type: file.kind,
            content: {
              upload_uuid: await attaching.uploaded(),
              ...(silent || text.trim() === '' ? {} : { caption: text }),
              ...(file.kind === 'document' ? { filename: file.name.slice(-240) } : {}),
            },
          };
    // First, so that the flow says nothing more.
    await takeOver?.();
    return send('POST', `${path}/messages`, message, keyOf(JSON.stringify(message)));
  };
  const submit = async (): Promise<void> => {
    if (!(await work.run(sendNow))) return;
    setText('');
    onTyping(false);
    attaching.remove();
    onSent();
  };
  const ready = file !== null || text.trim() !== '';
  const label = t(
    mode === 'note' ? 'reply.notePlaceholder' : file === null ? 'reply.placeholder' : 'file.caption',
  );
  return (
    <form
      data-op="writeNote"
      ref={form}
      class={over ? 'over' : ''}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void submit();
      }}
    >
      <Attached attaching={attaching} />
      {picks && picking.list}
      {silent ? (
        <p class="quiet">{t('file.noCaption')}</p>
      ) : (
        <textarea
          ref={box}
          {...(picks ? picking.attributes : {})}
          aria-label={label}
          placeholder={over ? t('file.drop') : label}
          rows={3}
          maxLength={LONGEST[mode === 'note' ? 'note' : file === null ? 'text' : 'caption']}
          value={text}
          disabled={disabled}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value);
            if (picks) picking.look(currentTarget);
            if (mode === 'text') onTyping(currentTarget.value !== '');
          }}
          onBlur={picking.close}
          onPaste={(event) => {
            const files = event.clipboardData?.files;
            if (!takesFiles || files === undefined || files.length === 0) return;
            event.preventDefault();
            attaching.pick(files);
          }}
          onKeyDown={(event) => {
            if (picks && !event.isComposing && picking.press(event)) {
              event.preventDefault();
              return;
            }
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            if (ready) void submit();
          }}
        />
      )}
      {mode === 'text' && (
        <button type="button" disabled={!picks} onClick={picking.begin} aria-expanded={picking.isOpen}>
          <span aria-hidden="true">/</span> {t('saved.open')}
        </button>
      )}
      {mode === 'text' && <AttachButton attaching={attaching} accept={ACCEPTED} disabled={!takesFiles} />}
      <button type="submit" class="main" disabled={disabled || work.busy || !ready}>
        {work.busy
          ? t('reply.sending')
          : t(mode === 'note' ? 'reply.save' : takeOver === null ? 'reply.send' : 'reply.takeOverAndSend')}
      </button>
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}

/** Files may be dropped anywhere on the thread. Returns whether one is over it. */
function useDropped(form: { readonly current: HTMLElement | null }, attaching: Attaching | null): boolean {
  const [over, setOver] = useState(false);
  const newest = useRef(attaching);
  newest.current = attaching;
  useEffect(() => {
    const thread = form.current?.closest<HTMLElement>('.thread');
    if (!thread) return;
    const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false;
    const dragged = (event: DragEvent): void => {
      if (!hasFile(event) || newest.current === null) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget instanceof Node && thread.contains(event.relatedTarget)) return;
      setOver(false);
    };
    const dropped = (event: DragEvent): void => {
      setOver(false);
      if (!hasFile(event) || newest.current === null) return;
      event.preventDefault();
      newest.current.pick(event.dataTransfer?.files);
    };
    thread.addEventListener('dragover', dragged);
    thread.addEventListener('dragleave', left);
    thread.addEventListener('drop', dropped);
    return () => {
      thread.removeEventListener('dragover', dragged);
      thread.removeEventListener('dragleave', left);
      thread.removeEventListener('drop', dropped);
    };
  }, []);
  return over;
}
