import { Refusal } from '../domain/kernel/refusal.js';
import type { Clock } from '../ports/clock.js';
import type { AcceptedMessage } from './statuses.js';
import { moveTemplate } from './template-moves.js';
import type { SandboxTemplate, TemplateMove } from './template.js';

export interface TemplateBook {
  readonly all: readonly SandboxTemplate[];
  put(template: SandboxTemplate): void;
  /** @throws Refusal not_found */
  find(name: string, language: string, wabaId?: string): SandboxTemplate;
  /** @throws Refusal */
  move(move: TemplateMove): SandboxTemplate;
  /** Keeps a message until its template's hold ends; false when the template is not held. */
  hold(message: AcceptedMessage): boolean;
  /** Number of messages that wait for `release` or `drop`. */
  heldMessages(): number;
}

export function createTemplateBook(deps: {
  readonly initial: readonly SandboxTemplate[];
  readonly clock: Clock;
  readonly emit: (change: { wabaId: string; field: string; value: Record<string, unknown> }) => void;
  readonly settle: (message: AcceptedMessage, outcome: 'released' | 'dropped') => void;
}): TemplateBook {
  const all = [...deps.initial];
  let held: AcceptedMessage[] = [];

  const isSame = (a: SandboxTemplate) => (b: SandboxTemplate) =>
    a.wabaId === b.wabaId && a.name === b.name && a.language === b.language;

  const put = (template: SandboxTemplate): void => {
    const index = all.findIndex(isSame(template));
    if (index < 0) all.push(template);
    else all[index] = template;
  };

  const find = (name: string, language: string, wabaId?: string): SandboxTemplate => {
    const found = all.find(
      (template) =>
        template.name === name &&
        template.language === language &&
        (wabaId ?? template.wabaId) === template.wabaId,
    );
    if (found !== undefined) return found;
    throw new Refusal('not_found', `The sandbox has no template ${name} in ${language}.`);
  };

  const settleHeld = (template: SandboxTemplate, outcome: 'released' | 'dropped'): void => {
    const settled = held.filter((message) => message.template !== null && isSame(template)(message.template));
    held = held.filter((message) => !settled.includes(message));
    for (const message of settled) deps.settle(message, outcome);
  };

  return {
    all,
    put,
    find,
    move(move) {
      const template = find(move.name, move.language, move.wabaId);
      const current = (of: SandboxTemplate): SandboxTemplate | undefined => all.find(isSame(of));
      moveTemplate({ clock: deps.clock, emit: deps.emit, put, current, settleHeld }, template, move);
      return current(template) ?? template;
    },
    hold(message) {
      if (message.template?.held !== true) return false;
      held.push(message);
      return true;
    },
    heldMessages: () => held.length,
  };
}
