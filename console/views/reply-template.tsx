/** Sending a template, which reaches the customer at any time. */
import { useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { Field } from '../field.js';
import { LIMITS, sizeText, type FileKind } from '../files.js';
import { useKey, useLoad, useWork } from '../load.js';
import { ErrorBox, personName, Shown } from '../parts.js';
import type { Conversation, Template } from '../shapes.js';
import { partsOf, valuesOf } from '../template-parts.js';
import { named, t } from '../words.js';
import { AttachButton, Attached, useAttachment, type Attaching } from './attach.js';
import { Phone } from './template.js';

interface Props {
  readonly company: string;
  readonly conversation: Conversation;
  readonly onSent: () => void;
  /** Ends the flow that runs here, before the message; null: none runs. */
  readonly takeOver: (() => Promise<void>) | null;
}

export function TemplateForm({ company, conversation, onSent, takeOver }: Props) {
  const [picked, setPicked] = useState('');
  const loaded = useLoad(
    () => list<Template>(`/companies/${company}/templates`, { status: 'APPROVED', limit: 100 }),
    [company],
    ['template'],
  );
  return (
    <Shown loaded={loaded}>
      {({ data }) => {
        const own = data.filter(({ channel_uuid }) => channel_uuid === conversation.channel_uuid);
        const template = own.find(({ uuid }) => uuid === picked);
        if (own.length === 0) return <p>{t('reply.noTemplates')}</p>;
        return (
          <>
            <label>
              {t('reply.chooseTemplate')}{' '}
              <select value={picked} onChange={({ currentTarget }) => setPicked(currentTarget.value)}>
                <option value="">–</option>
                {own.map(({ uuid, name, language }) => (
                  <option key={uuid} value={uuid}>
                    {name} ({language})
                  </option>
                ))}
              </select>
            </label>
            {template && (
              <FilledTemplate
                key={template.uuid}
                template={template}
                conversation={conversation}
                takeOver={takeOver}
                onSent={() => {
                  setPicked('');
                  onSent();
                }}
              />
            )}
          </>
        );
      }}
    </Shown>
  );
}

const FILES: Readonly<Record<string, FileKind>> = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document' };
const ACCEPT: Readonly<Record<FileKind, string>> = {
  image: 'image/*',
  video: 'video/mp4,video/3gpp',
  audio: 'audio/*',
  document: '.pdf,.doc,.docx,.xls,.xlsx,.ppt,.pptx,.txt,.csv,.zip',
};

type Values = Readonly<Record<string, string>>;

/** Header, body and buttons as `POST /conversations/{uuid}/messages` takes them. */
function contentOf(template: Template, values: Values, header: object | null): object {
  const wanted = valuesOf(template);
  const of = (part: string) => wanted.filter((one) => one.part === part);
  const said = ({ part, name }: { readonly part: string; readonly name: string }): string =>
    values[`${part} ${name}`] ?? '';
  const body = of('BODY');
  const [text] = of('HEADER');
  const { body_named_parameters: names, buttons = [] } = template.variables;
  const filled = buttons
    .map(({ index }) => ({ index, value: values[`BUTTON ${index}`] ?? '' }))
    .filter(({ value }) => value !== '');
  return {
    name: template.name,
    language: template.language,
    ...(names.length > 0
      ? { named_parameters: Object.fromEntries(body.map((one) => [one.name, said(one)])) }
      : { parameters: body.map(said) }),
    ...(header !== null ? { header } : text === undefined ? {} : { header: { text: said(text) } }),
    ...(filled.length > 0 ? { buttons: filled } : {}),
  };
}

const PLACE = [
  { field: 'latitude', required: true },
  { field: 'longitude', required: true },
  { field: 'name', required: false },
  { field: 'address', required: false },
] as const;

function placeOf(values: Values): object {
  const said = PLACE.map(({ field, required }) => {
    const value = values[`PLACE ${field}`] ?? '';
    return [field, required ? Number(value) : value] as const;
  });
  return Object.fromEntries(said.filter(([, value]) => value !== ''));
}

function FilledTemplate({
  template,
  conversation: { uuid, contact },
  onSent,
  takeOver,
}: {
  readonly template: Template;
  readonly conversation: Conversation;
  readonly onSent: () => void;
  readonly takeOver: Props['takeOver'];
}) {
  const [values, setValues] = useState<Values>({});
  const [link, setLink] = useState('');
  const work = useWork();
  const keyOf = useKey();
  const kind = FILES[template.variables.header?.format ?? ''];
  const isPlace = template.variables.header?.format === 'LOCATION';
  const attaching = useAttachment(uuid, kind);
  const { file } = attaching;
  const fieldOf = (key: string) => ({
    value: values[key] ?? '',
    onInput: (value: string) => setValues({ ...values, [key]: value }),
  });

  const header = async (): Promise<object | null> => {
    if (isPlace) return placeOf(values);
    if (kind === undefined) return null;
    const filename = kind === 'document' && file !== null ? { filename: file.name.slice(-240) } : {};
    return file === null ? { link } : { upload_uuid: await attaching.uploaded(), ...filename };
  };
  const sendNow = async (): Promise<unknown> => {
    const message = { type: 'template', content: contentOf(template, values, await header()) };
    await takeOver?.();
    return send('POST', `/conversations/${uuid}/messages`, message, keyOf(JSON.stringify(message)));
  };
  const parts = partsOf(template, values);
  const shown =
    parts.header === null || kind === undefined || (file === null && link === '')
      ? parts
      : { ...parts, header: { ...parts.header, name: file?.name ?? link } };
  return (
    <form
      class="template-form"
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(sendNow).then((done) => done && onSent());
      }}
    >
      <div class="values">
        {kind !== undefined && <HeaderFile kind={kind} attaching={attaching} link={link} onLink={setLink} />}
        {isPlace &&
          PLACE.map(({ field, required }) => (
            <Field
              key={field}
              label={t(`reply.place.${field}`)}
              required={required}
              maxLength={1000}
              {...(required ? { type: 'number', step: 'any' } : {})}
              {...fieldOf(`PLACE ${field}`)}
            />
          ))}
        {valuesOf(template).map(({ part, name, example }) => (
          <Field
            key={`${part} ${name}`}
            label={t(`templates.part.${part}`, { name })}
            hint={example === '' ? undefined : t('reply.example', { example })}
            required
            maxLength={part === 'HEADER' ? 60 : 1024}
            {...fieldOf(`${part} ${name}`)}
          />
        ))}
        {(template.variables.buttons ?? []).map(({ index, type, text, required }) => (
          <Field
            key={index}
            label={t('reply.button', { name: text ?? String(index + 1) })}
            hint={named('reply.buttonHint', type)}
            required={required}
            maxLength={type === 'quick_reply' ? 256 : 2000}
            {...fieldOf(`BUTTON ${index}`)}
          />
        ))}
        <p class="quiet">{t('reply.to', { name: personName(contact) })}</p>
        <button type="submit" class="main" disabled={work.busy}>
          {work.busy ? t('reply.sending') : t(takeOver === null ? 'reply.send' : 'reply.takeOverAndSend')}
        </button>
      </div>
      <Phone parts={shown} />
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}

/** A file by upload, or by an address that WhatsApp fetches. */
function HeaderFile({
  kind,
  attaching,
  link,
  onLink,
}: {
  readonly kind: FileKind;
  readonly attaching: Attaching;
  readonly link: string;
  readonly onLink: (link: string) => void;
}) {
  return (
    <div class="header-file">
      <Attached attaching={attaching} />
      {attaching.file === null && (
        <>
          <AttachButton attaching={attaching} accept={ACCEPT[kind]} />
          <Field
            label={t('reply.headerLink', { kind: named('thread.kind', kind) })}
            hint={t('reply.headerHint', { limit: sizeText(LIMITS[kind]) })}
            type="url"
            required
            maxLength={2000}
            value={link}
            onInput={onLink}
          />
        </>
      )}
    </div>
  );
}
