/** One product: pictures, price, options, and the form that adds it to the cart. */
import { html } from 'ghtml';
import type { Frame, ProductView, VariantView } from './models.js';
import { layout } from './layout.js';
import { breadcrumb, ICONS, picture, price } from './parts.js';

/** From this many options on, a select list is shorter to scroll than buttons. */
const MOST_BUTTONS = 16;

export function productPage(frame: Frame, view: ProductView): string {
  const { t } = frame;
  const main = html`!${breadcrumb(view.breadcrumb, t)}
    <article class="product">
      !${gallery(view, frame)}
      <div class="buy">
        <h1>${view.name}</h1>
        !${price(view.price, t)}
        !${view.price.before !== null ? html`<p class="saving">${t.off(view.price.percentOff)}</p>` : ''}
        !${view.soldOut ? html`<p class="sold-out">${t.soldOut}</p>` : html`!${view.hint ? html`<p class="few">${view.hint}</p>` : ''}`}
        !${view.soldOut || frame.store.paused ? '' : form(frame, view)} !${facts(view, frame)}
      </div>
    </article>`;
  return layout(frame, { main });
}

function gallery({ images, name }: ProductView, { t }: Frame): string {
  const sizes = '(min-width: 60rem) 30rem, 100vw';
  if (images.length === 0)
    return html`<div class="gallery"><div class="frame">!${picture(null, { alt: '', sizes })}</div></div>`;
  const items = images.map(
    (image, index) =>
      html`<li class="frame">
        !${picture(image, {
          alt: images.length === 1 ? name : t.picture(name, index + 1),
          sizes,
          eager: index === 0,
        })}
      </li>`,
  );
  // The list scrolls sideways; the tab stop lets the keyboard scroll it too.
  return html`<ul
    class="gallery"
    !${images.length > 1 ? html`tabindex="0" role="list" aria-label="${t.pictures}"` : ''}
  >
    !${items}
  </ul>`;
}

function form(frame: Frame, view: ProductView): string {
  const { t, href } = frame;
  return html`<form action="${href('/sacola')}" method="post" class="add">
    <input type="hidden" name="action" value="add" />
    <input type="hidden" name="product" value="${view.uuid}" />
    !${
      view.choiceMissing
        ? html`<p class="error" id="choice-error" role="alert">
            !${ICONS.alert}<span><span class="sr">${t.error} </span>${t.chooseError}</span>
          </p>`
        : ''
    }
    !${options(view, frame)}
    <div class="add-row">
      <div class="qty" data-stepper data-less="${t.decrease}" data-more="${t.increase}">
        <label for="quantity">${t.quantity}</label>
        <input
          id="quantity"
          name="quantity"
          type="number"
          inputmode="numeric"
          value="1"
          min="1"
          max="${view.maxQuantity}"
          required
        />
      </div>
      <button type="submit" class="button">${t.addToCart}</button>
    </div>
  </form>`;
}

function options({ variants, chosen, choiceMissing }: ProductView, { t }: Frame): string {
  if (variants.length === 0) return '';
  const describedBy = choiceMissing ? 'aria-describedby="choice-error"' : '';
  if (variants.length > MOST_BUTTONS) {
    return html`<div class="field">
      <label for="variant">${t.choose}</label>
      <select id="variant" name="variant" required !${describedBy}>
        <option value=""></option>
        !${variants.map((variant) => html`<option value="${variant.uuid}" !${state(variant, chosen, 'selected')}>${label(variant, t.soldOut)}</option>`)}
      </select>
    </div>`;
  }
  return html`<fieldset class="options" !${describedBy}>
    <legend>${t.choose}</legend>
    !${variants.map(
      (variant) =>
        html`<label class="option">
          <input
            type="radio"
            name="variant"
            value="${variant.uuid}"
            required
            !${state(variant, chosen, 'checked')}
          />
          <span class="option-face"
            ><b>${variant.name}</b
            ><small>${variant.soldOut ? t.soldOut : variant.price.text}</small
            >!${variant.hint ? html`<small class="few">${variant.hint}</small>` : ''}</span
          >
        </label>`,
    )}
  </fieldset>`;
}

const state = (variant: VariantView, chosen: string | null, mark: 'selected' | 'checked'): string =>
  variant.soldOut ? 'disabled' : variant.uuid === chosen ? mark : '';

const label = (variant: VariantView, soldOut: string): string =>
  `${variant.name} (${variant.soldOut ? soldOut : variant.price.text})`;

function facts({ paragraphs, sku, brand }: ProductView, { t }: Frame): string {
  const text =
    paragraphs.length > 0
      ? html`<section class="about" aria-labelledby="about">
          <h2 id="about">${t.description}</h2>
          !${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
        </section>`
      : '';
  const rows = [
    brand &&
      html`<div>
        <dt>${t.brand}</dt>
        <dd>${brand}</dd>
      </div>`,
    sku &&
      html`<div>
        <dt>${t.code}</dt>
        <dd>${sku}</dd>
      </div>`,
  ].filter(Boolean);
  return `${text}${rows.length > 0 ? html`<dl class="facts">!${rows}</dl>` : ''}`;
}
