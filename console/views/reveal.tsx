/** For who sees customers masked: shows those of one thing, for a reason, and says that it is recorded. */
import { useEffect, useState } from 'preact/hooks';
import { get, send, type Schemas } from '../api.js';
import { useLoad, useWork } from '../load.js';
import { ErrorBox, fieldOf } from '../parts.js';
import { useSession } from '../session.js';
import { named, shortTime, t } from '../words.js';

type Shown = Schemas['Reveal'];

const REASONS = [
  ...['customer_asked', 'order_problem', 'payment_check', 'complaint'],
  ...['quality_review', 'legal_request', 'suspected_abuse'],
];

interface Props {
  readonly company: string;
  readonly thing: Shown['thing'];
  readonly uuid: string;
  /** Reads the thing again: now shown, or masked again. */
  readonly onChange: () => void;
}

export function Reveal(props: Props) {
  return useSession().role === 'viewer' ? <Ask key={props.uuid} {...props} /> : null;
}

function Ask({ company, thing, uuid, onChange }: Props) {
  const session = useLoad(() => get<Schemas['ConsoleSession']>('/session'), [uuid]);
  const [now, setNow] = useState<string | null>(null);
  const work = useWork();
  const before = (session.data?.reveals ?? []).find((one) => one.thing === thing && one.thing_uuid === uuid);
  const until = now ?? before?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    // A second later than the server's end, so that it answers masked again.
    const over = setTimeout(
      () => {
        setNow(null);
        session.reload();
        onChange();
      },
      Math.max(0, Date.parse(until) - Date.now()) + 1_000,
    );
    return () => clearTimeout(over);
  }, [until]);
  if (until !== null) return <p role="status">{t('reveal.shown', { time: shortTime(until) })}</p>;
  const show = async (form: HTMLFormElement): Promise<void> => {
    const body = {
      thing,
      thing_uuid: uuid,
      reason: fieldOf(form, 'reason'),
      reference: fieldOf(form, 'reference') || null,
    };
    await work.run(async () => {
      setNow((await send<Shown>('POST', `/companies/${company}/reveals`, body)).until);
      onChange();
    });
  };
  return (
    <details class="reveal">
      <summary>{t('reveal.title')}</summary>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void show(event.currentTarget);
        }}
      >
        <p class="quiet">{t('reveal.how')}</p>
        <label class="field">
          {t('reveal.reason')}
          <select name="reason" required>
            {REASONS.map((one) => (
              <option key={one} value={one}>
                {named('reason', one)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          {t('reveal.reference')}
          <input name="reference" maxLength={40} autocomplete="off" />
        </label>
        {work.error !== null && <ErrorBox error={work.error} />}
        <div class="actions">
          <button type="submit" disabled={work.busy}>
            {t('reveal.show')}
          </button>
        </div>
      </form>
    </details>
  );
}
