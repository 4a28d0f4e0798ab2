/** What is edited of a flow and not saved: the versions on the way, to go back to. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAsk } from '../ask.js';
import type { Definition } from '../flow/definition.js';
import { useLeaving } from '../leaving.js';
import { useUnsent } from '../unsent.js';
import { t } from '../words.js';

export interface FlowEdits {
  /** The newest; without edits, what is saved. */
  readonly definition: Definition;
  /** Number of edits that are not saved. */
  readonly count: number;
  readonly change: (next: Definition) => void;
  readonly undo: () => void;
  /** Everything is saved. */
  readonly clear: () => void;
  /** The question before they are lost, while it is asked. */
  readonly question: JSX.Element | null;
}

/** @param own address of the flow's page: its parts share the edits */
export function useFlowEdits(name: string, own: string, saved: Definition): FlowEdits {
  /** The newest last. */
  const [edits, setEdits] = useState<readonly Definition[]>([]);
  const definition = edits.at(-1) ?? saved;
  const [ask, question] = useAsk();
  useLeaving(
    edits.length > 0,
    (address) => address.split('?')[0] === own,
    (leave) =>
      void ask({
        title: t('flows.leaveTitle'),
        text: t('flows.leaveText'),
        yes: t('flows.leave'),
      }).then((yes) => {
        if (yes !== null) leave();
      }),
  );
  useUnsent(() => (edits.length === 0 ? null : { label: name, text: JSON.stringify(definition, null, 2) }));
  return {
    definition,
    count: edits.length,
    change: (next) => setEdits([...edits, next]),
    undo: () => setEdits(edits.slice(0, -1)),
    clear: () => setEdits([]),
    question,
  };
}
