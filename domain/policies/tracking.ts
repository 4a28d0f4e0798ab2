/** Custom fields of the tracking convention (spec §2, ContactWrite), as webhooks contain them. */
const TRACKING_KEYS = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'gclid',
  'gbraid',
  'wbraid',
  'fbclid',
  'msclkid',
  'ttclid',
] as const;

/** Undefined when the contact has no such field. */
export function trackingOf(
  customFields: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> | undefined {
  const found = TRACKING_KEYS.filter((key) => Object.hasOwn(customFields, key) && customFields[key] !== null);
  return found.length === 0 ? undefined : Object.fromEntries(found.map((key) => [key, customFields[key]]));
}
