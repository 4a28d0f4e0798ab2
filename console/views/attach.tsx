/** A file for a message: chosen, dropped or pasted, shown before it is sent, and uploaded once. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { upload, type Schemas } from '../api.js';
import { attachmentOf, drawn, NotAttachable, sizeText, type Attachment, type FileKind } from '../files.js';
import { t } from '../words.js';
import { kindOf } from './message-fields.js';

export interface Attaching {
  readonly file: Attachment | null;
  /** From 0 to 1 while it is uploaded; null otherwise. */
  readonly progress: number | null;
  readonly refused: NotAttachable | null;
  readonly pick: (files: FileList | readonly File[] | null | undefined) => void;
  readonly remove: () => void;
  /** The uuid of the upload; a file that was uploaded before a failed send is not uploaded again. */
  readonly uploaded: () => Promise<string>;
}

/** @param only kinds that fit; all where left out */
export function useAttachment(conversation: string, only?: FileKind): Attaching {
  const [file, setFile] = useState<Attachment | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const [refused, setRefused] = useState<NotAttachable | null>(null);
  const done = useRef<{ readonly file: Attachment; readonly uuid: string } | null>(null);
  const pick: Attaching['pick'] = (files) => {
    const [first] = files ?? [];
    if (first === undefined) return;
    setRefused(null);
    attachmentOf(first).then(
      (found) => {
        if (only !== undefined && found.kind !== only) setRefused(new NotAttachable('type'));
        else setFile(found);
      },
      (error: unknown) => setRefused(error instanceof NotAttachable ? error : new NotAttachable('picture')),
    );
  };
  return {
    file,
    progress,
    refused,
    pick,
    remove: () => {
      setFile(null);
      setRefused(null);
    },
    async uploaded() {
      if (file === null) throw new Error('no file is attached');
      if (done.current?.file === file) return done.current.uuid;
      setProgress(0);
      try {
        const path = `/conversations/${conversation}/media?kind=${file.kind}`;
        const { upload_uuid: uuid } = await upload<Schemas['MediaUpload']>(
          path,
          file.bytes,
          file.type,
          setProgress,
        );
        done.current = { file, uuid };
        return uuid;
      } finally {
        setProgress(null);
      }
    },
  };
}

/** The button that opens the browser's choice of a file. */
export function AttachButton({
  attaching,
  accept,
  disabled = false,
}: {
  readonly attaching: Attaching;
  readonly accept: string;
  readonly disabled?: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" disabled={disabled} onClick={() => input.current?.click()}>
        <span aria-hidden="true">+</span> {t('file.attach')}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          attaching.pick(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The file before it is sent, how far it is, or why it can't be attached. */
export function Attached({ attaching }: { readonly attaching: Attaching }) {
  const { file, progress, refused, remove } = attaching;
  return (
    <>
      {refused !== null && (
        <p class="bad" role="alert">
          <span aria-hidden="true">■</span>{' '}
          {t(`file.refused.${refused.reason}`, { limit: sizeText(refused.limit) })}
        </p>
      )}
      {file !== null && (
        <div class="attached">
          {file.kind === 'image' && <Thumb bytes={file.bytes} />}
          <span class="name">{file.name}</span>{' '}
          <span class="quiet">
            {kindOf(file.kind)} · {sizeText(file.bytes.size)}
          </span>
          {progress === null ? (
            <button type="button" class="plain" onClick={remove}>
              {t('file.remove')}
            </button>
          ) : (
            <progress aria-label={t('file.uploading')} value={progress} max={1} />
          )}
        </div>
      )}
    </>
  );
}

const THUMB_PX = 96;

/** A picture of a local file; whoever shows it says what it is. */
export function Thumb({ bytes, side = THUMB_PX }: { readonly bytes: Blob; readonly side?: number }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    let gone = false;
    createImageBitmap(bytes).then(
      (picture) => {
        if (gone || canvas.current === null) return;
        const scale = Math.min(1, side / Math.max(picture.width, picture.height));
        drawn(picture, picture.width * scale, picture.height * scale, canvas.current);
        picture.close();
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [bytes]);
  return <canvas ref={canvas} width={side} height={side} aria-hidden="true" />;
}
