/** Caps of marketing, and the words by which customers steer it. */
import { useState } from 'preact/hooks';
import { send } from '../api.js';
import { Field } from '../field.js';
import { useWork } from '../load.js';
import type { Company } from '../shapes.js';
import { t } from '../words.js';
import { Saving } from './settings-parts.js';

interface Props {
  readonly company: Company;
  readonly onSaved: () => void;
}

/** With what holds where nobody has changed it. */
const CAPS = [
  ['per_contact_per_day', 'settings.perContactDay', 2],
  ['per_contact_per_week', 'settings.perContactWeek', 6],
  ['per_day', 'settings.perDay', 1_000],
] as const;

export function Marketing({ company, onSaved }: Props) {
  const { marketing, uuid } = company;
  const [enabled, setEnabled] = useState(marketing.enabled);
  const [caps, setCaps] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(CAPS.map(([name]) => [name, String(marketing[name])])),
  );
  const work = useWork();
  const save = async (): Promise<void> => {
    const numbers = Object.fromEntries(CAPS.map(([name]) => [name, Number(caps[name])]));
    await send('PATCH', `/companies/${uuid}/marketing`, { enabled, ...numbers });
    onSaved();
  };
  return (
    <section aria-labelledby="marketing">
      <h2 id="marketing">{t('settings.marketing')}</h2>
      <p class="quiet">{t('settings.marketingHow')}</p>
      <form
        data-op="changeMarketing"
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(save);
        }}
      >
        <label class="check wide">
          <input
            type="checkbox"
            checked={enabled}
            onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
          />
          {t('settings.enabled')} <span class="quiet">{t('settings.off')}</span>
        </label>
        {CAPS.map(([name, word, first]) => (
          <Field
            key={name}
            label={t(word)}
            hint={t('settings.first', { value: first })}
            type="number"
            required
            min={0}
            max={100_000}
            value={caps[name] ?? ''}
            onInput={(value) => setCaps({ ...caps, [name]: value })}
          />
        ))}
        <Saving work={work} label={t('settings.saveMarketing')} />
      </form>
    </section>
  );
}

const LISTS = [
  ['stop', 'settings.stop', 'settings.stopHow'],
  ['resume', 'settings.resume', 'settings.resumeHow'],
  ['person', 'settings.person', 'settings.personHow'],
] as const;

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

export function OwnWords({ company, onSaved }: Props) {
  const { uuid, opt_out_words: optOut, person_words: person } = company;
  const before: Readonly<Record<string, string>> = {
    stop: optOut.stop.join(', '),
    resume: optOut.resume.join(', '),
    person: person.join(', '),
  };
  const [words, setWords] = useState(before);
  const work = useWork();
  const save = async (): Promise<void> => {
    const changed = (name: string): boolean => words[name] !== before[name];
    if (changed('stop') || changed('resume'))
      await send('PATCH', `/companies/${uuid}/opt-out-words`, {
        stop: wordsOf(words['stop'] ?? ''),
        resume: wordsOf(words['resume'] ?? ''),
      });
    if (changed('person'))
      await send('PATCH', `/companies/${uuid}/person-words`, { words: wordsOf(words['person'] ?? '') });
    onSaved();
  };
  return (
    <section aria-labelledby="own-words">
      <h2 id="own-words">{t('settings.words')}</h2>
      <p class="quiet">{t('settings.wordsHow')}</p>
      <form
        data-op="changeOptOutWords"
        class="grid"
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(save);
        }}
      >
        {LISTS.map(([name, word, how]) => (
          <Field
            key={name}
            label={t(word)}
            hint={t(how)}
            maxLength={2000}
            value={words[name] ?? ''}
            onInput={(value) => setWords({ ...words, [name]: value })}
          />
        ))}
        <Saving work={work} label={t('settings.saveWords')} />
      </form>
    </section>
  );
}
