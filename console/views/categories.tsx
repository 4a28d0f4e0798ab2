import { useState } from 'preact/hooks';
import { get, send } from '../api.js';
import { useAsk } from '../ask.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, Shown } from '../parts.js';
import { addressOf, follow } from '../place.js';
import type { Category } from '../shapes.js';
import { count, t } from '../words.js';
import { CategoryOptions, depthOf } from './category-options.js';

export function Categories({ company }: { readonly company: string }) {
  const path = `/companies/${company}/store/categories`;
  const loaded = useLoad(() => get<readonly Category[]>(path), [company]);
  const work = useWork();
  const [ask, question] = useAsk();
  const [name, setName] = useState('');
  const [parent, setParent] = useState('');
  const change = (uuid: string, fields: object): void =>
    void work.run(() => send('PATCH', `${path}/${uuid}`, fields)).then(loaded.reload);
  const add = async (): Promise<void> => {
    const body = { name: name.trim(), parent_uuid: parent === '' ? null : parent };
    if (await work.run(() => send('POST', path, body))) setName('');
    loaded.reload();
  };
  const remove = async (category: Category): Promise<void> => {
    const sure = await ask({
      title: t('categories.removeTitle', { name: category.name }),
      text: t('categories.removeSure'),
      yes: t('form.remove'),
    });
    if (sure === null) return;
    await work.run(() => send('DELETE', `${path}/${category.uuid}`));
    loaded.reload();
  };
  return (
    <>
      <a class="back-link" href={addressOf(company, 'products')} onClick={follow}>
        ‹ {t('products.back')}
      </a>
      <section aria-labelledby="categories">
        <h1 id="categories">{t('products.categories')}</h1>
        {work.error !== null && <ErrorBox error={work.error} />}
        <Shown loaded={loaded}>
          {(categories) => (
            <>
              {categories.length === 0 && <p class="quiet">{t('categories.none')}</p>}
              <ul class="lines">
                {categories.map((category) => (
                  <li key={category.uuid} class="line">
                    <span class="quiet" aria-hidden="true">
                      {'– '.repeat(depthOf(categories, category.parent_uuid))}
                    </span>
                    <Name category={category} save={(next) => change(category.uuid, { name: next })} />
                    <span class="quiet">
                      {t('categories.products', { count: count(category.product_count) })}
                    </span>
                    {!category.active && <Badge kind="plain">{t('categories.hidden')}</Badge>}
                    <button
                      data-op="changeStoreCategory"
                      type="button"
                      class="plain end"
                      disabled={work.busy}
                      onClick={() => change(category.uuid, { active: !category.active })}
                    >
                      {t(category.active ? 'categories.hide' : 'categories.shown')}
                      <span class="hidden"> {category.name}</span>
                    </button>
                    <button
                      data-op="removeStoreCategory"
                      type="button"
                      class="plain"
                      disabled={work.busy}
                      onClick={() => void remove(category)}
                    >
                      {t('form.remove')}
                      <span class="hidden"> {category.name}</span>
                    </button>
                  </li>
                ))}
              </ul>
              <form
                data-op="createStoreCategory"
                class="filters"
                onSubmit={(event) => {
                  event.preventDefault();
                  void add();
                }}
              >
                <Field label={t('categories.new')} required maxLength={200} value={name} onInput={setName} />
                <label class="field">
                  {t('categories.parent')}
                  <select value={parent} onChange={({ currentTarget }) => setParent(currentTarget.value)}>
                    <option value="">{t('categories.top')}</option>
                    <CategoryOptions categories={categories} />
                  </select>
                </label>
                <button type="submit" class="main" disabled={work.busy}>
                  {t('form.add')}
                </button>
              </form>
            </>
          )}
        </Shown>
      </section>
      {question}
    </>
  );
}

function Name({ category, save }: { readonly category: Category; readonly save: (name: string) => void }) {
  const [name, setName] = useState(category.name);
  const commit = (): void => {
    const next = name.trim();
    if (next !== '' && next !== category.name) save(next);
  };
  return (
    <input
      class="inline name"
      aria-label={t('categories.nameOf', { name: category.name })}
      maxLength={200}
      value={name}
      onInput={({ currentTarget }) => setName(currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
