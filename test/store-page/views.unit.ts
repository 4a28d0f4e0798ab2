import { expect } from 'chai';
import { TEXTS, type Lang } from '../../store-page/texts.js';
import { homePage, listingPage } from '../../store-page/views/browse.js';
import { cartPage } from '../../store-page/views/cart.js';
import { checkoutPage } from '../../store-page/views/checkout.js';
import { scriptJson } from '../../store-page/views/layout.js';
import { barePage, messagePage } from '../../store-page/views/message.js';
import type { Frame } from '../../store-page/views/models.js';
import { orderPage } from '../../store-page/views/order.js';
import { productPage } from '../../store-page/views/product.js';
import * as given from './fixtures.js';

/** Every view with every part shown; `each` transforms each view model. */
const views = (frame: Frame, each: <T>(view: T) => T): Readonly<Record<string, string>> => ({
  home: homePage(each(frame), each(given.home())),
  list: listingPage(each(frame), each(given.listing({ query: 'vela' }))),
  empty: listingPage(each(frame), each(given.listing({ cards: [], query: 'vela' }))),
  product: productPage(each(frame), each(given.product({ choiceMissing: true }))),
  many: productPage(each(frame), each(given.product({ variants: manyVariants() }))),
  cart: cartPage(each(frame), each(given.cart({ notice: 'full' }))),
  changed: cartPage(each(frame), each(given.changedCart())),
  checkout: checkoutPage(
    each(frame),
    each(given.checkout({ values: VALUES, errors: { name: 'name_required', form: 'refused' } })),
  ),
  limited: checkoutPage(each(frame), each(given.checkout({ refusal: 'Até 2 unidades.' }))),
  order: orderPage(each(frame), each(given.order())),
  picked: orderPage(
    each(frame),
    each(given.order({ fulfillment: 'pickup', pickupLocation: 'Rua A', pix: null, heldUntil: null })),
  ),
  message: messagePage(each(frame), each(given.message())),
});

const VALUES = {
  name: 'Ana',
  phone: '11',
  street: 'Rua',
  note: 'Nota',
  state: 'SP',
  fulfillment: 'delivery',
};
const manyVariants = () =>
  Array.from({ length: 20 }, (_, n) => ({
    ...given.product().variants[0]!,
    uuid: `v${n}`,
    name: `Tom ${n}`,
  }));

const EVIL = `"'><img src=x onerror=alert(1)></textarea></script><!--`;
/** Texts of the product itself, choices of a fixed list and generated markup stay as they are. */
const KEPT = new Set([
  't',
  'lang',
  'qrSvg',
  'kind',
  'value',
  'payments',
  'errors',
  'fulfillment',
  'token',
  'type',
  'notice',
]);

function poison<T>(view: T): T {
  const walk = (value: unknown, key: string): unknown => {
    if (KEPT.has(key)) return value;
    if (typeof value === 'string') return `${value}${EVIL}`;
    if (Array.isArray(value)) return value.map((one) => walk(one, key));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, walk(one, name)]));
    }
    return value;
  };
  return walk(view, '') as T;
}

describe('store page: views', () => {
  it('let nothing out of its place, whatever the shop and the visitor write', () => {
    const frame = given.frame({ seo: { ...given.frame().seo, jsonLd: [{ name: 'x' }] } });
    for (const [name, page] of Object.entries(views(frame, poison))) {
      expect(page, name).to.include('&#62;&#60;img');
      expect(page, name).not.to.include('<img src=x').and.not.to.include('</textarea></script>');
      const tags = page.match(/<[a-z][^>]*>/g)!;
      expect(
        tags.filter((tag) => /\s(style|on[a-z]+)=/.test(tag)),
        name,
      ).to.deep.equal([]);
      expect(page.match(/<script/g), name).to.have.length(page.includes('ld+json') ? 2 : 1);
    }
    const bare = barePage(poison(given.message()), { lang: 'pt-BR', t: TEXTS['pt-BR'], css: '/x.css' });
    expect(bare).not.to.include('<img');
  });

  it('label every field, name every landmark and have one main heading', () => {
    for (const lang of ['pt-BR', 'en'] as const) {
      for (const [name, page] of Object.entries(views(given.frame({}, lang), (view) => view))) {
        const where = `${name} ${lang}`;
        expect(page.match(/<h1[\s>]/g), where).to.have.length(1);
        expect(page, where).to.include(`<html lang="${lang}"`).and.to.include('<main id="main"');
        const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]!);
        expect(new Set(ids).size, `${where}: an id twice`).to.equal(ids.length);
        const labelled = new Set([...page.matchAll(/<label[^>]*\sfor="([^"]+)"/g)].map((match) => match[1]!));
        for (const [field] of page.matchAll(/<(?:input|select|textarea)[^>]*>/g)) {
          if (/type="(hidden|radio)"/.test(field)) continue;
          expect(labelled.has(/\sid="([^"]+)"/.exec(field)?.[1] ?? ''), `${where}: ${field}`).to.equal(true);
        }
        for (const [, target] of page.matchAll(/(?:aria-describedby|aria-labelledby)="([^"]+)"/g)) {
          for (const id of target!.split(' ')) expect(ids, where).to.include(id);
        }
      }
    }
  });

  it('keep the pictures’ places free and load those below the first screen later', () => {
    const page = listingPage(given.frame(), given.listing());
    const images = page.match(/<img[^>]*>/g)!;
    expect(images).to.have.length(6);
    for (const image of images) expect(image).to.match(/width="800"[^>]*height="800"/);
    expect(images.filter((image) => image.includes('loading="lazy"'))).to.have.length(2);
  });

  it('choose from a list where there are many options', () => {
    const page = productPage(given.frame(), given.product({ variants: manyVariants() }));
    expect(page).to.include('<select').and.to.include('Tom 19');
    expect(page).not.to.include('type="radio"');
  });

  it('let the Enter key update the cart rather than remove from it', () => {
    const page = cartPage(given.frame(), given.cart());
    const form = /<form[^>]*data-cart[^]*?<\/form>/.exec(page)![0];
    expect(/<button[^>]*>/.exec(form)![0]).to.include('value="update"');
  });

  it('say the same things in both languages', () => {
    const shape = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shape(one)]))
        : typeof value;
    expect(shape(TEXTS.en)).to.deep.equal(shape(TEXTS['pt-BR']));
    for (const lang of Object.keys(TEXTS) as Lang[]) {
      const empty = Object.entries(TEXTS[lang]).filter(([, text]) => text === '');
      expect(empty).to.deep.equal([]);
    }
  });

  it('put JSON into a script so that nothing in it can end the script', () => {
    const value = { name: '</script><!--\u2028&' };
    expect(scriptJson(value)).not.to.match(/[<>&\u2028]/);
    expect(JSON.parse(scriptJson(value))).to.deep.equal(value);
  });
});
