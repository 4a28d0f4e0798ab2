/** Small parts that several views use. */
import type { ComponentChildren } from 'preact';
import type { ApiError } from './api.js';
import type { Loaded } from './load.js';
import { ago, fullTime, named, shortTime, t } from './words.js';

/** In the words of a person where this release has them, else as the API explains it. */
export function messageOf({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string | null;
}): string {
  if (code === 'unreachable') return t('error.unreachable');
  const own = named('refusal', code);
  return own === code ? (message ?? code) : own;
}

export function ErrorBox({ error, retry }: { readonly error: ApiError; readonly retry?: () => void }) {
  return (
    <div class="error" role="alert">
      <strong>{t('error.title')}</strong>
      <p>{messageOf(error)}</p>
      {error.fields.length > 0 && (
        <ul>
          {error.fields.map(({ path, message }) => (
            <li key={path}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet">
        <code>{error.code}</code>
        {error.requestId !== null && <> · {t('error.request', { id: error.requestId })}</>}
      </p>
      {retry && (
        <button type="button" onClick={retry}>
          {t('error.retry')}
        </button>
      )}
    </div>
  );
}

export const Working = () => (
  <p class="quiet" aria-busy="true">
    {t('load.working')}
  </p>
);

/** What was read, or why it was not, or that it is being read. */
export function Shown<T>({
  loaded,
  children,
}: {
  readonly loaded: Loaded<T>;
  readonly children: (data: T) => ComponentChildren;
}) {
  const { data, error, reload } = loaded;
  if (data === undefined && error === null) return <Working />;
  return (
    <>
      {error !== null && <ErrorBox error={error} retry={reload} />}
      {data !== undefined && children(data)}
    </>
  );
}

/** As a list or a heading names a person. */
export const personName = (
  person: { readonly name?: string | null; readonly phone?: string | null } | null | undefined,
): string => person?.name ?? person?.phone ?? t('inbox.somebody');

/** What was typed into a field of a form, without spaces around it. */
export function fieldOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value.trim() : '';
}

export const Time = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={fullTime(at)}>
    {shortTime(at)}
  </time>
);

/** Such as `12 min ago`, with the time itself for who points at it. */
export const Ago = ({ at }: { readonly at: string }) => (
  <time dateTime={at} title={fullTime(at)}>
    {ago(at)}
  </time>
);

/** A state in words, with a mark beside the colour. */
export const Badge = ({
  kind,
  children,
}: {
  readonly kind: 'good' | 'warn' | 'bad' | 'plain';
  readonly children: ComponentChildren;
}) => (
  <span class={`badge ${kind}`}>
    <span aria-hidden="true">{{ good: '●', warn: '▲', bad: '■', plain: '○' }[kind]}</span> {children}
  </span>
);
