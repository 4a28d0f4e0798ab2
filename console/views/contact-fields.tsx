/** The company's own fields of a person. Values that are no text come from programs, and are shown as they are. */
import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import type { Contact } from '../shapes.js';
import { t } from '../words.js';

const isText = (value: unknown): value is string | null => value === null || typeof value === 'string';

export function CustomFields({
  contact,
  onChange,
}: {
  readonly contact: Contact;
  readonly onChange: () => void;
}) {
  const [changed, setChanged] = useState<Readonly<Record<string, string>>>({});
  const [name, setName] = useState('');
  const [value, setValue] = useState('');
  const [saved, setSaved] = useState(false);
  const work = useWork();
  const all = Object.entries(contact.custom_fields ?? {});
  const added = name.trim();
  const save = async (): Promise<void> => {
    setSaved(false);
    // A key can't be taken away: what is emptied becomes null.
    const fields = Object.fromEntries(
      Object.entries({ ...changed, ...(added === '' ? {} : { [added]: value }) }).map(([key, text]) => [
        key,
        text.trim() === '' ? null : text.trim(),
      ]),
    );
    if (!(await work.run(() => send('PATCH', `/contacts/${contact.uuid}`, { custom_fields: fields }))))
      return;
    setChanged({});
    setName('');
    setValue('');
    setSaved(true);
    onChange();
  };
  return (
    <section aria-labelledby="fields">
      <h2 id="fields">{t('contacts.fields')}</h2>
      <form
        data-op="changeContact"
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {all.length === 0 && <p class="quiet">{t('contacts.noFields')}</p>}
        {all.map(([key, now]) =>
          isText(now) ? (
            <Field
              key={key}
              label={key}
              maxLength={2000}
              value={changed[key] ?? now ?? ''}
              onInput={(text) => setChanged({ ...changed, [key]: text })}
            />
          ) : (
            <dl key={key} class="facts">
              <dt>{key}</dt>
              <dd>
                <code>{JSON.stringify(now)}</code>
              </dd>
            </dl>
          ),
        )}
        <fieldset>
          <legend>{t('contacts.newField')}</legend>
          <Field label={t('contacts.fieldName')} maxLength={128} value={name} onInput={setName} />
          <Field label={t('contacts.fieldValue')} maxLength={2000} value={value} onInput={setValue} />
        </fieldset>
        <div class="actions">
          <button
            type="submit"
            class="main"
            disabled={work.busy || (added === '' && Object.keys(changed).length === 0)}
          >
            {t('contacts.saveFields')}
          </button>
          <span role="status">{saved && t('contacts.saved')}</span>
        </div>
      </form>
      {work.error !== null && <ErrorBox error={work.error} />}
    </section>
  );
}
