import { useEffect, useState } from 'preact/hooks';
import type { Conversation } from '../shapes.js';
import { span, t } from '../words.js';
import { TemplateForm } from './reply-template.js';
import { TextForm } from './reply-text.js';

/** Meta's customer service window: free-form messages reach a customer for 24 hours after their last message. */
const WINDOW_MS = 24 * 3_600_000;
const MODES = ['text', 'template', 'note'] as const;

interface Props {
  readonly company: string;
  readonly conversation: Conversation;
  readonly onSent: () => void;
  /** Told when somebody begins or ends to type to the customer. */
  readonly onTyping: (something: boolean) => void;
  /** Ends the flow that runs here, before an answer; null: none runs. */
  readonly takeOver: (() => Promise<void>) | null;
}

/** Milliseconds until the window closes; 0 when it is closed. */
const openFor = ({ last_inbound_at: at }: Conversation, now: number): number =>
  at ? Math.max(0, Date.parse(at) + WINDOW_MS - now) : 0;

function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

export function Reply({ company, conversation, onSent, onTyping, takeOver }: Props) {
  const left = openFor(conversation, useNow(30_000));
  const [chosen, setMode] = useState<(typeof MODES)[number] | null>(null);
  const mode = chosen ?? (left > 0 ? 'text' : 'template');
  return (
    <div data-op="sendConversationMessage" class="reply">
      <div class="modes" role="group" aria-label={t('reply.mode')}>
        {MODES.map((one) => (
          <button key={one} type="button" aria-pressed={one === mode} onClick={() => setMode(one)}>
            {t(`reply.${one}`)}
          </button>
        ))}
      </div>
      {mode !== 'note' && (
        <p class="quiet">{left > 0 ? t('reply.open', { time: span(left) }) : t('reply.closed')}</p>
      )}
      {mode === 'template' ? (
        <TemplateForm company={company} conversation={conversation} onSent={onSent} takeOver={takeOver} />
      ) : (
        <TextForm
          key={mode}
          company={company}
          mode={mode}
          conversation={conversation}
          disabled={mode === 'text' && left === 0}
          onSent={onSent}
          onTyping={onTyping}
          takeOver={takeOver}
        />
      )}
    </div>
  );
}
