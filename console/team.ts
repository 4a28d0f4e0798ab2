/** The people and groups of a company. */
import { useMemo } from 'preact/hooks';
import { get, type Schemas } from './api.js';
import { useLoad, type Loaded } from './load.js';

export type Member = Schemas['TeamMember'];

/** By uuid. */
export type Names = ReadonlyMap<string, string>;

export const useTeam = (company: string): Loaded<readonly Member[]> =>
  useLoad(() => get<readonly Member[]>(`/companies/${company}/team`), [company], ['team']);

export const namesOf = (members: readonly Member[] | undefined): Names =>
  new Map((members ?? []).map(({ uuid, name }) => [uuid, name ?? '']));

/** Events name a member by the uuid alone. Empty until the team is read. */
export function useNames(company: string): Names {
  const { data } = useTeam(company);
  return useMemo(() => namesOf(data), [data]);
}
