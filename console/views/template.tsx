import { useState } from 'preact/hooks';
import { Field } from '../field.js';
import { Badge } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Template } from '../shapes.js';
import { partsOf, templateKind, valuesOf, type TemplateParts } from '../template-parts.js';
import { named, t } from '../words.js';

export function TemplatePage({
  company,
  template,
}: {
  readonly company: string;
  readonly template: Template;
}) {
  const wanted = valuesOf(template);
  const [values, setValues] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(wanted.map(({ part, name, example }) => [`${part} ${name}`, example])),
  );
  const {
    status,
    category,
    rejected_reason: reason,
    upcoming_category: next,
    last_refusal: refusal,
  } = template;
  return (
    <>
      <a class="back-link" href={addressOf(company, 'templates')} onClick={follow}>
        ‹ {t('templates.back')}
      </a>
      <section aria-labelledby="template" class="template-page">
        <div>
          <div class="title">
            <h1 id="template">{template.name}</h1>
            <Badge kind={templateKind(status)}>{named('template', status)}</Badge>
            <span class="quiet">
              {template.language} · {named('category', category)}
            </span>
          </div>
          {reason && <p class="bad">{t('templates.rejected', { reason })}</p>}
          {next && <p>{t('templates.moves', { category: named('category', next) })}</p>}
          {refusal && <p class="bad">{t('templates.refused', { title: refusal.title })}</p>}
          {template.removed_at && <p class="bad">{t('templates.removed')}</p>}
          <h2>{t('templates.values')}</h2>
          {wanted.length === 0 && <p class="quiet">{t('templates.noValues')}</p>}
          {wanted.map(({ part, name }) => (
            <Field
              key={`${part} ${name}`}
              label={t(`templates.part.${part}`, { name })}
              maxLength={1024}
              value={values[`${part} ${name}`] ?? ''}
              onInput={(value) => setValues({ ...values, [`${part} ${name}`]: value })}
            />
          ))}
        </div>
        <Phone parts={partsOf(template, values)} />
      </section>
    </>
  );
}

/** A message as its reader sees it. Pictures and links of templates are named, and not loaded. */
export function Phone({ parts: { header, body, footer, buttons } }: { readonly parts: TemplateParts }) {
  return (
    <figure class="phone" aria-label={t('templates.preview')}>
      <div class="phone-bubble">
        {header !== null &&
          (header.format === 'TEXT' ? (
            <strong class="text">{header.text}</strong>
          ) : (
            <div class="phone-media">{header.name ?? named('templates.header', header.format)}</div>
          ))}
        <p class="text">{body}</p>
        {footer !== null && <p class="quiet">{footer}</p>}
      </div>
      {buttons.length > 0 && (
        <ul class="phone-buttons">
          {buttons.map(({ type, text }, index) => (
            <li key={`${index} ${text}`}>
              <span aria-hidden="true">{type === 'URL' ? '↗ ' : type === 'PHONE_NUMBER' ? '☎ ' : '↩ '}</span>
              {text}
            </li>
          ))}
        </ul>
      )}
    </figure>
  );
}
