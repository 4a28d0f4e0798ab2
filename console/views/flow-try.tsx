/** A rehearsal: the user plays the customer and the other systems; the server's own interpreter answers. */
import { useState } from 'preact/hooks';
import { send, type Schemas } from '../api.js';
import type { Definition } from '../flow/definition.js';
import { useLoad } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { named, t } from '../words.js';

type Rehearsed = Schemas['FlowRehearsalResponse']['data'];
type Input = NonNullable<Schemas['FlowRehearsalRequest']['inputs']>[number];

export function FlowTry({ definition }: { readonly definition: Definition }) {
  const [inputs, setInputs] = useState<readonly Input[]>([]);
  const loaded = useLoad(
    () => send<Rehearsed>('POST', '/flows/rehearse', { definition, inputs: [...inputs] }),
    [inputs.length],
  );
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
          {(played) => (
            <>
              <ol class="chat" aria-live="polite">
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
                  waiting={played.waiting}
                  choices={choicesOf(played)}
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
  onAnswer,
}: {
  readonly waiting: string;
  readonly choices: readonly Choice[];
  readonly onAnswer: (input: Input) => void;
}) {
  const [text, setText] = useState(waiting === 'ask' ? '' : '{}');
  const asks = waiting === 'ask';
  const json = readable(text);
  return (
    <form
      class="actions"
      onSubmit={(event) => {
        event.preventDefault();
        if (asks) onAnswer({ reply: text });
        else if (json !== undefined) onAnswer({ answer: json });
        setText('');
      }}
    >
      {choices.map(({ id, title }) => (
        <button key={id} type="button" onClick={() => onAnswer({ choice: id })}>
          {title}
        </button>
      ))}
      <label>
        {t(asks ? 'try.reply' : 'try.answer')}{' '}
        <input value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <button type="submit" class="main" disabled={asks ? text.trim() === '' : json === undefined}>
        {t('try.send')}
      </button>
      {waiting !== 'http_request' && (
        <button type="button" onClick={() => onAnswer({ silence: true })}>
          {t('try.silence')}
        </button>
      )}
      {waiting === 'http_request' && (
        <button type="button" onClick={() => onAnswer({ error: 'request_timeout' })}>
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
