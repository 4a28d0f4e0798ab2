/** The photos of a product: added from files or by address, ordered and removed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Field } from '../field.js';
import { messageOf } from '../parts.js';
import { Picture } from '../picture.js';
import { MOST_PHOTOS, type Photo, type Photos } from '../product-photos.js';
import { t } from '../words.js';
import { Thumb } from './attach.js';

/** Fine enough for a phone's screen. */
const THUMB_PX = 320;
type Side = 'left' | 'right';

export function ProductPhotos({
  photos,
  badUrl,
}: {
  readonly photos: Photos;
  /** The one that the server refused when the product was written. */
  readonly badUrl: string | null;
}) {
  const { shown, refused, add, move, remove } = photos;
  const input = useRef<HTMLInputElement>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [said, setSaid] = useState('');
  const [over, setOver] = useState(false);
  const next = useRef<{ readonly key: string; readonly does: string } | null>(null);
  // A button that moved, or was removed, takes the focus with it. An effect after drawing would come too early: the next
  // drawing first runs what is left of the last one, which still sees the buttons in their old places.
  useLayoutEffect(() => {
    if (next.current === null) return;
    const { key, does } = next.current;
    next.current = null;
    const buttons = [
      ...(list.current?.querySelectorAll<HTMLButtonElement>(`[data-key="${key}"] button[data-does]`) ?? []),
    ].filter(({ disabled }) => !disabled);
    const same = buttons.find(({ dataset }) => dataset['does'] === does);
    (same ?? buttons[0] ?? addButton.current)?.focus();
  });
  const shift = (key: string, index: number, side: Side): void => {
    const by = side === 'left' ? -1 : 1;
    if (shown[index + by] === undefined) return;
    next.current = { key, does: side };
    move(key, by);
    setSaid(t('pictures.moved', { number: index + by + 1, count: shown.length }));
  };
  const takeAway = (key: string, index: number): void => {
    next.current = { key: (shown[index + 1] ?? shown[index - 1])?.key ?? '', does: 'remove' };
    remove(key);
    setSaid(t('pictures.removed'));
  };
  const full = shown.length >= MOST_PHOTOS;
  const badAt = shown.findIndex(({ url }) => url !== null && url === badUrl);
  const bad = shown[badAt];
  return (
    <fieldset
      class={over ? 'wide photos over' : 'wide photos'}
      onDragOver={(event) => {
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node) || !currentTarget.contains(relatedTarget)) setOver(false);
      }}
      onDrop={(event) => {
        setOver(false);
        const files = event.dataTransfer?.files;
        if (files === undefined || files.length === 0) return;
        event.preventDefault();
        add(files);
      }}
      onPaste={(event) => {
        const files = event.clipboardData?.files;
        if (files === undefined || files.length === 0) return;
        event.preventDefault();
        add(files);
      }}
    >
      <legend>{t('pictures.title')}</legend>
      <p class="quiet">{t('pictures.how', { most: MOST_PHOTOS })}</p>
      {shown.length > 0 && (
        <ol ref={list}>
          {shown.map((photo, index) => (
            <Item
              key={photo.key}
              photo={photo}
              index={index}
              isLast={index === shown.length - 1}
              isBad={index === badAt}
              onMove={(side) => shift(photo.key, index, side)}
              onRemove={() => takeAway(photo.key, index)}
              onAgain={() => photos.again(photo.key)}
            />
          ))}
        </ol>
      )}
      {bad !== undefined && (
        <p class="bad" role="alert">
          <span aria-hidden="true">■</span>{' '}
          {t(bad.bytes === null ? 'pictures.addressBad' : 'pictures.gone', { number: badAt + 1 })}
        </p>
      )}
      {refused.length > 0 && (
        <div class="bad" role="alert">
          <span aria-hidden="true">■</span> {t('pictures.refused')}
          <ul>
            {refused.map(({ key, name, reason }) => (
              <li key={key}>
                <strong>{name}</strong>: {t(`pictures.refused.${reason}`)}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="actions">
        <button
          ref={addButton}
          data-op="uploadStoreImage"
          type="button"
          disabled={full}
          onClick={() => input.current?.click()}
        >
          <span aria-hidden="true">+</span> {t('pictures.add')}
        </button>
        <span class="quiet drop">{t(full ? 'pictures.full' : 'pictures.drop')}</span>
        <span class="hidden" role="status">
          {said}
        </span>
      </div>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="image/*"
        onChange={({ currentTarget }) => {
          if (currentTarget.files !== null) add(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <ByAddress full={full} onAdd={photos.addAddress} />
    </fieldset>
  );
}

function Item({
  photo: { key, name, url, bytes, progress, error },
  index,
  isLast,
  isBad,
  onMove,
  onRemove,
  onAgain,
}: {
  readonly photo: Photo;
  readonly index: number;
  readonly isLast: boolean;
  readonly isBad: boolean;
  readonly onMove: (side: Side) => void;
  readonly onRemove: () => void;
  readonly onAgain: () => void;
}) {
  const number = index + 1;
  return (
    <li
      data-key={key}
      class={isBad || error !== null ? 'faulty' : ''}
      onKeyDown={(event) => {
        const side = { ArrowLeft: 'left', ArrowRight: 'right' }[event.key];
        if (side !== 'left' && side !== 'right') return;
        event.preventDefault();
        onMove(side);
      }}
    >
      <div class="thumb" role="img" aria-label={t('pictures.photo', { number, name })}>
        {bytes === null ? <Picture url={url} name={hostOf(name)} /> : <Thumb bytes={bytes} side={THUMB_PX} />}
        {index === 0 && <span class="main">{t('pictures.main')}</span>}
      </div>
      {progress !== null && (
        <progress aria-label={t('pictures.uploading', { number })} value={progress} max={1} />
      )}
      {error !== null && (
        <p class="bad" role="alert">
          <span aria-hidden="true">■</span> {t('pictures.failed')}: {messageOf(error)}{' '}
          <button type="button" onClick={onAgain}>
            {t('error.retry')}
          </button>
        </p>
      )}
      <div class="moves">
        <button
          type="button"
          data-does="left"
          aria-label={t('pictures.left', { number })}
          disabled={index === 0}
          onClick={() => onMove('left')}
        >
          ‹
        </button>
        <button
          type="button"
          data-does="remove"
          aria-label={t('pictures.remove', { number })}
          onClick={onRemove}
        >
          ×
        </button>
        <button
          type="button"
          data-does="right"
          aria-label={t('pictures.right', { number })}
          disabled={isLast}
          onClick={() => onMove('right')}
        >
          ›
        </button>
      </div>
    </li>
  );
}

/** Its first letter stands for a picture of another host, which the page does not load. */
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

function ByAddress({ full, onAdd }: { readonly full: boolean; readonly onAdd: (url: string) => void }) {
  const [address, setAddress] = useState('');
  const add = (): void => {
    const url = address.trim();
    if (url === '' || full) return;
    onAdd(url);
    setAddress('');
  };
  return (
    <details
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return;
        // Adds the photo; it does not save the product.
        event.preventDefault();
        add();
      }}
    >
      <summary>{t('pictures.byAddress')}</summary>
      <Field
        label={t('pictures.address')}
        hint={t('pictures.addressHow')}
        maxLength={2000}
        value={address}
        onInput={setAddress}
      />
      <button type="button" disabled={full || address.trim() === ''} onClick={add}>
        {t('form.add')}
      </button>
    </details>
  );
}
