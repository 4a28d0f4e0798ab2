/** A phone beside the inbox that plays the customer, where the built-in sandbox stands in for WhatsApp. */
import { useEffect, useState } from 'preact/hooks';
import { get, list, send, type Schemas } from '../api.js';
import { Field } from '../field.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { useMay } from '../session.js';
import type { Conversation, Product } from '../shapes.js';
import { named, t } from '../words.js';
import { Screen, type Player } from './simulator-screen.js';

/** Numbers that the sandbox gives a meaning (docs/sandbox.md). */
const PEOPLE = [
  ['+5511987654321', 'sim.person'],
  ['+5511967131026', 'sim.fails'],
  ['+5511966131047', 'sim.refused'],
  ['+5511969016001', 'sim.neverReads'],
] as const;

/** What happens to the next message to this person. */
const FATES = {
  undelivered: { failed_code: 131026 },
  blocked: { statuses: ['sent'] },
  unread: { statuses: ['sent', 'delivered'] },
  window: { code: 131047 },
  limit: { failed_code: 131049 },
  away: { code: 131016 },
} as const;

/** Where the sandbox runs: its channel, for those who may play. */
export function useSandbox(): string | null {
  const may = useMay('getSandbox');
  const { data } = useLoad(
    () => (may ? get<Schemas['SandboxInfo']>('/sandbox/info') : Promise.resolve(null)),
    [may],
  );
  return data?.enabled === true ? (data.channels[0]?.channel_uuid ?? null) : null;
}

export function Simulator({
  company,
  channel,
  conversation,
}: {
  readonly company: string;
  readonly channel: string;
  readonly conversation: string | null;
}) {
  const [from, setFrom] = useState<string>(PEOPLE[0][0]);
  const [name, setName] = useState('Ana');
  const [text, setText] = useState('');
  const [done, setDone] = useState('');
  const work = useWork();
  const open = useLoad(
    () =>
      conversation === null ? Promise.resolve(null) : get<Conversation>(`/conversations/${conversation}`),
    [conversation],
  );
  const contact = open.data?.contact;
  useEffect(() => {
    if (!contact?.phone) return;
    setFrom(contact.phone);
    setName(contact.name ?? '');
  }, [contact?.uuid]);

  const play: Player['play'] = async (what, fields, told) => {
    setDone('');
    const body = { channel_uuid: channel, ...fields };
    const played = await work.run(() => send('POST', `/sandbox/plays/${what}`, body));
    if (played) setDone(told);
    return played;
  };
  const who = { from, ...(name === '' ? {} : { name }) };
  const say = (fields: object): Promise<boolean> => play('message', { ...who, ...fields }, t('sim.sent'));
  const write = async (words: string): Promise<void> => {
    if (await say({ type: 'text', text: words })) setText('');
  };
  const player = { busy: work.busy, play };
  return (
    <aside class="simulator" aria-label={t('sim.phone')}>
      <p class="quiet">{t('sim.how')}</p>
      <div class="who-plays">
        <Field
          label={t('sim.who')}
          required
          maxLength={32}
          value={from}
          list="sim-people"
          onInput={setFrom}
        />
        <Field label={t('sim.name')} maxLength={80} value={name} onInput={setName} />
        <datalist id="sim-people">
          {PEOPLE.map(([phone, word]) => (
            <option key={phone} value={phone}>
              {t(word)}
            </option>
          ))}
        </datalist>
      </div>
      <Screen
        key={conversation}
        conversation={contact?.phone === from ? conversation : null}
        from={from}
        player={player}
      />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void write(text);
        }}
      >
        <Field label={t('sim.text')} required maxLength={4096} value={text} onInput={setText} />
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy || text.trim() === ''}>
            {t('sim.send')}
          </button>
          <button
            type="button"
            disabled={work.busy}
            onClick={() => void say({ type: 'image', caption: text })}
          >
            {t('sim.picture')}
          </button>
          <button type="button" disabled={work.busy} onClick={() => void write('PARAR')}>
            PARAR
          </button>
        </div>
      </form>
      <Cart
        company={company}
        busy={work.busy}
        onSend={(item) => void say({ type: 'order', items: [item] })}
      />
      <label class="fate">
        {t('sim.fate')}
        <select
          value=""
          disabled={work.busy}
          onChange={({ currentTarget }) => {
            const fate = Object.entries(FATES).find(([key]) => key === currentTarget.value);
            currentTarget.value = '';
            if (fate === undefined) return;
            const [key, what] = fate;
            const told = t('sim.fateSet', { fate: named('sim.fate', key) });
            void play('fault', { to: from, times: 1, ...what }, told);
          }}
        >
          <option value="">{t('sim.fate.none')}</option>
          {Object.keys(FATES).map((key) => (
            <option key={key} value={key}>
              {named('sim.fate', key)}
            </option>
          ))}
        </select>
      </label>
      <p class="quiet" role="status">
        {done}
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
    </aside>
  );
}

/** An order from the catalogue, as WhatsApp sends it. */
function Cart({
  company,
  busy,
  onSend,
}: {
  readonly company: string;
  readonly busy: boolean;
  readonly onSend: (item: object) => void;
}) {
  const [picked, setPicked] = useState('');
  const products = useLoad(
    () => list<Product>(`/companies/${company}/store/products`, { active: 'true', limit: 50 }),
    [company],
    ['product'],
  );
  // A company without a store has no carts, and no product with variants is sold as a whole.
  const sold = (products.data?.data ?? []).filter(({ variants }) => variants.length === 0);
  const product =
    sold.find(({ uuid }) => uuid === picked) ?? sold.find(({ stock }) => stock !== 0) ?? sold[0];
  if (product === undefined) return null;
  return (
    <div class="line">
      <select
        aria-label={t('sim.product')}
        value={product.uuid}
        onChange={({ currentTarget }) => setPicked(currentTarget.value)}
      >
        {sold.map(({ uuid, name, stock }) => (
          <option key={uuid} value={uuid}>
            {stock === 0 ? `${name} (${t('products.out')})` : name}
          </option>
        ))}
      </select>
      <button
        type="button"
        disabled={busy}
        onClick={() =>
          onSend({
            // Catalogues have the shop's own code.
            product_retailer_id: product.sku ?? product.uuid,
            item_price: Number(product.price),
            quantity: 1,
          })
        }
      >
        {t('sim.cart')}
      </button>
    </div>
  );
}
