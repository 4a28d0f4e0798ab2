/** A rehearsal: the user plays the customer and the other systems; the server's own interpreter answers. */
import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import type { Definition } from '../flow/definition.js';
import { useKept, useLoad } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { named, t } from '../words.js';

type Rehearsed = Schemas['FlowRehearsalResponse']['data'];
type Input = NonNullable<Schemas['FlowRehearsalRequest']['inputs']>[number];

export function FlowTry({ definition }: { readonly definition: Definition }) {
  const [inputs, setInputs] = useState<readonly Input[]>([]);
  const latest = useLoad(
    async () => ({
      played: await send<Rehearsed>('POST', '/flows/rehearse', { definition, inputs: [...inputs] }),
      answers: inputs.length,
    }),
    [inputs.length],
  );
  const kept = useKept(latest);
  const answers = kept.data?.answers ?? 0;
  // What was said stays while the next answer is on its way; a new start drops it.
  const loaded = answers > inputs.length ? { ...latest, data: undefined } : kept;
  const busy = answers !== inputs.length;
  return (
    <section aria-labelledby="chat">
      <h2 id="chat">{t('try.chat')}</h2>
      <p class="quiet">{t('try.how')}</p>
      {loaded.error?.code === 'flow_invalid' ? (
        <>
          <p>{t('try.broken')}</p>
          <ErrorBox error={loaded.error} retry={loaded.reload} />
        </>
      ) : (
        <Shown loaded={loaded}>
          {({ played }) => (
            <>
              <ol class="chat" aria-live="polite" aria-busy={busy}>
                {lines(played, inputs).map(({ kind, text }, index) => (
                  <li key={index} class={kind}>
                    {text}
                  </li>
                ))}
                {played.ended !== null && (
                  <li class="does">
                    {t('try.ended', { status: named('run', played.ended.status) })}
                    {played.ended.reason !== null && ` (${played.ended.reason})`}
                  </li>
                )}
              </ol>
              {played.waiting !== null && (
                <Answer
                  key={played.waiting}
                  waiting={played.waiting}
                  choices={choicesOf(played)}
                  busy={busy}
                  onAnswer={(input) => setInputs([...inputs, input])}
                />
              )}
            </>
          )}
        </Shown>
      )}
      <button type="button" disabled={inputs.length === 0} onClick={() => setInputs([])}>
        {t('try.again')}
      </button>
    </section>
  );
}

interface Line {
  readonly kind: 'says' | 'mine' | 'does';
  readonly text: string;
}

const NEEDS = new Set(['ask', 'wait_for_callback', 'http_request']);

function lines({ scenes }: Rehearsed, inputs: readonly Input[]): readonly Line[] {
  let used = 0;
  return scenes.flatMap(({ block, effect }): readonly Line[] => {
    const kind = String(effect['do']);
    const text = effect['text'];
    const said: Line =
      typeof text === 'string'
        ? { kind: 'says', text }
        : { kind: 'does', text: `${block}: ${named('kind', kind)}${details(effect)}` };
    if (kind === 'move') return [];
    const input = NEEDS.has(kind) ? inputs[used] : undefined;
    if (input === undefined) return [said];
    used += 1;
    return [said, { kind: 'mine', text: inputText(input, choicesIn(effect)) }];
  });
}

function details(effect: Readonly<Record<string, unknown>>): string {
  const told = Object.entries(effect).filter(([name, value]) => name !== 'do' && value !== null);
  if (told.length === 0) return '';
  return ` – ${told
    .map(
      ([name, value]) =>
        `${named('field', name)}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(', ')}`;
}

const inputText = (input: Input, choices: readonly Choice[]): string => {
  if (input.silence === true) return t('try.silence');
  const tapped = choices.find(({ id }) => id === input.choice)?.title;
  const told = tapped ?? input.reply ?? input.choice ?? input.error ?? input.answer;
  return typeof told === 'string' ? told : JSON.stringify(told);
};

interface Choice {
  readonly id: string;
  readonly title: string;
}

type Effect = Rehearsed['scenes'][number]['effect'];

const choicesIn = (effect: Effect): readonly Choice[] =>
  (effect['choices'] as readonly Choice[] | null | undefined) ?? [];
const choicesOf = ({ scenes }: Rehearsed): readonly Choice[] => choicesIn(scenes.at(-1)?.effect ?? {});

function Answer({
  waiting,
  choices,
  busy,
  onAnswer,
}: {
  readonly waiting: string;
  readonly choices: readonly Choice[];
  /** The flow has not taken the answer before. The field stays enabled, because it would lose the focus. */
  readonly busy: boolean;
  readonly onAnswer: (input: Input) => void;
}) {
  const asks = waiting === 'ask';
  const unanswered = asks ? '' : '{}';
  const [text, setText] = useState(unanswered);
  const json = readable(text);
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        if (busy) return;
        if (asks) onAnswer({ reply: text });
        else if (json !== undefined) onAnswer({ answer: json });
        setText(unanswered);
      }}
    >
      {choices.map(({ id, title }) => (
        <button key={id} type="button" disabled={busy} onClick={() => onAnswer({ choice: id })}>
          {title}
        </button>
      ))}
      <label>
        {t(asks ? 'try.reply' : 'try.answer')}{' '}
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button type="submit" class="main" disabled={busy || (asks ? text.trim() === '' : json === undefined)}>
        {t('try.send')}
      </button>
      {waiting !== 'http_request' && (
        <button type="button" disabled={busy} onClick={() => onAnswer({ silence: true })}>
          {t('try.silence')}
        </button>
      )}
      {waiting === 'http_request' && (
        <button type="button" disabled={busy} onClick={() => onAnswer({ error: 'request_timeout' })}>
          {t('try.fail')}
        </button>
      )}
    </form>
  );
}

function readable(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
