/** What flows and people did between the messages: quiet lines, with the execution or the order behind them. */
import { useEffect } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import type { Schemas } from '../api.js';
import { usePages } from '../pages.js';
import { Time } from '../parts.js';
import { addressOf, follow } from '../place.js';
import { fullTime, named, t } from '../words.js';

export type Step = Schemas['ConversationStep'];
export type Team = readonly Schemas['TeamMember'][];

const PAGE = 100;
const keyOf = ({ at, what, execution_uuid, order_uuid, reason, status }: Step): string =>
  [at, what, execution_uuid, order_uuid, reason, status].join(' ');

/** @param oldest time of the oldest message that is shown; null: all are */
export function useSteps(path: string, oldest: string | null): readonly Step[] {
  const pages = usePages<Step>(`${path}/steps`, {}, keyOf, ['conversation', 'execution', 'order'], PAGE);
  const { rows = [], more, busy, moreError } = pages;
  const last = rows.at(-1)?.at;
  const wanted = more !== null && !busy && moreError === null && (oldest === null || (last ?? '') > oldest);
  useEffect(() => {
    if (wanted) more();
  }, [wanted]);
  return rows;
}

export function StepLine({
  step,
  company,
  team,
}: {
  readonly step: Step;
  readonly company: string;
  readonly team: Team;
}) {
  const { at, what, flow_uuid: flow, execution_uuid: run } = step;
  const who = whoOf(step.actor, team);
  const mark = '\0';
  const [before = '', after] = textOf(step, team, mark).split(mark);
  const link =
    what === 'order_moved' && step.order_uuid !== null
      ? { href: addressOf(company, 'orders', step.order_uuid), text: `#${String(step.order_number ?? '')}` }
      : flow !== null && run !== null
        ? { href: addressOf(company, 'flows', flow, { tab: 'runs', run }), text: `“${step.flow_name ?? ''}”` }
        : null;
  return (
    <Line at={at}>
      {before}
      {after !== undefined &&
        (link === null ? (
          t('step.aFlow')
        ) : (
          <a href={link.href} onClick={follow}>
            {link.text}
          </a>
        ))}
      {after}
      {who !== null && <> · {who}</>}
    </Line>
  );
}

const Line = ({ at, children }: { readonly at: string; readonly children: ComponentChildren }) => (
  <li class="step">
    {children} · <Time at={at} />
  </li>
);

/** Null for programs, which are named by what they did. */
function whoOf(actor: string, team: Team): string | null {
  if (actor === 'admin') return t('presence.operator');
  const [kind, uuid] = actor.split(':');
  return kind === 'user' ? nameOf(uuid, team) : null;
}

const nameOf = (uuid: string | undefined, team: Team): string =>
  team.find((member) => member.uuid === uuid)?.name ?? t('inbox.somebody');

function textOf(step: Step, team: Team, mark: string): string {
  const { what, status, reason, until, agent_uuid: agent, group_uuid: group } = step;
  switch (what) {
    case 'assigned': {
      const names = [agent, group].filter((one) => one !== null).map((one) => nameOf(one, team));
      return names.length === 0 ? t('step.unassigned') : t('step.assigned', { name: names.join(', ') });
    }
    case 'flow_waits':
      return until === null || reason === 'callback'
        ? t('step.flow_waits.callback', { flow: mark })
        : t('step.flow_waits.time', { flow: mark, time: fullTime(until) });
    case 'flow_ended': {
      const known = named('run', status ?? '');
      return t(status === 'completed' ? 'step.flow_ended' : 'step.flow_ended.otherwise', {
        flow: mark,
        how: status === 'failed' && reason !== null ? `${known} (${reason})` : known,
      });
    }
    case 'handed_off':
      return t(
        reason === 'person'
          ? step.execution_uuid === null
            ? 'step.handed_off.alone'
            : 'step.handed_off.person'
          : reason === 'asked'
            ? 'step.handed_off.asked'
            : 'step.handed_off.handoff',
        { flow: mark },
      );
    case 'reopened':
      return t(
        reason === 'inbound'
          ? 'step.reopened.inbound'
          : reason === 'flow'
            ? 'step.reopened.flow'
            : 'step.reopened',
      );
    case 'order_moved':
      return t('step.order_moved', { order: mark, status: status ?? '' });
    default:
      return t(`step.${what}`, { flow: mark });
  }
}
