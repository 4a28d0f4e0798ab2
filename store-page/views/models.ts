/** What the views are given: ready to show, without a document, an address or a price left to work out. */
import type { Lang, Texts } from '../texts.js';

/** What every page of a store needs. */
export interface Frame {
  readonly lang: Lang;
  readonly t: Texts;
  readonly store: StoreView;
  /** Address of a page of this store in this language: `href('/sacola')`. */
  readonly href: (path: string, query?: Readonly<Record<string, string>>) => string;
  /** Value of `lang` that forms sent by GET carry along; null in the store's own language. */
  readonly langField: string | null;
  readonly assets: { readonly css: string; readonly js: string; readonly icon: string };
  readonly seo: Seo;
}

export interface Seo {
  readonly title: string;
  readonly description: string | null;
  /** Absolute. Null: the page is for one visitor and is not to be found. */
  readonly canonical: string | null;
  /** The same page by language, absolute; with `canonical`. */
  readonly alternates: Readonly<Partial<Record<Lang, string>>>;
  /** Where the footer's language link goes; relative. Null: the page has no other language to go to. */
  readonly otherLanguage: string | null;
  /** Absolute address of a picture for link previews. */
  readonly image: string | null;
  readonly type: 'website' | 'product';
  /** Objects of schema.org, one script each. */
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
  /** Empty where there is one size only. */
  readonly srcset: string;
  readonly width: number;
  readonly height: number;
}

export interface PriceView {
  readonly text: string;
  /** The price before the promotion, where there is one. */
  readonly before: string | null;
  /** Whole percent, with `before`. */
  readonly percentOff: number;
  /** True where variants differ: `text` is the lowest. */
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
  /** Of all products; null when `newest` is all there is. */
  readonly moreHref: string | null;
}

export interface ListingView {
  readonly title: string;
  readonly cards: readonly CardView[];
  readonly nextHref: string | null;
  /** Null on the first page. */
  readonly firstHref: string | null;
  /** Typed into the search field. */
  readonly query: string | null;
  /** Said where there is nothing to show. */
  readonly empty: string;
}

export interface VariantView {
  readonly uuid: string;
  readonly name: string;
  readonly price: PriceView;
  readonly soldOut: boolean;
  /** Said where few are left. */
  readonly hint: string | null;
}

export interface ProductView {
  readonly uuid: string;
  readonly name: string;
  readonly price: PriceView;
  readonly images: readonly ImageView[];
  /** One per blank line of the text. */
  readonly paragraphs: readonly string[];
  readonly breadcrumb: readonly LinkView[];
  readonly variants: readonly VariantView[];
  /** Chosen before the page was asked for, by an address or a form without a choice. */
  readonly chosen: string | null;
  readonly soldOut: boolean;
  readonly hint: string | null;
  readonly sku: string | null;
  readonly brand: string | null;
  readonly maxQuantity: number;
  /** The form came back without a choice. */
  readonly choiceMissing: boolean;
}

export type LineChange =
  | { readonly kind: 'price'; readonly before: string; readonly after: string }
  | { readonly kind: 'stock'; readonly left: number }
  | { readonly kind: 'gone' };

export interface CartLineView {
  /** Names the line in forms. */
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
  /** Said above the lines. */
  readonly notice: 'full' | null;
}

export interface CheckoutView {
  readonly token: string;
  /** Subtotal and fee as shown, in cents, to be compared when the form comes back. */
  readonly seen: string;
  readonly values: Readonly<Record<string, string>>;
  /** Field → key of `texts.errors`, in the order of the form. */
  readonly errors: Readonly<Record<string, string>>;
  /** A sentence: a limit of the store that the order is beyond. */
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
  /** First name of who ordered; null once it is erased. */
  readonly firstName: string | null;
  readonly placedAt: string;
  /** Until when its goods are held without a payment; null where they are held without end, paid for or cancelled. */
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
  /** Null where it is paid, cancelled or paid otherwise. */
  readonly pix: { readonly code: string; readonly qrSvg: string } | null;
  readonly whatsappUrl: string | null;
}

export interface MessageView {
  readonly title: string;
  readonly text: string;
  readonly hint: string | null;
  /** Relative; null where there is no store to go to. */
  readonly homeHref: string | null;
}
