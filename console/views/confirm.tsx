/** A tab of its own in which a person shows the identity provider again who he is, while the other tab waits. */
import { useEffect } from 'preact/hooks';
import { useWork } from '../load.js';
import { goToProvider, providerName } from '../oidc.js';
import { ErrorBox } from '../parts.js';
import { t } from '../words.js';

export function Confirming() {
  const work = useWork();
  const away = (): void => void work.run(() => goToProvider('/session/confirmation/oidc'));
  useEffect(away, []);
  return (
    <main class="alone">
      <h1>{t('oidc.confirmTitle')}</h1>
      {work.error === null ? (
        <p aria-busy="true">{t('oidc.confirming', { name: providerName ?? '' })}</p>
      ) : (
        <ErrorBox error={work.error} retry={away} />
      )}
    </main>
  );
}

export function Confirmed() {
  // Browsers close a tab that a link opened only where nothing else was shown in it.
  useEffect(() => close(), []);
  return (
    <main class="alone">
      <h1>{t('oidc.confirmed')}</h1>
      <p role="status">{t('oidc.confirmedHow')}</p>
      <p>
        <a href="/console">{t('oidc.toConsole')}</a>
      </p>
    </main>
  );
}
