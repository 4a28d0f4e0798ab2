import { useState } from 'preact/hooks';
import { Field } from '../field.js';
import type { Endpoint, Integration } from '../shapes.js';
import { t } from '../words.js';

export const EVENT_TYPES = [
  'message.received',
  'message.status.updated',
  'message.transcribed',
  'message.updated',
  'message.deleted',
  'conversation.created',
  'conversation.updated',
  'flow.execution.updated',
  'order.created',
] as const;

interface Written {
  readonly integration: string;
  readonly url: string;
  readonly event_types: readonly string[] | null;
}

/** @param endpoint the one that is changed; without it a new one is made for one of `integrations` */
export function EndpointForm({
  endpoint,
  integrations = [],
  busy,
  yes,
  save,
}: {
  readonly endpoint?: Endpoint;
  readonly integrations?: readonly Integration[];
  readonly busy: boolean;
  readonly yes: string;
  readonly save: (written: Written) => void;
}) {
  const [url, setUrl] = useState(endpoint?.url ?? '');
  const [integration, setIntegration] = useState(integrations[0]?.uuid ?? '');
  const [all, setAll] = useState(!endpoint?.event_types);
  const [types, setTypes] = useState<readonly string[]>(endpoint?.event_types ?? []);
  return (
    <form
      data-op="createWebhookEndpoint"
      onSubmit={(event) => {
        event.preventDefault();
        save({ integration, url: url.trim(), event_types: all ? null : types });
      }}
    >
      {integrations.length > 0 && (
        <label class="field">
          {t('webhooks.integration')}
          <select value={integration} onChange={({ currentTarget }) => setIntegration(currentTarget.value)}>
            {integrations.map(({ uuid, name }) => (
              <option key={uuid} value={uuid}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Field
        label={t('webhooks.address')}
        hint={t('webhooks.addressHow')}
        type="url"
        required
        maxLength={2000}
        value={url}
        onInput={setUrl}
      />
      <fieldset>
        <legend>{t('webhooks.types')}</legend>
        <label class="check">
          <input
            type="checkbox"
            checked={all}
            onChange={({ currentTarget }) => setAll(currentTarget.checked)}
          />
          {t('webhooks.allTypes')}
        </label>
        {!all &&
          EVENT_TYPES.map((type) => (
            <label key={type} class="check">
              <input
                type="checkbox"
                checked={types.includes(type)}
                onChange={({ currentTarget }) =>
                  setTypes(currentTarget.checked ? [...types, type] : types.filter((each) => each !== type))
                }
              />
              <code>{type}</code>
            </label>
          ))}
      </fieldset>
      <button type="submit" class="main" disabled={busy || (!all && types.length === 0)}>
        {yes}
      </button>
    </form>
  );
}
