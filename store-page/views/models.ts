/** The input of the views, ready for display: no documents, and no addresses or prices left to compute. */
import type { Lang, Texts } from '../texts.js';

/** The data that all pages of a store need. */
export interface Frame {
  readonly lang: Lang;
  readonly t: Texts;
  readonly store: StoreView;
  /** Address of a page of this store in this language: `href('/sacola')`. */
  readonly href: (path: string, query?: Readonly<Record<string, string>>) => string;
  /** Value of `lang` that forms with GET must repeat; null in the store's own language. */
  readonly langField: string | null;
  readonly assets: { readonly css: string; readonly js: string; readonly icon: string };
  readonly seo: Seo;
}

export interface Seo {
  readonly title: string;
  readonly description: string | null;
  /** Absolute. Null: the page is for one visitor and must not be indexed. */
  readonly canonical: string | null;
  /** The same page by language, absolute; set together with `canonical`. */
  readonly alternates: Readonly<Partial<Record<Lang, string>>>;
  /** Target of the footer's language link; relative. Null: no page in the other language exists. */
  readonly otherLanguage: string | null;
  /** Absolute address of a picture for link previews. */
  readonly image: string | null;
  readonly type: 'website' | 'product';
  /** schema.org objects, one script element each. */
  readonly jsonLd: readonly object[];
}

export interface StoreView {
  readonly name: string;
  readonly description: string | null;
  readonly paused: boolean;
  readonly whatsappUrl: string | null;
  readonly categories: readonly LinkView[];
}

export interface LinkView {
  readonly name: string;
  readonly href: string;
  readonly current: boolean;
}

export interface ImageView {
  readonly src: string;
  /** Empty where only one size exists. */
  readonly srcset: string;
  readonly width: number;
  readonly height: number;
}

export interface PriceView {
  readonly text: string;
  /** The price before the promotion; null without one. */
  readonly before: string | null;
  /** Whole percent; set together with `before`. */
  readonly percentOff: number;
  /** True where variants have different prices: `text` is the lowest. */
  readonly from: boolean;
}

export interface CardView {
  readonly name: string;
  readonly href: string;
  readonly image: ImageView | null;
  readonly price: PriceView;
  readonly soldOut: boolean;
}

export interface HomeView {
  readonly promotions: readonly CardView[];
  readonly newest: readonly CardView[];
  /** Link to the list of all products; null when `newest` is complete. */
  readonly moreHref: string | null;
}

export interface ListingView {
  readonly title: string;
  readonly cards: readonly CardView[];
  readonly nextHref: string | null;
  /** Null on the first page. */
  readonly firstHref: string | null;
  /** Text of the search field. */
  readonly query: string | null;
  /** Text for an empty list. */
  readonly empty: string;
}

export interface VariantView {
  readonly uuid: string;
  readonly name: string;
  readonly price: PriceView;
  readonly soldOut: boolean;
  /** Text shown where few units are left. */
  readonly hint: string | null;
}

export interface ProductView {
  readonly uuid: string;
  readonly name: string;
  readonly price: PriceView;
  readonly images: readonly ImageView[];
  /** The description, split at blank lines. */
  readonly paragraphs: readonly string[];
  readonly breadcrumb: readonly LinkView[];
  readonly variants: readonly VariantView[];
  /** The variant selected in advance, by an address or by a form without a choice. */
  readonly chosen: string | null;
  readonly soldOut: boolean;
  readonly hint: string | null;
  readonly sku: string | null;
  readonly brand: string | null;
  readonly maxQuantity: number;
  /** The form was sent without a choice. */
  readonly choiceMissing: boolean;
}

export type LineChange =
  | { readonly kind: 'price'; readonly before: string; readonly after: string }
  | { readonly kind: 'stock'; readonly left: number }
  | { readonly kind: 'gone' };

export interface CartLineView {
  /** Identifies the line in forms. */
  readonly key: string;
  readonly name: string;
  readonly variantName: string | null;
  readonly href: string | null;
  readonly image: ImageView | null;
  readonly quantity: number;
  readonly maxQuantity: number;
  readonly unit: string;
  readonly total: string;
  readonly changes: readonly LineChange[];
}

export interface CartView {
  readonly lines: readonly CartLineView[];
  readonly subtotal: string;
  readonly changed: boolean;
  readonly canCheckout: boolean;
  /** Notice above the lines. */
  readonly notice: 'full' | null;
}

export interface CheckoutView {
  readonly token: string;
  /** Subtotal and fees as shown, in cents; compared when the form is sent. */
  readonly seen: string;
  readonly values: Readonly<Record<string, string>>;
  /** Field → key of `texts.errors`, in the order of the form. */
  readonly errors: Readonly<Record<string, string>>;
  /** A sentence about a store limit that the order exceeds. */
  readonly refusal: string | null;
  readonly ways: readonly {
    readonly value: 'delivery' | 'pickup';
    readonly cost: string;
    readonly detail: string | null;
    readonly total: string;
  }[];
  readonly payments: readonly string[];
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly total: string }[];
  readonly subtotal: string;
}

export interface OrderView {
  readonly code: string;
  /** The buyer's first name; null once erased. */
  readonly firstName: string | null;
  readonly placedAt: string;
  /** Until when the order holds its goods unpaid; null when it is held without limit, paid or cancelled. */
  readonly heldUntil: string | null;
  readonly status: string;
  readonly items: readonly {
    readonly name: string;
    readonly variantName: string | null;
    readonly quantity: number;
    readonly total: string;
  }[];
  readonly subtotal: string;
  readonly discount: string | null;
  readonly deliveryFee: string | null;
  readonly total: string;
  readonly fulfillment: 'delivery' | 'pickup';
  readonly pickupLocation: string | null;
  readonly payment: string | null;
  /** Null when the order is paid, cancelled, or paid by another method. */
  readonly pix: { readonly code: string; readonly qrSvg: string } | null;
  readonly whatsappUrl: string | null;
}

export interface MessageView {
  readonly title: string;
  readonly text: string;
  readonly hint: string | null;
  /** Relative; null where no store is known. */
  readonly homeHref: string | null;
}
