/** Returns the same servers with another database. `URL` cannot parse an address with several hosts. */
export function withDatabase(url: string, name: string): string {
  const [, servers, options = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?(\?.*)?$/.exec(url) ?? [];
  if (servers === undefined) throw new Error('This is no address of MongoDB.');
  return `${servers}/${name}${options}`;
}
