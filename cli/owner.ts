/** The company and the integration of a command that names none: the default, or the only one that exists. */
import { text } from './answer.js';
import type { Client, Resource } from './client.js';
import type { Credentials } from './credentials.js';
import { usage } from './failure.js';
import { plain } from './readable.js';

/** The most that an error lists. */
const NAMED = 20;

export interface Owners {
  /** Returns it encoded for a path. @throws Failure when none is named and there is not exactly one */
  readonly company: (given: string | undefined) => Promise<string>;
  /** @param company the owner of the integrations to choose from, when no integration is named */
  readonly integration: (given: string | undefined, company?: string) => Promise<string>;
}

export function createOwners(
  client: Client,
  credentials: Pick<Credentials, 'company' | 'integration'>,
): Owners {
  const company: Owners['company'] = async (given) => {
    const named = given ?? credentials.company;
    if (named !== undefined) return path(named);
    return only(await client.page('/companies', { limit: NAMED }), {
      noun: 'company',
      nouns: 'companies',
      make: 'recado companies create --name NAME',
    });
  };
  return {
    company,
    async integration(given, ofCompany) {
      const named = given ?? credentials.integration;
      if (named !== undefined) return path(named);
      const page = await client.page(`/companies/${await company(ofCompany)}/integrations`, { limit: NAMED });
      return only(page, {
        noun: 'integration',
        nouns: 'integrations',
        make: 'recado integrations create --name NAME',
      });
    },
  };
}

/** Encodes an identifier for use in a path. */
export const path = (part: string): string => encodeURIComponent(part);

function only(
  { data, next }: { readonly data: readonly Resource[]; readonly next: string | null },
  { noun, nouns, make }: { readonly noun: string; readonly nouns: string; readonly make: string },
): string {
  const [first] = data;
  if (first === undefined) throw usage(`There is no ${noun} yet.`, `Make one with "${make}".`);
  if (data.length === 1 && next === null) return path(text(first['uuid']));
  const known = data.map((each) => ({ uuid: text(each['uuid']), name: text(each['name']) }));
  const lines = known.map(({ uuid, name }) => `\n  ${uuid}  ${plain(name)}`).join('');
  const count = next === null ? String(data.length) : `more than ${data.length}`;
  throw usage(
    `Which ${noun}? None was named, and there are ${count}:${lines}`,
    `Name one with --${noun} UUID, or set RECADO_${noun.toUpperCase()}.` +
      (next === null ? '' : ` "recado ${nouns} list" shows all.`),
    { details: { [nouns]: known } },
  );
}
