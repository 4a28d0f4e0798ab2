/** RFC 9110 §13.1.2: `If-None-Match` is a list of tags, weak or strong, or `*`. */
export const etagMatches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' || header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag));
