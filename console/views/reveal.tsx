/** For who sees customers masked: shows those of one thing, for a reason, and says that it is recorded. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { get, send, type ApiError, type Schemas } from '../api.js';
import { Dialog } from '../dialog.js';
import { useLoad, useWork } from '../load.js';
import { Badge, ErrorBox, fieldOf } from '../parts.js';
import { useSession } from '../session.js';
import type { Company } from '../shapes.js';
import { named, shortTime, t } from '../words.js';

type Shown = Schemas['Reveal'];

const REASONS = [
  ...['customer_asked', 'order_problem', 'payment_check', 'complaint'],
  ...['quality_review', 'legal_request', 'suspected_abuse'],
];
/** After the server's end, so that it answers masked again. */
const LATER_MS = 1_000;
/** Where the browser's clock is ahead, the server still shows it then: the page asks again after this. */
const AHEAD_MS = 15_000;

interface Props {
  readonly company: string;
  readonly thing: Shown['thing'];
  readonly uuid: string;
  /** Reads the thing again: now shown, or masked again. */
  readonly onChange: () => void;
}

export function Reveal(props: Props) {
  return useSession().role === 'viewer' ? <Masked key={props.uuid} {...props} /> : null;
}

function Masked({ company, thing, uuid, onChange }: Props) {
  const known = useLoad(async () => {
    const [{ privacy }, { reveals = [] }] = await Promise.all([
      get<Company>(`/companies/${company}`),
      get<Schemas['ConsoleSession']>('/session'),
    ]);
    const before = reveals.find((one) => one.thing === thing && one.thing_uuid === uuid);
    return { isAllowed: privacy.viewers_may_reveal, until: before?.until ?? null };
  }, [company, uuid]);
  const [asks, setAsks] = useState(false);
  const [now, setNow] = useState<string | null>(null);
  const status = useRef<HTMLParagraphElement>(null);
  const wasAsked = useRef<string | null>(null);
  const until = now ?? known.data?.until ?? null;
  useEffect(() => {
    if (until === null) return;
    const least = wasAsked.current === until ? AHEAD_MS : 0;
    const over = setTimeout(
      () => {
        wasAsked.current = until;
        setNow(null);
        known.reload();
        onChange();
      },
      Math.max(least, Date.parse(until) - Date.now()) + LATER_MS,
    );
    return () => clearTimeout(over);
  }, [until]);
  useLayoutEffect(() => {
    // The button that had the focus is gone. Before the browser draws: a key that is pressed at once is not lost.
    if (now !== null) status.current?.focus();
  }, [now]);
  if (known.error !== null) return <ErrorBox error={known.error} retry={known.reload} />;
  if (known.data === undefined) return null;
  if (until !== null)
    return (
      <p class="reveal" role="status" tabIndex={-1} ref={status}>
        <Badge kind="warn">{t('reveal.shown', { time: shortTime(until) })}</Badge> {t('reveal.recorded')}
      </p>
    );
  if (!known.data.isAllowed) return <p class="reveal quiet">{t('refusal.revealing_off')}</p>;
  return (
    <p class="reveal">
      <button type="button" onClick={() => setAsks(true)}>
        {t(`reveal.${thing}`)}
      </button>
      {asks && (
        <Ask
          path={`/companies/${company}/reveals`}
          body={{ thing, thing_uuid: uuid }}
          onClose={() => setAsks(false)}
          onShown={(shown) => {
            setAsks(false);
            setNow(shown.until);
            onChange();
          }}
        />
      )}
    </p>
  );
}

interface AskProps {
  readonly path: string;
  readonly body: Pick<Shown, 'thing' | 'thing_uuid'>;
  readonly onClose: () => void;
  readonly onShown: (shown: Shown) => void;
}

function Ask({ path, body, onClose, onShown }: AskProps) {
  const work = useWork();
  const show = async (form: HTMLFormElement): Promise<void> => {
    const why = { reason: fieldOf(form, 'reason'), reference: fieldOf(form, 'reference') || null };
    await work.run(async () => onShown(await send<Shown>('POST', path, { ...body, ...why })));
  };
  return (
    <Dialog title={t(`reveal.${body.thing}`)} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void show(event.currentTarget);
        }}
      >
        <p>{t('reveal.how')}</p>
        <label class="field">
          {t('reveal.reason')}
          <select name="reason" required>
            <option value="">{t('reveal.choose')}</option>
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
          <span class="quiet">{t('reveal.referenceHow')}</span>
        </label>
        {work.error !== null && <ErrorBox error={work.error} />}
        {work.error !== null && <Again error={work.error} />}
        <div class="actions">
          <button type="submit" class="main" disabled={work.busy}>
            {t('reveal.show')}
          </button>
          <button type="button" onClick={onClose}>
            {t('form.cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** When the limit lets the person reveal again. */
function Again({ error }: { readonly error: ApiError }) {
  const { retry_after_seconds: seconds } = error.details;
  if (typeof seconds !== 'number') return null;
  const at = new Date(Date.now() + seconds * 1_000).toISOString();
  return <p>{t('reveal.again', { time: shortTime(at) })}</p>;
}
