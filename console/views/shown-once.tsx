/** A secret that the API shows once. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { CopyButton } from '../copy.js';
import { t } from '../words.js';

export function ShownOnce({
  title,
  how,
  text,
  copy,
  children,
}: {
  readonly title: string;
  readonly how: string;
  readonly text: string;
  /** The words on the button. */
  readonly copy: string;
  readonly children?: ComponentChildren;
}) {
  const box = useRef<HTMLElement>(null);
  // It appears where the person may not be looking, and will not come again.
  useLayoutEffect(() => box.current?.focus(), [text]);
  return (
    <section ref={box} class="told" role="status" tabIndex={-1} aria-label={title}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{how}</p>
      <pre class="wrap">
        <code>{text}</code>
      </pre>
      <p class="line">
        <CopyButton text={text}>{copy}</CopyButton>
      </p>
      {children}
    </section>
  );
}

/** A webhook secret that was made just now. */
export const NewSecret = ({ text }: { readonly text: string }) => (
  <ShownOnce
    title={t('apiKeys.secretShown')}
    how={t('apiKeys.secretHow')}
    text={text}
    copy={t('apiKeys.copySecret')}
  />
);

/** Made on one page and shown on the next. It is in no address and in no storage. */
let kept: { readonly of: string; readonly secret: string } | null = null;

export const keepSecret = (of: string, secret: string): void => void (kept = { of, secret });

/** Once. */
export function takeSecret(of: string): string | null {
  const secret = kept?.of === of ? kept.secret : null;
  kept = null;
  return secret;
}
