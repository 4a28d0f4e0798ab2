/** The sealing subjects under which sends to a person were accepted. */
import { contactAggregate } from '../../domain/contact/decide.js';
import type { Contact } from '../../domain/contact/state.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { App } from '../app.js';
import { primaryContactOf } from '../people/primary-contact.js';
import { subjectOf } from '../people/subject.js';

/** A send names the subject of its phone. One to a contact without a phone names the contact's own. */
export const recipientsOf = (app: Pick<App, 'executor' | 'indexSecret'>, companyUuid: CompanyUuid) => ({
  /** @param key as `phoneKey` makes it */
  ofPhone: (key: string): readonly string[] => [subjectOf(app.indexSecret, companyUuid, key)],

  /**
   * Of the contact and of those that were merged into it. A merged one names the contact that it is part of, as when it
   * is read.
   * @throws Refusal not_found
   */
  async ofContact(uuid: string): Promise<readonly string[]> {
    const load = async (one: string): Promise<Contact> =>
      (await app.executor.load(contactAggregate, one)).state;
    const { contact } = await primaryContactOf(app, uuid);
    if (!contact.exists || contact.companyUuid !== companyUuid) {
      throw new Refusal('not_found', 'There is no such contact in your company.', {
        resource: 'contact',
        uuid,
      });
    }
    const people = [contact, ...(await Promise.all(contact.absorbed.map(load)))];
    return [
      ...new Set(
        people.flatMap(({ subject, phoneKeys }) => [
          subject,
          ...phoneKeys.map((key) => subjectOf(app.indexSecret, companyUuid, key)),
        ]),
      ),
    ];
  },
});
