import type { ComponentChildren } from 'preact';
import type { Pages } from './pages.js';
import { ErrorBox, Working } from './parts.js';
import { t } from './words.js';

/** The rows of a list, with what stands there when it is empty, and the button for more. */
export function Listed<T>({
  pages,
  empty,
  children,
}: {
  readonly pages: Pages<T>;
  readonly empty: ComponentChildren;
  readonly children: (rows: readonly T[]) => ComponentChildren;
}) {
  const { rows, error, reload, more, busy, moreError } = pages;
  if (rows === undefined && error === null) return <Working />;
  return (
    <>
      {error !== null && <ErrorBox error={error} retry={reload} />}
      {rows !== undefined && (rows.length === 0 ? empty : children(rows))}
      {moreError !== null && <ErrorBox error={moreError} />}
      {more !== null && (
        <button type="button" class="more" disabled={busy} onClick={more}>
          {t('load.more')}
        </button>
      )}
    </>
  );
}
