/** The page that a customer sees after an order, and again under the same address later. */
import { html } from 'ghtml';
import type { Frame, OrderView } from './models.js';
import { titleOf } from './cart.js';
import { layout } from './layout.js';
import { ICONS } from './parts.js';

export function orderPage(frame: Frame, view: OrderView): string {
  const { t } = frame;
  const thanks = view.firstName === null ? t.thanksPlain : t.thanks(view.firstName);
  const main = html`<section class="done">
      <p class="seal" aria-hidden="true">!${ICONS.check}</p>
      <h1>${thanks}</h1>
      <p class="code">${t.orderNumber(view.code)}</p>
      <p class="hint">${t.orderedAt(view.placedAt)}</p>
      !${view.heldUntil === null ? '' : html`<p class="hint">${t.heldUntil(view.heldUntil)}</p>`}
      <p class="state"><span class="sr">${t.status}: </span>${view.status}</p>
    </section>
    <div class="order">
      <div>
        !${view.pix ? pix(view.pix, frame) : ''} !${view.whatsappUrl ? chat(view.whatsappUrl, frame) : ''}
      </div>
      !${items(view, frame)}
    </div>`;
  return layout(frame, { main });
}

function pix({ code, qrSvg }: { readonly code: string; readonly qrSvg: string }, { t }: Frame): string {
  return html`<section class="panel" aria-labelledby="pix">
    <h2 id="pix">${t.payWithPix}</h2>
    <p>${t.pixSteps}</p>
    <div class="qr" role="img" aria-label="${t.pixQr}">!${qrSvg}</div>
    <label for="pix-code">${t.pixCode}</label>
    <textarea id="pix-code" class="pix-code" rows="4" readonly data-copy-source>${code}</textarea>
    <button type="button" class="button is-wide" data-copy="${t.copied}" hidden>${t.copy}</button>
    <p class="sr" role="status" data-copy-status></p>
  </section>`;
}

function chat(url: string, { t }: Frame): string {
  return html`<section class="panel" aria-labelledby="chat">
    <h2 id="chat" class="sr">WhatsApp</h2>
    <a class="button is-wide is-chat" href="${url}" rel="noopener">!${ICONS.chat}${t.sendOnWhatsApp}</a>
    <p class="hint">${t.whatsAppHint}</p>
  </section>`;
}

function items(view: OrderView, { t, href }: Frame): string {
  const row = (label: string, value: string, strong = false): string =>
    strong
      ? html`<p class="total"><span>${label}</span><strong>${value}</strong></p>`
      : html`<p class="total is-sub"><span>${label}</span><span>${value}</span></p>`;
  const where =
    view.fulfillment === 'delivery'
      ? t.willDeliver
      : view.pickupLocation === null
        ? t.pickup
        : t.pickupAt(view.pickupLocation);
  return html`<section class="totals" aria-labelledby="items">
    <h2 id="items">${t.items}</h2>
    <ul class="brief">
      !${view.items.map(({ name, variantName, quantity, total }) => html`<li><span>${quantity} × ${titleOf(name, variantName)}</span><span>${total}</span></li>`)}
    </ul>
    !${row(t.subtotal, view.subtotal)} !${view.discount === null ? '' : row(t.discount, view.discount)}
    !${view.deliveryFee === null ? '' : row(t.deliveryFee, view.deliveryFee)}
    !${row(t.total, view.total, true)}
    <p>${where}</p>
    !${view.payment === null ? '' : html`<p class="hint">${view.payment}</p>`}
    <p class="hint">${t.keepAddress}</p>
    <a class="link-center" href="${href('/')}">${t.continueShopping}</a>
  </section>`;
}
