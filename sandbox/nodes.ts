import type { SandboxTemplate } from './template.js';
import type { SandboxPhoneNumber } from './types.js';

type Node = Record<string, unknown>;

/** Graph's field selection: the named fields and always `id`; without a list, the node's defaults. */
export function select(node: Node, fields: string | null, defaults: readonly string[]): Node {
  const wanted = fields === null || fields === '' ? defaults : fields.split(',').map((field) => field.trim());
  return Object.fromEntries(
    Object.entries(node).filter(
      ([key, value]) => value !== undefined && (key === 'id' || wanted.includes(key)),
    ),
  );
}

export const PHONE_NUMBER_DEFAULTS = ['display_phone_number', 'verified_name', 'quality_rating'];

export const phoneNumberNode = (number: SandboxPhoneNumber): Node => ({
  id: number.id,
  display_phone_number: number.displayPhoneNumber,
  verified_name: number.verifiedName,
  quality_rating: number.qualityRating,
  status: number.status,
  name_status: 'APPROVED',
  code_verification_status: 'VERIFIED',
  platform_type: 'CLOUD_API',
  throughput: { level: number.throughputLevel },
  whatsapp_business_manager_messaging_limit: number.messagingLimit,
  is_on_biz_app: number.onBusinessApp === true,
});

export const TEMPLATE_DEFAULTS = [
  'name',
  'language',
  'status',
  'category',
  'sub_category',
  'parameter_format',
  'components',
];

export const templateNode = (template: SandboxTemplate): Node => ({
  id: template.id,
  name: template.name,
  language: template.language,
  status: template.status,
  category: template.category,
  parameter_format: template.parameterFormat,
  components: template.components,
  quality_score: {
    score: template.quality ?? (template.status === 'PAUSED' ? 'RED' : 'GREEN'),
    date: 1_767_000_000,
  },
  ...(template.status === 'REJECTED' ? { rejected_reason: template.rejectedReason ?? 'INVALID_FORMAT' } : {}),
});

/** A page of nodes with Graph's cursors; `next` exists only when another page exists. */
export function page(nodes: readonly Node[], query: URLSearchParams, selfUrl: string): Node {
  const limit = Math.min(Math.max(Number(query.get('limit') ?? 25) || 25, 1), 1_000);
  const after = query.get('after');
  const start = after === null ? 0 : Number(Buffer.from(after, 'base64url').toString('latin1')) || 0;
  const data = nodes.slice(start, start + limit);
  if (data.length === 0) return { data: [] };
  const end = start + data.length;
  const cursor = (index: number): string => Buffer.from(String(index)).toString('base64url');
  const next = new URL(selfUrl);
  for (const [key, value] of query) next.searchParams.set(key, value);
  next.searchParams.set('after', cursor(end));
  return {
    data,
    paging: {
      cursors: { before: cursor(start), after: cursor(end) },
      ...(end < nodes.length ? { next: next.toString() } : {}),
    },
  };
}
