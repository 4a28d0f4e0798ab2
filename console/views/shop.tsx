import { get, send } from '../api.js';
import { useAsk } from '../ask.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow, type Place } from '../place.js';
import { Qr } from '../qr.js';
import type { StoreSettings } from '../shapes.js';
import { count, t } from '../words.js';
import { ShopForm } from './shop-form.js';

export function Shop({ company }: { readonly company: string; readonly place: Place }) {
  const path = `/companies/${company}/store`;
  const loaded = useLoad(
    () =>
      get<StoreSettings>(path).catch((error: { readonly status?: number }) => {
        if (error.status === 404) return null;
        throw error;
      }),
    [company],
  );
  return (
    <>
      <h1>{t('nav.shop')}</h1>
      <Shown loaded={loaded}>
        {(store) =>
          store === null ? (
            <section aria-labelledby="open">
              <h2 id="open">{t('shop.open')}</h2>
              <p>{t('shop.openHow')}</p>
              <ShopForm company={company} store={null} onSaved={loaded.reload} />
            </section>
          ) : (
            <>
              <PublicPage company={company} store={store} />
              <section aria-labelledby="about">
                <h2 id="about">{t('shop.about')}</h2>
                <ShopForm company={company} store={store} onSaved={loaded.reload} />
              </section>
              <Plan path={path} store={store} reload={loaded.reload} />
            </>
          )
        }
      </Shown>
    </>
  );
}

const STATES = { active: 'good', paused: 'warn', setup: 'plain' } as const;

function PublicPage({ company, store }: { readonly company: string; readonly store: StoreSettings }) {
  const { public_url: url, status } = store;
  const numbers = [
    ['shop.waiting', store.orders_by_status.novo, 'orders'],
    ['shop.orders', store.order_count, 'orders'],
    ['shop.products', store.active_product_count, 'products'],
  ] as const;
  return (
    <section aria-labelledby="public-page" class="public-page">
      <div>
        <h2 id="public-page">{t('shop.page')}</h2>
        <p>
          <Badge kind={STATES[status]}>{t(`shop.${status}`)}</Badge>
        </p>
        {url === null ? (
          <p>{t('shop.noPage')}</p>
        ) : (
          <>
            <p>
              <code class="address">{url}</code>
            </p>
            <p>
              <a class="button" href={url} target="_blank" rel="noreferrer">
                {t('shop.visit')}
              </a>
            </p>
          </>
        )}
        <dl class="numbers">
          {numbers.map(([word, value, section]) => (
            <div key={word}>
              <dt>{t(word)}</dt>
              <dd>
                <a href={addressOf(company, section)} onClick={follow}>
                  {count(value)}
                </a>
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {url !== null && (
        <figure>
          <Qr text={url} label={t('shop.qr')} />
          <figcaption class="quiet">{t('shop.qrHow')}</figcaption>
        </figure>
      )}
    </section>
  );
}

function Plan({
  path,
  store: { allowed },
  reload,
}: {
  readonly path: string;
  readonly store: StoreSettings;
  readonly reload: () => void;
}) {
  const work = useWork();
  const [ask, question] = useAsk();
  const change = async (): Promise<void> => {
    if (allowed) {
      const sure = await ask({
        title: t('shop.forbidTitle'),
        text: t('shop.forbidSure'),
        yes: t('shop.forbid'),
      });
      if (sure === null) return;
    }
    await work.run(() => send('PUT', `${path}/plan`, { allowed: !allowed }));
    reload();
  };
  return (
    <section aria-labelledby="plan">
      <h2 id="plan">{t('shop.plan')}</h2>
      <p>
        <Badge kind={allowed ? 'good' : 'warn'}>{t(allowed ? 'shop.allowed' : 'shop.notAllowed')}</Badge>
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
      <button
        data-op="changeCompanyStorePlan"
        type="button"
        disabled={work.busy}
        onClick={() => void change()}
      >
        {t(allowed ? 'shop.forbid' : 'shop.allow')}
      </button>
      {question}
    </section>
  );
}
