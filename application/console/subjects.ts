/** Which person signs in as which subject of the identity provider. A person has one, and it belongs to one person. */
import { deriveSecretId, type CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { versionAfter } from '../../ports/versions.js';
import { oidcSubjects, type OidcSubjectDoc } from '../../read-models/oidc.js';
import type { App } from '../app.js';
import { exclusively } from '../exclusively.js';

type Deps = Pick<App, 'readModels' | 'clock' | 'leases' | 'executor' | 'indexSecret'>;

/** As the provider names somebody. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

interface Owner {
  readonly companyUuid: CompanyUuid;
  readonly memberUuid: string;
}

export interface Subjects {
  get(subject: Subject): Promise<OidcSubjectDoc | null>;
  ofMember(memberUuid: string): Promise<OidcSubjectDoc | null>;
  /** Replaces the one that the person had. @throws Refusal oidc_subject_taken, concurrent_update */
  link(subject: Subject, owner: Owner): Promise<void>;
  removeOf(memberUuid: string): Promise<void>;
}

const OF_A_MEMBER = 100;

export async function createSubjects(app: Deps): Promise<Subjects> {
  const { readModels, clock } = app;
  await readModels.define(oidcSubjects);

  const idOf = ({ issuer, subject }: Subject): string =>
    deriveSecretId(app.indexSecret, 'oidc-subject', issuer, subject);

  const all = async (memberUuid: string): Promise<readonly OidcSubjectDoc[]> => {
    const query = { index: 'by_member', equals: [memberUuid], order: 'desc', limit: OF_A_MEMBER } as const;
    return (await readModels.find(oidcSubjects.name, query)).documents.map(({ doc }) => doc);
  };

  /** @param decide returns what becomes of the record: undefined leaves it as it is */
  const change = (
    id: string,
    decide: (doc: OidcSubjectDoc | null) => OidcSubjectDoc | null | undefined,
  ): Promise<void> =>
    exclusively(app, `oidc-subject:${id}`, inUse, async () => {
      const stored = await readModels.get(oidcSubjects.name, id);
      const doc = decide(stored?.doc ?? null);
      // A removed document may come again, above the version that is kept of it.
      const version = versionAfter(stored?.version, clock.now());
      if (doc !== undefined) await readModels.write(oidcSubjects.name, [{ id, doc, version }]);
    });

  const remove = async (memberUuid: string, but?: string): Promise<void> => {
    for (const { subject_id: id } of await all(memberUuid)) {
      if (id !== but) await change(id, (doc) => (doc?.member_uuid === memberUuid ? null : undefined));
    }
  };

  return {
    async get(subject) {
      return (await readModels.get(oidcSubjects.name, idOf(subject)))?.doc ?? null;
    },

    async ofMember(memberUuid) {
      return (await all(memberUuid))[0] ?? null;
    },

    async link(subject, { companyUuid, memberUuid }) {
      const id = idOf(subject);
      await change(id, (doc) => {
        if (doc !== null && doc.member_uuid !== memberUuid) throw taken();
        return {
          subject_id: id,
          company_uuid: companyUuid,
          member_uuid: memberUuid,
          linked_at: new Date(clock.now()).toISOString(),
        };
      });
      await remove(memberUuid, id);
    },

    removeOf: (memberUuid) => remove(memberUuid),
  };
}

const inUse = (): Refusal =>
  new Refusal('concurrent_update', 'Somebody else signs in with this account now. Try again.', {
    retry_after_seconds: 1,
  });
const taken = (): Refusal =>
  new Refusal(
    'oidc_subject_taken',
    'Somebody else signs in with this account of the identity provider. Choose another account there.',
  );
