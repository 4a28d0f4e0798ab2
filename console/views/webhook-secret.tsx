/** The secret by which an integration checks its webhooks, and its rotation. */
import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import { useAsk } from '../ask.js';
import { useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { useMay } from '../session.js';
import type { Integration } from '../shapes.js';
import { fullTime, t } from '../words.js';
import { NewSecret } from './shown-once.js';

/** In seconds, with their words. */
const OVERLAPS = [
  [86_400, 'apiKeys.overlapDay'],
  [604_800, 'apiKeys.overlapWeek'],
  [0, 'apiKeys.overlapNone'],
] as const;

export function WebhookSecret({
  integration: { uuid, previous_secret_expires_at: until },
  onChanged,
}: {
  readonly integration: Integration;
  readonly onChanged: () => void;
}) {
  const work = useWork();
  const [ask, question] = useAsk();
  const mayChange = useMay('rotateWebhookSecret');
  const [overlap, setOverlap] = useState<number>(OVERLAPS[0][0]);
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = async (): Promise<void> => {
    const sure = await ask({
      title: t('apiKeys.rotateTitle'),
      text: t(overlap === 0 ? 'apiKeys.rotateLeak' : 'apiKeys.rotateText'),
      yes: t('apiKeys.rotate'),
    });
    if (sure === null) return;
    await work.run(async () => {
      const made = await send<Schemas['SecretRotated']>(
        'POST',
        `/integrations/${uuid}/webhook-secret/rotate`,
        {
          grace_seconds: overlap,
        },
      );
      setSecret(made.webhook_secret);
      onChanged();
    });
  };
  return (
    <section aria-labelledby="webhook-secret">
      <h2 id="webhook-secret">{t('apiKeys.webhook')}</h2>
      <p class="quiet">{t('apiKeys.webhookWhat')}</p>
      <p>
        {until && Date.parse(until) > Date.now()
          ? t('apiKeys.both', { time: fullTime(until) })
          : t('apiKeys.one')}
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
      {secret !== null && <NewSecret text={secret} />}
      {mayChange && (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            void rotate();
          }}
        >
          <label class="field">
            {t('apiKeys.overlap')}
            <select value={overlap} onChange={({ currentTarget }) => setOverlap(Number(currentTarget.value))}>
              {OVERLAPS.map(([seconds, word]) => (
                <option key={seconds} value={seconds}>
                  {t(word)}
                </option>
              ))}
            </select>
          </label>
          <div class="actions">
            <button type="submit" disabled={work.busy}>
              {t('apiKeys.rotate')}
            </button>
          </div>
        </form>
      )}
      {question}
    </section>
  );
}
