/** The place of an error in a request, in the two notations that callers use. */

export interface FieldAt {
  /** `variants[2].sku` */
  readonly field: string;
  /** RFC 6901, relative to the product: `/variants/2/sku` */
  readonly pointer: string;
}

export function fieldAt(...segments: readonly (string | number)[]): FieldAt {
  const field = segments.reduce<string>((path, segment) => {
    if (typeof segment === 'number') return `${path}[${segment}]`;
    return path === '' ? segment : `${path}.${segment}`;
  }, '');
  const escaped = segments.map((segment) => String(segment).replaceAll('~', '~0').replaceAll('/', '~1'));
  return { field, pointer: escaped.map((segment) => `/${segment}`).join('') };
}

/** @param path names and indexes, as the walk through a JSON text returns them */
export const fieldAtPath = (path: readonly string[]): FieldAt =>
  fieldAt(...path.map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment)));
