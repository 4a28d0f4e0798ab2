import { useRef, useState } from 'preact/hooks';
import { list, send } from '../api.js';
import { Field, formText } from '../field.js';
import { useKept, useLoad, useRested, useWork } from '../load.js';
import { ErrorBox, Shown } from '../parts.js';
import { Picture } from '../picture.js';
import { addressOf, follow } from '../place.js';
import type { Order, Product } from '../shapes.js';
import { amount, t } from '../words.js';

const PAYMENTS = ['pix', 'card', 'cash', 'payment_link', 'other'] as const;
const ADDRESS = ['zipcode', 'street', 'number', 'complement', 'district', 'city', 'state'] as const;
const NEEDED: readonly string[] = ['street', 'number', 'district', 'city', 'state', 'zipcode'];
const FOUND = 8;

interface Line {
  readonly product: Product;
  readonly variant: Product['variants'][number] | null;
  readonly quantity: number;
}

const keyOf = ({ product, variant }: Omit<Line, 'quantity'>): string => variant?.uuid ?? product.uuid;
const priceOf = ({ product, variant }: Omit<Line, 'quantity'>): number =>
  Number(variant?.effective_price ?? product.effective_price);

/** As the API takes it: people here leave the country out. */
export function international(phone: string): string {
  const text = phone.trim();
  return text.startsWith('+') ? text : `+55 ${text}`;
}

export function NewOrder({ company }: { readonly company: string }) {
  const [lines, setLines] = useState<readonly Line[]>([]);
  const [how, setHow] = useState<'pickup' | 'delivery'>('pickup');
  /** One order however often it is sent. */
  const uuid = useRef<{ content: string; uuid: string }>({ content: '', uuid: '' });
  const work = useWork();
  const total = lines.reduce((sum, line) => sum + priceOf(line) * line.quantity, 0);
  const place = async (form: HTMLFormElement): Promise<void> => {
    const values = new FormData(form);
    const text = (name: string): string | null => formText(values, name) || null;
    const body = {
      items: lines.map(({ product, variant, quantity }) => ({
        product_uuid: product.uuid,
        variant_uuid: variant?.uuid ?? null,
        quantity,
      })),
      customer: { name: text('name'), phone: international(text('phone') ?? '') },
      fulfillment:
        how === 'pickup'
          ? { type: how }
          : { type: how, address: Object.fromEntries(ADDRESS.map((name) => [name, text(name)])) },
      payment: { method: text('payment') },
      note: text('note'),
    };
    const content = JSON.stringify(body);
    if (uuid.current.content !== content) uuid.current = { content, uuid: crypto.randomUUID() };
    await work.run(async () => {
      const path = `/companies/${company}/store/orders`;
      const order = await send<Order>('POST', path, { uuid: uuid.current.uuid, ...body });
      work.go(addressOf(company, 'orders', order.uuid));
    });
  };
  return (
    <>
      <a class="back-link" href={addressOf(company, 'orders')} onClick={follow}>
        ‹ {t('orders.back')}
      </a>
      <section aria-labelledby="new-order">
        <h1 id="new-order">{t('orders.create')}</h1>
        <p class="quiet">{t('orders.createHow')}</p>
        <Find company={company} onPick={(picked) => setLines(withOneMore(lines, picked))} />
        <Lines lines={lines} change={setLines} />
        <form
          data-op="placeCompanyOrder"
          class="grid"
          onSubmit={(event) => {
            event.preventDefault();
            void place(event.currentTarget);
          }}
        >
          <Field label={t('orders.name')} name="name" maxLength={220} autocomplete="off" />
          <Field
            label={t('orders.phone')}
            hint={t('orders.phoneHow')}
            name="phone"
            type="tel"
            required
            maxLength={32}
            autocomplete="off"
          />
          <label class="field">
            {t('orders.how')}
            <select
              value={how}
              onChange={({ currentTarget }) => setHow(currentTarget.value as 'pickup' | 'delivery')}
            >
              <option value="pickup">{t('orders.pickup')}</option>
              <option value="delivery">{t('orders.delivery')}</option>
            </select>
          </label>
          <label class="field">
            {t('orders.payment')}
            <select name="payment">
              <option value="">{t('payment.none')}</option>
              {PAYMENTS.map((method) => (
                <option key={method} value={method}>
                  {t(`payment.${method}`)}
                </option>
              ))}
            </select>
          </label>
          {how === 'delivery' &&
            ADDRESS.map((name) => (
              <Field
                key={name}
                label={t(`address.${name}`)}
                name={name}
                required={NEEDED.includes(name)}
                maxLength={200}
              />
            ))}
          <Field label={t('orders.noteOf')} name="note" maxLength={1000} wide />
          {work.error !== null && <ErrorBox error={work.error} />}
          <div class="actions wide">
            <button type="submit" class="main" disabled={work.busy || lines.length === 0}>
              {t('orders.place')}
            </button>
            <strong>{lines.length === 0 ? t('orders.noLines') : amount(String(total))}</strong>
          </div>
        </form>
      </section>
    </>
  );
}

function withOneMore(lines: readonly Line[], picked: Omit<Line, 'quantity'>): readonly Line[] {
  const key = keyOf(picked);
  return lines.some((line) => keyOf(line) === key)
    ? lines.map((line) => (keyOf(line) === key ? { ...line, quantity: line.quantity + 1 } : line))
    : [...lines, { ...picked, quantity: 1 }];
}

function Find({
  company,
  onPick,
}: {
  readonly company: string;
  readonly onPick: (picked: Omit<Line, 'quantity'>) => void;
}) {
  const [words, setWords] = useState('');
  const query = useRested(words.trim());
  const loaded = useLoad(
    () =>
      list<Product>(`/companies/${company}/store/products`, {
        limit: FOUND,
        query: query === '' ? undefined : query,
      }),
    [company, query],
  );
  return (
    <div class="find">
      <Field label={t('orders.findProduct')} type="search" maxLength={120} value={words} onInput={setWords} />
      <Shown loaded={useKept(loaded)}>
        {({ data }) => {
          const sold = data.filter(({ active }) => active).flatMap(sellable);
          if (sold.length === 0) return <p class="quiet">{t('orders.noProduct')}</p>;
          return (
            <ul class="picks">
              {sold.map((one) => (
                <li key={keyOf(one)} class="line">
                  <Picture url={one.product.image_urls[0]} name={one.product.name} />
                  <span>
                    {one.product.name} {one.variant && <span class="quiet">{one.variant.name}</span>}
                    <span class="quiet"> {stockLeft(one)}</span>
                  </span>
                  <span class="end">{amount(String(priceOf(one)))}</span>
                  <button
                    type="button"
                    aria-label={`${t('form.add')} ${one.product.name} ${one.variant?.name ?? ''}`.trim()}
                    onClick={() => onPick(one)}
                  >
                    {t('form.add')}
                  </button>
                </li>
              ))}
            </ul>
          );
        }}
      </Shown>
    </div>
  );
}

const sellable = (product: Product): readonly Omit<Line, 'quantity'>[] =>
  product.variants.length === 0
    ? [{ product, variant: null }]
    : product.variants.filter(({ active }) => active).map((variant) => ({ product, variant }));

function stockLeft({ product, variant }: Omit<Line, 'quantity'>): string {
  const { stock, stock_tracked: tracked } = variant ?? product;
  return tracked && stock !== null ? t('orders.left', { count: stock }) : '';
}

function Lines({
  lines,
  change,
}: {
  readonly lines: readonly Line[];
  readonly change: (lines: readonly Line[]) => void;
}) {
  if (lines.length === 0) return null;
  return (
    <ul class="lines" aria-label={t('orders.items')}>
      {lines.map((line) => {
        const key = keyOf(line);
        const name = `${line.product.name} ${line.variant?.name ?? ''}`.trim();
        return (
          <li key={key} class="line">
            <input
              type="number"
              min={1}
              max={10_000}
              aria-label={t('orders.quantity', { name })}
              value={line.quantity}
              onInput={({ currentTarget }) => {
                const quantity = Math.max(1, Math.floor(Number(currentTarget.value) || 1));
                change(lines.map((one) => (keyOf(one) === key ? { ...one, quantity } : one)));
              }}
            />
            <span>{name}</span>
            <span class="end">{amount(String(priceOf(line) * line.quantity))}</span>
            <button
              type="button"
              class="plain"
              aria-label={`${t('form.remove')} ${name}`}
              onClick={() => change(lines.filter((one) => keyOf(one) !== key))}
            >
              {t('form.remove')}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
