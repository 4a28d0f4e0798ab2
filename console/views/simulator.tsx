/** Plays the customer, where the built-in sandbox stands in for WhatsApp. */
import { useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox } from '../parts.js';
import { t } from '../words.js';

/** Numbers that the sandbox gives a meaning (docs/sandbox.md), and words that end marketing. */
const PEOPLE = [
  ['+5511987654321', 'sim.person'],
  ['+5511967131026', 'sim.fails'],
  ['+5511966131047', 'sim.refused'],
  ['+5511969016001', 'sim.neverReads'],
] as const;

export function Simulator() {
  const { data } = useLoad(() => get<Schemas['SandboxInfo']>('/sandbox/info'), []);
  if (data?.enabled !== true || data.channels.length === 0) return null;
  return (
    <details class="simulator">
      <summary>{t('sim.title')}</summary>
      <Phone channel={data.channels[0]!.channel_uuid} />
    </details>
  );
}

function Phone({ channel }: { readonly channel: string }) {
  const [from, setFrom] = useState<string>(PEOPLE[0][0]);
  const [name, setName] = useState('Ana');
  const [text, setText] = useState('');
  const [done, setDone] = useState('');
  const work = useWork();
  const play = async (what: string, fields: object, told: string): Promise<void> => {
    setDone('');
    const body = { from, name, channel_uuid: channel, ...fields };
    if (await work.run(() => send('POST', `/sandbox/plays/${what}`, body))) setDone(told);
  };
  const write = (words: string): Promise<void> =>
    play('message', { type: 'text', text: words }, t('sim.sent')).then(() => setText(''));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void write(text);
      }}
    >
      <p class="quiet">{t('sim.how')}</p>
      <label>
        {t('sim.who')}
        <input
          required
          list="sim-people"
          inputMode="tel"
          maxLength={32}
          value={from}
          onInput={({ currentTarget }) => setFrom(currentTarget.value)}
        />
      </label>
      <datalist id="sim-people">
        {PEOPLE.map(([phone, word]) => (
          <option key={phone} value={phone}>
            {t(word)}
          </option>
        ))}
      </datalist>
      <label>
        {t('sim.name')}
        <input maxLength={80} value={name} onInput={({ currentTarget }) => setName(currentTarget.value)} />
      </label>
      <label>
        {t('sim.text')}
        <input
          required
          maxLength={4096}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <div class="actions">
        <button type="submit" class="main" disabled={work.busy || text.trim() === ''}>
          {t('sim.send')}
        </button>
        {['1', '2', '3'].map((choice) => (
          <button
            key={choice}
            type="button"
            disabled={work.busy}
            onClick={() => void play('tap', { choice, name: undefined }, t('sim.tapped', { choice }))}
          >
            {t('sim.tap', { choice })}
          </button>
        ))}
        <button type="button" disabled={work.busy} onClick={() => void write('PARAR')}>
          PARAR
        </button>
      </div>
      <p class="quiet" role="status">
        {done}
      </p>
      {work.error !== null && <ErrorBox error={work.error} />}
    </form>
  );
}
