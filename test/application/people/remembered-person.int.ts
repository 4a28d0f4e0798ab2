/** A process finds a person whom it remembers by one read of the contact, even after another process changed it. */
import { expect } from 'chai';
import { directCommand, type App } from '../../../application/app.js';
import { resolveContact, type ResolvedContact } from '../../../application/people/resolve-contact.js';
import { personIdentity } from '../../../application/people/subject.js';
import { mergeContacts } from '../../../application/people/primary-contact.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { contactStream, identityStream } from '../../../domain/streams.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeWorld, type World } from '../../support/api/world.js';
import { anotherProcess } from '../../support/app.js';
import { opened } from '../../support/opened.js';
import { nextMillisecond } from '../../support/next-millisecond.js';

describe('a person whom a process remembers', () => {
  let world: World;
  let people = 0;

  const api = opened(makeApi);
  before(async () => {
    world = await makeWorld(api.app);
  });

  interface Known {
    readonly phone?: string | null;
    readonly userId?: string | null;
  }

  /** A process over the same stores; `read` lists the streams that it has read. */
  function process() {
    const read: string[] = [];
    const store: App['store'] = {
      ...api.app.store,
      read: (stream, options) => {
        read.push(stream);
        return api.app.store.read(stream, options);
      },
    };
    const app = anotherProcess(api.app, { store });
    const command = () => directCommand(app, { company: world.company, actor: 'test' });
    return {
      app,
      read,
      command,
      find: ({ phone = null, userId = null }: Known): Promise<ResolvedContact> => {
        const person = { phone, phoneKey: phone?.slice(1) ?? null, waUserId: userId, name: null };
        return resolveContact(app, world.company, person, 'inbound', command());
      },
    };
  }

  const newPhone = (): string => {
    people += 1;
    return `+55119876600${String(people).padStart(2, '0')}`;
  };

  it('is found without asking whose the phone is', async () => {
    const w = process();
    const phone = newPhone();
    const first = await w.find({ phone });
    w.read.length = 0;
    expect((await w.find({ phone })).uuid).to.equal(first.uuid);
    expect(w.read).to.deep.equal([contactStream.toName(first.uuid)]);
  });

  it('is asked for where nobody is remembered by that name', async () => {
    const phone = newPhone();
    await process().find({ phone });
    const w = process();
    await w.find({ phone });
    const identity = identityStream.toName(
      personIdentity(api.app.indexSecret, world.company, phone.slice(1)),
    );
    expect(w.read).to.include(identity);
  });

  it('learns a user id that is seen beside the phone', async () => {
    const w = process();
    const phone = newPhone();
    const { uuid } = await w.find({ phone });
    const { contact } = await w.find({ phone, userId: `BR.${phone}` });
    expect(contact.userIds).to.deep.equal([`BR.${phone}`]);
    expect((await process().find({ userId: `BR.${phone}` })).uuid).to.equal(uuid);
  });

  for (const [what, change] of [
    [
      'was merged into another',
      async (uuid, other) => {
        const w = process();
        await mergeContacts(w.app, world.company, [other, uuid], 'manual', w.command());
      },
    ],
    [
      'was erased',
      async (uuid) => {
        const w = process();
        const command = { type: 'EraseContact', reason: 'requested' } as const;
        await w.app.executor.execute(contactAggregate, uuid, command, w.command());
      },
    ],
  ] as readonly (readonly [string, (uuid: string, other: string) => Promise<void>])[]) {
    it(`is whom a process finds that remembers nobody, where the contact ${what} by another process`, async () => {
      const w = process();
      const [older, phone] = [newPhone(), newPhone()];
      const other = await w.find({ phone: older });
      await nextMillisecond(w.app);
      const known = await w.find({ phone });
      await change(known.uuid, other.uuid);
      const found = await w.find({ phone });
      expect(found).to.deep.equal(await process().find({ phone }));
      expect(found.uuid === known.uuid && !found.contact.erased, 'as it was').to.equal(false);
    });
  }
});
