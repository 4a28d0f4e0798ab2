/**
 * Serialises JSON as Meta's webhooks do: slashes escaped, and everything beyond ASCII as `\uXXXX` in lower-case hex.
 * The signature covers these bytes. A receiver that verifies a re-serialised body therefore fails here as it would with
 * Meta.
 */
export function toMetaJson(value: unknown): Buffer {
  const json = JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return Buffer.from(json, 'latin1');
}
