/** The checkout: one page with one form. After an error, the typed values are shown again. */
import { html } from 'ghtml';
import type { CheckoutView, Frame } from './models.js';
import { layout } from './layout.js';
import { ICONS } from './parts.js';
import { STATES } from '../form.js';

export function checkoutPage(frame: Frame, view: CheckoutView): string {
  const { t, href } = frame;
  const main = html`<h1>${t.checkoutTitle}</h1>
    !${summaryOfErrors(frame, view)}
    <form action="${href('/finalizar')}" method="post" class="checkout" novalidate>
      <input type="hidden" name="token" value="${view.token}" />
      <input type="hidden" name="seen" value="${view.seen}" />
      <div class="fields">
        <fieldset>
          <legend>${t.yourData}</legend>
          !${text(frame, view, { name: 'name', label: t.name, autocomplete: 'name', max: 100 })}
          !${text(frame, view, { name: 'phone', label: t.phone, hint: t.phoneHint, autocomplete: 'tel', type: 'tel', mode: 'tel', max: 32, mask: 'phone' })}
        </fieldset>
        !${ways(frame, view)} !${address(frame, view)} !${payment(frame, view)}
        <fieldset class="single">
          <legend class="sr">${t.note}</legend>
          <div class="field">
            <label for="note">${t.note} <small>(${t.optional})</small></label>
            <textarea
              id="note"
              name="note"
              rows="3"
              maxlength="500"
              placeholder="${t.notePlaceholder}"
              !${described(view, 'note')}
            >
${view.values['note'] ?? ''}</textarea>
            !${problem(frame, view, 'note')}
          </div>
        </fieldset>
      </div>
      !${summary(frame, view)}
    </form>`;
  return layout(frame, { main, plain: true });
}

function summaryOfErrors({ t }: Frame, { errors, refusal }: CheckoutView): string {
  const fields = Object.entries(errors);
  if (fields.length === 0 && refusal === null) return '';
  const general = fields.filter(([field]) => field === 'form');
  const named = fields.filter(([field]) => field !== 'form');
  return html`<div class="notice is-error" role="alert" tabindex="-1" id="errors" data-focus>
    !${ICONS.alert}
    <div>
      !${refusal === null ? '' : html`<p><b>${refusal}</b></p>`}
      !${general.map(([, code]) => html`<p><b>${t.errors[code]}</b></p>`)}
      !${
        named.length > 0
          ? html`<h2>${t.errorSummary(named.length)}</h2>
              <ul>
                !${named.map(([field, code]) => html`<li><a href="#${field}">${t.errors[code]}</a></li>`)}
              </ul>`
          : ''
      }
    </div>
  </div>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly autocomplete: string;
  readonly max: number;
  readonly hint?: string;
  readonly type?: 'tel';
  readonly mode?: 'tel' | 'numeric';
  readonly mask?: 'phone' | 'cep';
  readonly optional?: true;
  readonly wide?: boolean;
}

function text(frame: Frame, view: CheckoutView, field: Field): string {
  const { name } = field;
  const marks = [
    described(view, name, field.hint !== undefined),
    field.mode && html`inputmode="${field.mode}"`,
    field.mask && html`data-mask="${field.mask}"`,
    !field.optional && 'aria-required="true"',
  ];
  return html`<div class="field field-${name}">
    <label for="${name}"
      >${field.label}!${field.optional ? html` <small>(${frame.t.optional})</small>` : ''}</label
    >
    !${field.hint ? html`<p class="hint" id="${name}-hint">${field.hint}</p>` : ''}
    <input
      id="${name}"
      name="${name}"
      type="${field.type ?? 'text'}"
      value="${view.values[name] ?? ''}"
      maxlength="${field.max}"
      autocomplete="${field.autocomplete}"
      !${marks.filter(Boolean).join(' ')}
    />
    !${problem(frame, view, name)}
  </div>`;
}

function described({ errors }: CheckoutView, name: string, hint = false): string {
  const ids = [hint && `${name}-hint`, errors[name] && `${name}-error`].filter(Boolean).join(' ');
  return `${ids && `aria-describedby="${ids}"`} ${errors[name] ? 'aria-invalid="true"' : ''}`.trim();
}

function problem({ t }: Frame, { errors }: CheckoutView, name: string): string {
  const code = errors[name];
  return code === undefined
    ? ''
    : html`<p class="error" id="${name}-error">
        !${ICONS.alert}<span><span class="sr">${t.error} </span>${t.errors[code]}</span>
      </p>`;
}

function ways(frame: Frame, view: CheckoutView): string {
  const { t } = frame;
  return html`<fieldset id="fulfillment" tabindex="-1" !${described(view, 'fulfillment')}>
    <legend>${t.receive}</legend>
    !${problem(frame, view, 'fulfillment')}
    !${view.ways.map(
      ({ value, cost, detail }) =>
        html`<label class="option is-row">
          <input
            type="radio"
            name="fulfillment"
            value="${value}"
            id="way-${value}"
            !${view.values['fulfillment'] === value ? 'checked' : ''}
          />
          <span class="option-face"
            ><b>${t[value]}</b>!${detail ? html`<small>${detail}</small>` : ''}<span class="cost"
              >${cost}</span
            ></span
          >
        </label>`,
    )}
  </fieldset>`;
}

function address(frame: Frame, view: CheckoutView): string {
  const { t } = frame;
  if (!view.ways.some(({ value }) => value === 'delivery')) return '';
  const field = (name: string, label: string, autocomplete: string, max: number, more: Partial<Field> = {}) =>
    text(frame, view, { name, label, autocomplete, max, ...more });
  return html`<fieldset class="address">
    <legend>${t.address}</legend>
    <div class="cols">
      !${field('zipcode', t.zipcode, 'postal-code', 9, { mode: 'numeric', mask: 'cep' })}
      !${field('street', t.street, 'address-line1', 200)} !${field('number', t.number, 'off', 20)}
      !${field('complement', t.complement, 'address-line2', 100, { optional: true })}
      !${field('district', t.district, 'address-level3', 100)}
      !${field('city', t.city, 'address-level2', 100)}
      <div class="field field-state">
        <label for="state">${t.state}</label>
        <select
          id="state"
          name="state"
          autocomplete="address-level1"
          aria-required="true"
          !${described(view, 'state')}
        >
          <option value="">${t.chooseState}</option>
          !${STATES.map((state) => html`<option !${view.values['state'] === state ? 'selected' : ''}>${state}</option>`)}
        </select>
        !${problem(frame, view, 'state')}
      </div>
    </div>
  </fieldset>`;
}

function payment(frame: Frame, view: CheckoutView): string {
  const { t } = frame;
  return html`<fieldset id="payment" tabindex="-1" !${described(view, 'payment')}>
    <legend>${t.payment}</legend>
    !${problem(frame, view, 'payment')}
    !${view.payments.map(
      (method) =>
        html`<label class="option is-row">
          <input
            type="radio"
            name="payment"
            value="${method}"
            !${view.values['payment'] === method ? 'checked' : ''}
          />
          <span class="option-face"><b>${t.paymentNames[method] ?? method}</b></span>
        </label>`,
    )}
  </fieldset>`;
}

function summary(frame: Frame, view: CheckoutView): string {
  const { t, href } = frame;
  return html`<section class="totals" aria-labelledby="summary">
    <h2 id="summary">${t.summary}</h2>
    <ul class="brief">
      !${view.lines.map(({ name, quantity, total }) => html`<li><span>${quantity} × ${name}</span><span>${total}</span></li>`)}
    </ul>
    <p class="total is-sub"><span>${t.subtotal}</span><span>${view.subtotal}</span></p>
    !${view.ways.map(({ value, total }) => html`<p class="total total-${value}"><span>${view.ways.length > 1 ? t.totalWith(t[value]) : t.total}</span><strong>${total}</strong></p>`)}
    <button type="submit" class="button is-wide" data-once>${t.placeOrder}</button>
    <p class="hint">${t.privacy}</p>
    <a class="link-center" href="${href('/sacola')}">${t.backToCart}</a>
  </section>`;
}
