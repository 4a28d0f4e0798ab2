/** The cart: one form for all lines, so that it works without JavaScript. */
import { html } from 'ghtml';
import type { Texts } from '../texts.js';
import type { CartLineView, CartView, Frame, LineChange } from './models.js';
import { layout } from './layout.js';
import { ICONS, picture } from './parts.js';

/** Enter presses the first button of a form, which must not be one that removes a line. */
export function cartPage(frame: Frame, view: CartView): string {
  const { t, href } = frame;
  const full =
    view.notice === 'full'
      ? html`<p class="notice" role="alert">!${ICONS.alert}<span>${t.cartFull}</span></p>`
      : '';
  if (view.lines.length === 0) {
    const main = html`<h1>${t.cart}</h1>
      <p class="empty">${t.emptyCart}</p>
      <p class="pages"><a class="button" href="${href('/')}">${t.continueShopping}</a></p>`;
    return layout(frame, { main });
  }
  const main = html`<h1>${t.cart}</h1>
    !${full}!${view.changed ? changes(view, frame) : ''}
    <div class="cart">
      <form action="${href('/sacola')}" method="post" class="lines" data-cart>
        <button type="submit" name="action" value="update" class="sr" tabindex="-1" aria-hidden="true">
          ${t.update}
        </button>
        <ul>
          !${view.lines.map((line) => item(line, t))}
        </ul>
        <p class="update">
          <button type="submit" name="action" value="update" class="button is-quiet" data-update>
            ${t.update}
          </button>
        </p>
      </form>
      !${totals(view, frame)}
    </div>`;
  return layout(frame, { main });
}

function changes(view: CartView, { t, href }: Frame): string {
  const items = view.lines.flatMap(({ name, variantName, changes: found }) =>
    found.map((change) => html`<li><b>${titleOf(name, variantName)}</b>: ${said(change, t)}</li>`),
  );
  return html`<section class="notice" role="alert" aria-labelledby="changed">
    !${ICONS.alert}
    <div>
      <h2 id="changed">${t.changedTitle}</h2>
      <ul>
        !${items}
      </ul>
      <p>${t.changedHint}</p>
      <form action="${href('/sacola')}" method="post">
        <button type="submit" name="action" value="accept" class="button">${t.acceptChanges}</button>
      </form>
    </div>
  </section>`;
}

function said(change: LineChange, t: Texts): string {
  switch (change.kind) {
    case 'price':
      return t.priceChanged(change.before, change.after);
    case 'stock':
      return change.left === 0 ? `${t.soldOut}.` : t.onlyLeft(change.left);
    case 'gone':
      return t.gone;
  }
}

export const titleOf = (name: string, variantName: string | null): string =>
  variantName === null ? name : `${name}, ${variantName}`;

function item(line: CartLineView, t: Texts): string {
  const title = titleOf(line.name, line.variantName);
  const gone = line.changes.some(({ kind }) => kind === 'gone');
  const name = line.href ? html`<a href="${line.href}">${line.name}</a>` : html`<span>${line.name}</span>`;
  return html`<li class="line!${gone ? ' is-gone' : ''}">
    <div class="frame">!${picture(line.image, { alt: '', sizes: '6rem' })}</div>
    <div class="line-text">
      <h2>!${name}</h2>
      !${line.variantName ? html`<p class="hint">${line.variantName}</p>` : ''}
      <p class="hint">${line.unit} ${t.each}</p>
    </div>
    <p class="line-total">${line.total}</p>
    <div class="line-actions">
      <div class="qty" data-stepper data-less="${t.decrease}: ${title}" data-more="${t.increase}: ${title}">
        <label class="sr" for="q-${line.key}">${t.quantityOf(title)}</label>
        <input
          id="q-${line.key}"
          name="q.${line.key}"
          type="number"
          inputmode="numeric"
          value="${line.quantity}"
          min="0"
          max="${line.maxQuantity}"
          required
        />
      </div>
      <button
        type="submit"
        name="remove"
        value="${line.key}"
        class="link"
        formnovalidate
        aria-label="${t.removeItem(title)}"
      >
        !${ICONS.trash}<span>${t.remove}</span>
      </button>
    </div>
  </li>`;
}

function totals(view: CartView, { t, href }: Frame): string {
  return html`<section class="totals" aria-label="${t.summary}">
    <p class="total"><span>${t.subtotal}</span><strong>${view.subtotal}</strong></p>
    <p class="hint">${t.deliveryLater}</p>
    !${view.canCheckout ? html`<a class="button is-wide" href="${href('/finalizar')}">${t.checkout}</a>` : ''}
    <a class="link-center" href="${href('/')}">${t.continueShopping}</a>
  </section>`;
}
