/** Who else has the same conversation open. The server forgets what this page said when its stream ends. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { send } from './api.js';
import { hearers, isOpen, PAGE } from './live.js';

export interface Present {
  /** Null for an operator. */
  readonly member_uuid: string | null;
  readonly typing: boolean;
}

interface Open {
  readonly company: string;
  readonly conversation: string | null;
  readonly typing: boolean;
}

/** Who stops typing for so long types no more. */
const PAUSE_MS = 5_000;
/** Leaving one conversation for the next is one call. */
const TOGETHER_MS = 100;

let now: Open | null = null;
let waiting: ReturnType<typeof setTimeout> | undefined;
let last: Promise<unknown> = Promise.resolve();

function say(open: Open): void {
  now = open;
  if (!isOpen()) return;
  waiting ??= setTimeout(() => {
    waiting = undefined;
    if (now === null) return;
    const { company, conversation, typing } = now;
    const body = { page: PAGE, conversation_uuid: conversation, typing };
    // One after the other, so that the last word is the present one. Nobody misses anything where one is lost.
    last = last.then(() => send('PUT', `/companies/${company}/presence`, body).catch(() => undefined));
  }, TOGETHER_MS);
}

/** @returns the others, and what to call when somebody types, or no longer does */
export function usePresence(
  company: string,
  conversation: string,
): { readonly others: readonly Present[]; readonly typed: (something: boolean) => void } {
  const [others, setOthers] = useState<readonly Present[]>([]);
  const typing = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const tell = (): void => say({ company, conversation, typing: typing.current !== undefined });
  useEffect(() => {
    const hearer = {
      opened: tell,
      lost: () => setOthers([]),
      presence(told: string) {
        const heard = JSON.parse(told) as {
          readonly conversation_uuid: string;
          readonly people: readonly Present[];
        };
        if (heard.conversation_uuid === conversation) setOthers(heard.people);
      },
    };
    hearers.add(hearer);
    tell();
    return () => {
      hearers.delete(hearer);
      clearTimeout(typing.current);
      typing.current = undefined;
      say({ company, conversation: null, typing: false });
    };
  }, [company, conversation]);
  const typed = (something: boolean): void => {
    const before = typing.current;
    clearTimeout(before);
    typing.current = something
      ? setTimeout(() => {
          typing.current = undefined;
          tell();
        }, PAUSE_MS)
      : undefined;
    if ((before !== undefined) !== something) tell();
  };
  return { others, typed };
}
