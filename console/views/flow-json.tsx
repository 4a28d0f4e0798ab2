import { useState } from 'preact/hooks';
import { CopyButton } from '../copy.js';
import type { Definition } from '../flow/definition.js';
import { t } from '../words.js';

export function FlowJson({
  definition,
  onChange,
}: {
  readonly definition: Definition;
  readonly onChange: (definition: Definition) => void;
}) {
  const text = JSON.stringify(definition, null, 2);
  const [edited, setEdited] = useState(text);
  const [fault, setFault] = useState<string | null>(null);
  const apply = (): void => {
    try {
      const read = JSON.parse(edited) as Definition;
      if (typeof read !== 'object' || typeof read.blocks !== 'object') throw new Error('blocks');
      setFault(null);
      onChange(read);
    } catch (error) {
      setFault(t('flows.notJson', { why: String(error) }));
    }
  };
  return (
    <section class="json" aria-label={t('flows.tab.json')}>
      <textarea
        aria-label={t('flows.tab.json')}
        spellcheck={false}
        value={edited}
        onInput={({ currentTarget }) => setEdited(currentTarget.value)}
      />
      {fault !== null && (
        <p class="bad" role="alert">
          {fault}
        </p>
      )}
      <div class="actions">
        <button type="button" disabled={edited === text} onClick={apply}>
          {t('flows.apply')}
        </button>
        <CopyButton text={text}>{t('flows.copy')}</CopyButton>
      </div>
    </section>
  );
}
