import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import type { Company } from '../shapes.js';
import { t } from '../words.js';

/** The company's caps of marketing, and the words by which customers steer it. */
export function Marketing({ company }: { readonly company: string }) {
  const loaded = useLoad(() => get<Company>(`/companies/${company}`), [company]);
  const [saved, setSaved] = useState(false);
  return (
    <section aria-labelledby="marketing">
      <h2 id="marketing">{t('company.title')}</h2>
      <Shown loaded={loaded}>
        {(read) => (
          <Form
            key={read.updated_at}
            company={read}
            saved={saved}
            onSaved={(done) => {
              setSaved(done);
              if (done) loaded.reload();
            }}
          />
        )}
      </Shown>
    </section>
  );
}

const wordsOf = (text: string): readonly string[] =>
  text
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean);

const CAPS = [
  ['per_contact_per_day', 'company.perContactDay'],
  ['per_contact_per_week', 'company.perContactWeek'],
  ['per_day', 'company.perDay'],
] as const;

const LISTS = [
  ['stop', 'company.stop', 'company.stopHow'],
  ['resume', 'company.resume', 'company.resumeHow'],
  ['person', 'company.person', 'company.personHow'],
] as const;

function Form({
  company,
  saved,
  onSaved,
}: {
  readonly company: Company;
  readonly saved: boolean;
  readonly onSaved: (done: boolean) => void;
}) {
  const { marketing, opt_out_words: optOut, person_words: person } = company;
  const before: Readonly<Record<string, string>> = {
    stop: optOut.stop.join(', '),
    resume: optOut.resume.join(', '),
    person: person.join(', '),
  };
  const [enabled, setEnabled] = useState(marketing.enabled);
  const [caps, setCaps] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(CAPS.map(([name]) => [name, String(marketing[name])])),
  );
  const [words, setWords] = useState(before);
  const work = useWork();
  const save = async (): Promise<void> => {
    const path = `/companies/${company.uuid}`;
    const changed = (name: string): boolean => words[name] !== before[name];
    const done = await work.run(async () => {
      const numbers = Object.fromEntries(CAPS.map(([name]) => [name, Number(caps[name])]));
      await send('PATCH', `${path}/marketing`, { enabled, ...numbers });
      if (changed('stop') || changed('resume'))
        await send('PATCH', `${path}/opt-out-words`, {
          stop: wordsOf(words['stop'] ?? ''),
          resume: wordsOf(words['resume'] ?? ''),
        });
      if (changed('person'))
        await send('PATCH', `${path}/person-words`, { words: wordsOf(words['person'] ?? '') });
    });
    onSaved(done);
  };
  return (
    <form
      data-op="changeMarketing"
      class="grid"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label class="check wide">
        <input
          type="checkbox"
          checked={enabled}
          onChange={({ currentTarget }) => setEnabled(currentTarget.checked)}
        />
        {t('company.enabled')}
      </label>
      {CAPS.map(([name, word]) => (
        <Field
          key={name}
          label={t(word)}
          type="number"
          required
          min={0}
          max={100_000}
          value={caps[name] ?? ''}
          onInput={(value) => setCaps({ ...caps, [name]: value })}
        />
      ))}
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
      {work.error !== null && <ErrorBox error={work.error} />}
      <div class="actions wide">
        <button type="submit" class="main" disabled={work.busy}>
          {t(work.busy ? 'form.saving' : 'form.save')}
        </button>
        <span role="status">{saved && t('form.saved')}</span>
      </div>
    </form>
  );
}
