/**
 * The life of a template at Meta: review, pauses for low quality (3 hours, then 6, then disabled), pacing, quality and
 * category, each with its webhook.
 * https://developers.facebook.com/documentation/business-messaging/whatsapp/templates/template-pausing
 */
import { Refusal } from '../domain/kernel/refusal.js';
import type { Clock } from '../ports/clock.js';
import { secondsOf } from './statuses.js';
import type { SandboxTemplate, TemplateMove } from './template.js';

export interface MoveDeps {
  readonly clock: Clock;
  /** The current version of a template; undefined when it has been removed. */
  readonly current: (template: SandboxTemplate) => SandboxTemplate | undefined;
  readonly put: (template: SandboxTemplate) => void;
  readonly emit: (change: { wabaId: string; field: string; value: Record<string, unknown> }) => void;
  /** Sends the held messages of this template, or fails them with 132015. */
  readonly settleHeld: (template: SandboxTemplate, outcome: 'released' | 'dropped') => void;
}

const HOUR_MS = 3_600_000;
const PAUSE_HOURS = [3, 6];

/** The states in which each move is possible; a move that is not listed is possible in any. */
const FROM: Readonly<Partial<Record<TemplateMove['move'], readonly string[]>>> = {
  approve: ['PENDING', 'REJECTED', 'IN_APPEAL'],
  reject: ['PENDING', 'APPROVED', 'IN_APPEAL'],
  appeal: ['REJECTED'],
  pause: ['APPROVED'],
  unpause: ['PAUSED'],
  disable: ['PENDING', 'APPROVED', 'PAUSED', 'REJECTED', 'IN_APPEAL'],
  hold: ['APPROVED'],
  drop: ['APPROVED'],
};

/** @throws Refusal template_state_invalid, validation_failed */
export function moveTemplate(deps: MoveDeps, template: SandboxTemplate, move: TemplateMove): void {
  const from = FROM[move.move];
  if (from !== undefined && !from.includes(template.status)) {
    throw new Refusal(
      'template_state_invalid',
      `"${move.move}" needs a template that is ${from.join(' or ')}; ${template.name} is ${template.status}.`,
      { status: template.status },
    );
  }
  switch (move.move) {
    case 'submit':
      return become(deps, template, 'PENDING');
    case 'approve':
      return become(deps, template, 'APPROVED');
    case 'appeal':
      return become(deps, template, 'IN_APPEAL');
    case 'reject': {
      const reason = move.reason ?? 'INVALID_FORMAT';
      return become(deps, { ...template, rejectedReason: reason }, 'REJECTED', {
        reason,
        rejection_info: { reason, recommendation: 'Change the template and submit it again.' },
      });
    }
    case 'pause':
      return pause(deps, template);
    case 'unpause':
      return become(deps, template, 'APPROVED', { other_info: { title: 'UNPAUSE' } });
    case 'disable':
      return disable(deps, template);
    case 'quality':
      return rate(deps, template, move.quality ?? missing('quality'));
    case 'category':
      return categorise(deps, template, move.category ?? missing('category'), move.inHours);
    case 'hold':
      return deps.put({ ...template, held: true });
    case 'release':
      deps.put({ ...template, held: false });
      return deps.settleHeld(template, 'released');
    case 'drop':
      // A pause for pacing ends only by a play, and is not one of the three pauses for quality.
      become(deps, { ...template, held: false, quality: 'RED' }, 'PAUSED', {
        other_info: { title: 'RATE_LIMITING_PAUSE' },
      });
      notifyQuality(deps, template, 'RED');
      return deps.settleHeld(template, 'dropped');
  }
}

function missing(field: string): never {
  throw new Refusal('validation_failed', `The play is not valid: ${field} is missing.`, {
    fields: [{ path: field, code: 'required', message: 'is missing' }],
  });
}

function become(
  deps: MoveDeps,
  template: SandboxTemplate,
  status: string,
  told: Readonly<Record<string, unknown>> = {},
): void {
  deps.put({ ...template, status });
  notifyStatus(deps.emit, template, status, told);
}

export function notifyStatus(
  emit: MoveDeps['emit'],
  template: SandboxTemplate,
  status: string,
  told: Readonly<Record<string, unknown>>,
): void {
  emit({
    wabaId: template.wabaId,
    field: 'message_template_status_update',
    value: {
      event: status,
      ...named(template),
      reason: 'NONE',
      message_template_category: template.category,
      ...told,
    },
  });
}

/** Webhooks contain `pt-BR` where the API has `pt_BR`. */
const named = (template: SandboxTemplate): Record<string, unknown> => ({
  message_template_id: Number(template.id),
  message_template_name: template.name,
  message_template_language: template.language.replace('_', '-'),
});

function pause(deps: MoveDeps, template: SandboxTemplate): void {
  const pauses = (template.pauses ?? 0) + 1;
  const hours = PAUSE_HOURS[pauses - 1];
  if (hours === undefined) return disable(deps, { ...template, pauses });
  const title = pauses === 1 ? 'FIRST_PAUSE' : 'SECOND_PAUSE';
  become(deps, { ...template, pauses }, 'PAUSED', {
    other_info: { title, description: `Paused for ${hours} hours because of low quality.` },
  });
  deps.clock.after(hours * HOUR_MS, () => {
    const now = deps.current(template);
    // This pause may have ended meanwhile, and another one begun.
    if (now?.status !== 'PAUSED' || now.pauses !== pauses) return;
    become(deps, now, 'APPROVED', { other_info: { title: 'UNPAUSE' } });
  });
}

function disable(deps: MoveDeps, template: SandboxTemplate): void {
  become(deps, template, 'DISABLED', {
    other_info: { title: 'DISABLED' },
    disable_info: { disable_date: secondsOf(deps.clock.now()) },
  });
}

function rate(
  deps: MoveDeps,
  template: SandboxTemplate,
  quality: NonNullable<SandboxTemplate['quality']>,
): void {
  notifyQuality(deps, template, quality);
  const rated = { ...template, quality };
  deps.put(rated);
  if (quality === 'RED' && template.status === 'APPROVED') pause(deps, rated);
}

function notifyQuality(deps: MoveDeps, template: SandboxTemplate, quality: string): void {
  deps.emit({
    wabaId: template.wabaId,
    field: 'message_template_quality_update',
    value: {
      previous_quality_score: template.quality ?? 'UNKNOWN',
      new_quality_score: quality,
      ...named(template),
    },
  });
}

function categorise(
  deps: MoveDeps,
  template: SandboxTemplate,
  category: SandboxTemplate['category'],
  inHours: number | undefined,
): void {
  const tell = (value: Record<string, unknown>): void =>
    deps.emit({
      wabaId: template.wabaId,
      field: 'template_category_update',
      value: { ...named(template), ...value },
    });
  if (inHours === undefined) {
    deps.put({ ...template, category });
    return tell({ previous_category: template.category, new_category: category });
  }
  const at = deps.clock.now() + inHours * HOUR_MS;
  tell({
    new_category: template.category,
    correct_category: category,
    category_update_timestamp: Math.floor(at / 1000),
  });
  deps.clock.after(inHours * HOUR_MS, () => {
    const now = deps.current(template);
    if (now !== undefined) categorise(deps, now, category, undefined);
  });
}
