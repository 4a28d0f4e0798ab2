import type { ProviderPhoneNumber, ProviderTemplate, ProviderTemplatePage } from '../../ports/provider.js';
import { isObject } from '../../domain/kernel/json.js';

/** Requested by name: Graph's default selection omits `quality_score` and `parameter_format`. */
export const TEMPLATE_FIELDS =
  'id,name,language,status,category,sub_category,parameter_format,components,quality_score,rejected_reason';

export const PHONE_NUMBER_FIELDS =
  'id,display_phone_number,verified_name,quality_rating,status,name_status,account_mode,is_on_biz_app,throughput,whatsapp_business_manager_messaging_limit';

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/**
 * A page of `GET /{waba_id}/message_templates`; null when the body is not one. The cursor is used only when there is a
 * `next` link: Graph sends `cursors` on the last page too.
 */
export function readTemplatePage(body: Record<string, unknown>): ProviderTemplatePage | null {
  const data = body['data'];
  if (!Array.isArray(data)) return null;
  const paging = isObject(body['paging']) ? body['paging'] : {};
  const cursors = isObject(paging['cursors']) ? paging['cursors'] : {};
  return {
    templates: data.map(readTemplate).filter((template) => template !== null),
    next: text(paging['next']) === null ? null : text(cursors['after']),
  };
}

function readTemplate(node: unknown): ProviderTemplate | null {
  if (!isObject(node)) return null;
  const { id, name, language } = node;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof language !== 'string') return null;
  const components = Array.isArray(node['components']) ? node['components'] : [];
  const quality = isObject(node['quality_score']) ? text(node['quality_score']['score']) : null;
  const reason = text(node['rejected_reason']);
  return {
    id,
    name,
    language,
    status: (text(node['status']) ?? 'UNKNOWN').toUpperCase(),
    category: (text(node['category']) ?? 'UNKNOWN').toUpperCase(),
    parameterFormat: text(node['parameter_format'])?.toUpperCase() === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    components: components.filter(isObject),
    quality: quality?.toUpperCase() ?? null,
    // Graph sends NONE for templates that were never rejected.
    rejectedReason: reason === null || reason.toUpperCase() === 'NONE' ? null : reason.toUpperCase(),
  };
}

export function readPhoneNumber(node: Record<string, unknown>): ProviderPhoneNumber | null {
  const phoneNumberId = text(node['id']);
  if (phoneNumberId === null) return null;
  const throughput = isObject(node['throughput']) ? node['throughput'] : {};
  return {
    phoneNumberId,
    displayPhoneNumber: text(node['display_phone_number']) ?? '',
    verifiedName: text(node['verified_name']),
    status: text(node['status']),
    qualityRating: text(node['quality_rating']),
    throughputLevel: text(throughput['level']),
    messagingLimit: text(node['whatsapp_business_manager_messaging_limit']),
    nameStatus: text(node['name_status']),
    accountMode: text(node['account_mode']),
    onBusinessApp: typeof node['is_on_biz_app'] === 'boolean' ? node['is_on_biz_app'] : null,
  };
}

/** A page of `GET /{waba_id}/phone_numbers`; null when the body is not one. */
export function readAccountNumbers(
  body: Record<string, unknown>,
): { readonly ids: readonly string[]; readonly complete: boolean } | null {
  const data = body['data'];
  if (!Array.isArray(data)) return null;
  const paging = isObject(body['paging']) ? body['paging'] : {};
  return {
    ids: data.flatMap((node: unknown) =>
      isObject(node) && typeof node['id'] === 'string' ? [node['id']] : [],
    ),
    complete: text(paging['next']) === null,
  };
}
