import { useEffect, useRef, useState } from 'preact/hooks';
import { Fragment } from 'preact';
import { list, send } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import type { Conversation, Template } from '../shapes.js';
import { span, t } from '../words.js';

/** Meta's customer service window: free-form messages reach a customer for 24 hours after their last message. */
const WINDOW_MS = 24 * 3_600_000;
const MODES = ['text', 'template', 'note'] as const;

interface Props {
  readonly company: string;
  readonly conversation: Conversation;
  readonly onSent: () => void;
}

/** Milliseconds until the window closes; 0 when it is closed. */
const openFor = ({ last_inbound_at: at }: Conversation, now: number): number =>
  at ? Math.max(0, Date.parse(at) + WINDOW_MS - now) : 0;

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function Reply({ company, conversation, onSent }: Props) {
  const left = openFor(conversation, useNow(30_000));
  const [chosen, setMode] = useState<(typeof MODES)[number] | null>(null);
  const mode = chosen ?? (left > 0 ? 'text' : 'template');
  return (
    <div class="reply">
      <div class="modes" role="group" aria-label={t('reply.mode')}>
        {MODES.map((one) => (
          <button key={one} type="button" aria-pressed={one === mode} onClick={() => setMode(one)}>
            {t(`reply.${one}`)}
          </button>
        ))}
      </div>
      {mode !== 'note' && (
        <p class="quiet">{left > 0 ? t('reply.open', { time: span(left) }) : t('reply.closed')}</p>
      )}
      {mode === 'template' ? (
        <TemplateForm company={company} conversation={conversation} onSent={onSent} />
      ) : (
        <TextForm
          key={mode}
          mode={mode}
          conversation={conversation}
          disabled={mode === 'text' && left === 0}
          onSent={onSent}
        />
      )}
    </div>
  );
}

/** The same key for a repetition of the same content, so that a lost answer sends nothing twice. */
function useKey(): (content: string) => Record<string, string> {
  const last = useRef({ content: '', key: '' });
  return (content) => {
    if (last.current.content !== content || last.current.key === '')
      last.current = { content, key: crypto.randomUUID() };
    return { 'idempotency-key': last.current.key };
  };
}

function TextForm({
  mode,
  conversation: { uuid },
  disabled,
  onSent,
}: Omit<Props, 'company'> & { readonly mode: 'text' | 'note'; readonly disabled: boolean }) {
  const [text, setText] = useState('');
  const work = useWork();
  const keyOf = useKey();
  const submit = async (): Promise<void> => {
    const path = `/conversations/${uuid}`;
    const sent = await work.run(() =>
      mode === 'note'
        ? send('POST', `${path}/notes`, { text })
        : send('POST', `${path}/messages`, { type: 'text', content: { text } }, keyOf(text)),
    );
    if (!sent) return;
    setText('');
    onSent();
  };
  const label = t(mode === 'note' ? 'reply.notePlaceholder' : 'reply.placeholder');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <textarea
        aria-label={label}
        placeholder={label}
        rows={3}
        maxLength={4096}
        required
        value={text}
        disabled={disabled}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
          event.preventDefault();
          if (text.trim() !== '') void submit();
        }}
      />
      <button type="submit" class="main" disabled={disabled || work.busy || text.trim() === ''}>
        {work.busy ? t('reply.sending') : t(mode === 'note' ? 'reply.save' : 'reply.send')}
      </button>
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}

function TemplateForm({ company, conversation, onSent }: Props) {
  const loaded = useLoad(
    () => list<Template>(`/companies/${company}/templates`, { status: 'APPROVED', limit: 100 }),
    [company],
  );
  return (
    <Shown loaded={loaded}>
      {({ data }) => {
        const own = data.filter(({ channel_uuid }) => channel_uuid === conversation.channel_uuid);
        return own.length === 0 ? (
          <p>{t('reply.noTemplates')}</p>
        ) : (
          <FilledTemplate templates={own} conversation={conversation} onSent={onSent} />
        );
      }}
    </Shown>
  );
}

function FilledTemplate({
  templates,
  conversation: { uuid },
  onSent,
}: Pick<Props, 'conversation' | 'onSent'> & { readonly templates: readonly Template[] }) {
  const [picked, setPicked] = useState('');
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const work = useWork();
  const keyOf = useKey();
  const template = templates.find((one) => one.uuid === picked);
  const names = template === undefined ? [] : namesOf(template);
  const unsupported =
    template !== undefined &&
    (template.variables.header?.has_variable === true || template.variables.has_dynamic_buttons);
  const submit = async (): Promise<void> => {
    if (template === undefined) return;
    const { name, language, variables } = template;
    const filled = names.map((one) => [one, values[one] ?? ''] as const);
    const content = {
      name,
      language,
      ...(variables.body_named_parameters.length > 0
        ? { named_parameters: Object.fromEntries(filled) }
        : { parameters: filled.map(([, value]) => value) }),
    };
    const body = { type: 'template', content };
    const headers = keyOf(JSON.stringify(body));
    if (!(await work.run(() => send('POST', `/conversations/${uuid}/messages`, body, headers)))) return;
    setPicked('');
    setValues({});
    onSent();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <label>
        {t('reply.chooseTemplate')}{' '}
        <select value={picked} required onChange={({ currentTarget }) => setPicked(currentTarget.value)}>
          <option value="">–</option>
          {templates.map((one) => (
            <option key={one.uuid} value={one.uuid}>
              {one.name} ({one.language})
            </option>
          ))}
        </select>
      </label>
      {names.map((name, index) => (
        <label key={name}>
          {/^\d+$/.test(name) ? t('reply.parameter', { number: index + 1 }) : name}{' '}
          <input
            required
            maxLength={1024}
            value={values[name] ?? ''}
            onInput={({ currentTarget }) => setValues({ ...values, [name]: currentTarget.value })}
          />
        </label>
      ))}
      {template !== undefined && <Preview template={template} values={values} />}
      {unsupported && <p>{t('reply.unsupported')}</p>}
      <button type="submit" class="main" disabled={template === undefined || unsupported || work.busy}>
        {work.busy ? t('reply.sending') : t('reply.send')}
      </button>
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}

interface Part {
  readonly type: string;
  readonly text?: string;
  readonly buttons?: readonly { readonly text?: string }[];
}

/** The message as the person will see it. */
function Preview({
  template,
  values,
}: {
  readonly template: Template;
  readonly values: Readonly<Record<string, string>>;
}) {
  const parts = template.components as unknown as readonly Part[];
  const filled = (text: string): string =>
    text.replace(/\{\{\s*(\w+)\s*\}\}/g, (all, name: string) => values[name] || all);
  return (
    <div class="phone-view" role="group" aria-label={t('reply.preview')}>
      {parts.map(({ type, text, buttons }) => (
        <Fragment key={type}>
          {text !== undefined && <p class={`text part-${type.toLowerCase()}`}>{filled(text)}</p>}
          {buttons !== undefined && (
            <ul class="choices">
              {buttons.map((button) => (
                <li key={button.text}>{button.text}</li>
              ))}
            </ul>
          )}
        </Fragment>
      ))}
    </div>
  );
}

const namesOf = ({ variables }: Template): readonly string[] =>
  variables.body_named_parameters.length > 0
    ? variables.body_named_parameters
    : Array.from({ length: variables.body_parameter_count }, (_, index) => String(index + 1));
