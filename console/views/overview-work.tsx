/** Work that goes no further by itself: what a restore holds, and what failed too often. */
import type { ComponentChildren } from 'preact';
import { list, send, type Schemas } from '../api.js';
import { useAsk } from '../ask.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, Time } from '../parts.js';
import { named, t } from '../words.js';

const LOOK_EVERY_MS = 30_000;
const SHOWN = 20;

type Held = Schemas['HeldWork'];
type Parked = Schemas['ParkedMessage'];

export function StoppedWork({ company }: { readonly company: string }) {
  return (
    <>
      <HeldWork company={company} />
      <ParkedWork />
    </>
  );
}

function Stopped({
  id,
  title,
  what,
  more,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly what: string;
  readonly more: boolean;
  readonly children: ComponentChildren;
}) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p class="quiet">{what}</p>
      <ul class="findings">{children}</ul>
      {more && <p class="quiet">{t('work.more')}</p>}
    </section>
  );
}

function HeldWork({ company }: { readonly company: string }) {
  const { data, error, reload } = useLoad(
    () => list<Held>('/held-work', { company, limit: SHOWN }),
    [company],
    LOOK_EVERY_MS,
  );
  const work = useWork();
  const [ask, question] = useAsk();
  if (error !== null) return <ErrorBox error={error} retry={reload} />;
  if (data === undefined || data.data.length === 0) return null;
  const decide = (uuid: string, what: 'release' | 'end'): void =>
    void work.run(() => send('POST', `/held-work/${uuid}/${what}`)).then(reload);
  const end = async ({ uuid, about }: Held): Promise<void> => {
    const yes = await ask({ title: t('work.endTitle'), text: about, yes: t('work.end') });
    if (yes !== null) decide(uuid, 'end');
  };
  return (
    <Stopped id="held" title={t('work.held')} what={t('work.heldWhat')} more={data.meta.next_cursor !== null}>
      {data.data.map((one) => (
        <li key={one.uuid}>
          <p>
            <strong>{named('work.kind', one.kind)}</strong> · {one.about} · <Time at={one.due_at} />
          </p>
          <div class="actions">
            <button type="button" disabled={work.busy} onClick={() => decide(one.uuid, 'release')}>
              {t('work.release')}
            </button>
            <button type="button" disabled={work.busy} onClick={() => void end(one)}>
              {t('work.end')}
            </button>
          </div>
        </li>
      ))}
      {work.error !== null && <ErrorBox error={work.error} />}
      {question}
    </Stopped>
  );
}

function ParkedWork() {
  const { data, error, reload } = useLoad(
    () => list<Parked>('/parked-messages', { limit: SHOWN }),
    [],
    LOOK_EVERY_MS,
  );
  const work = useWork();
  if (error !== null) return <ErrorBox error={error} retry={reload} />;
  if (data === undefined || data.data.length === 0) return null;
  return (
    <Stopped
      id="parked"
      title={t('work.parked')}
      what={t('work.parkedWhat')}
      more={data.meta.next_cursor !== null}
    >
      {data.data.map(({ id, group, reason, parked_at: at }) => (
        <li key={id}>
          <p>
            <strong>{group}</strong> · <Time at={at} />
          </p>
          <p>{reason}</p>
          <button
            type="button"
            disabled={work.busy}
            onClick={() =>
              void work
                .run(() => send('POST', `/parked-messages/${encodeURIComponent(id)}/retry`))
                .then(reload)
            }
          >
            {t('work.retry')}
          </button>
        </li>
      ))}
      {work.error !== null && <ErrorBox error={work.error} />}
    </Stopped>
  );
}
