import { expect } from 'chai';
import { contactAggregate } from '../../domain/contact/decide.js';
import { contactCommandExamples, contactEventExamples } from '../support/examples/contact.js';
import { isGone } from '../../domain/contact/state.js';
import { fold } from '../../domain/kernel/decider.js';
import { exampleIds } from '../support/examples/example.js';
import { given } from '../support/decider.js';
import { withData } from '../support/events.js';

const { created, absorbed, changed, linked, unlinked, waIdLearned, userIdLearned, erased } =
  contactEventExamples;
const { attributed, phoneLearned, optedOut, optedIn } = contactEventExamples;
const commands = contactCommandExamples;
const otherIntegration = exampleIds.test;

type Absorbed = (typeof absorbed)['data'];
const absorbing = (data: Readonly<Record<string, unknown>>) => ({
  ...absorbed,
  data: { ...absorbed.data, ...data } as Absorbed,
});
const withoutPhone = withData(created, { phone: null, phone_key: null });
const nobody = {
  wa_user_id: null,
  wa_user_ids: [],
  name: null,
  tags: [],
  custom_fields: {},
};

const contact = given(contactAggregate, created);
const linkedContact = given(contactAggregate, created, linked);
const erasedContact = given(contactAggregate, created, erased);

describe('contact that goes on for another', () => {
  it('keeps its own details and takes what it does not have', () => {
    const state = fold(contactAggregate, [
      created,
      changed,
      waIdLearned,
      linked,
      absorbing({
        phone: '+5511987654321',
        phone_key: '5511987654321',
        phone_keys: ['5511987654321'],
        email: 'bia@example.com',
        custom_fields: { utm_source: 'google', city: 'Recife' },
        wa_ids: { [exampleIds.channel]: '0', [otherIntegration]: '1' },
        links: { [exampleIds.integration]: 'theirs', [otherIntegration]: 'customer-7' },
        external_ids: { [exampleIds.integration]: ['theirs'], [otherIntegration]: ['customer-7'] },
        absorbed_uuids: [exampleIds.message],
      }),
    ]);
    expect(state).to.deep.include({
      phone: created.data.phone,
      phoneKey: created.data.phone_key,
      waUserId: 'BR.1502576394655843',
      name: 'Beatriz Souza',
      email: 'bia@example.com',
      tags: ['vip', 'newsletter'],
      customFields: { utm_source: 'instagram', city: 'Recife' },
      waIds: { [exampleIds.channel]: '553188887777', [otherIntegration]: '1' },
      links: { [exampleIds.integration]: 'customer-42', [otherIntegration]: 'customer-7' },
      externalIds: {
        [exampleIds.integration]: ['customer-42', 'theirs'],
        [otherIntegration]: ['customer-7'],
      },
      phoneKeys: ['5531988887777', '5511987654321'],
      userIds: ['BR.1502576394655843'],
      absorbed: [exampleIds.otherContact, exampleIds.message],
    });
  });

  it('takes the phone with its key, when it has none', () => {
    const state = fold(contactAggregate, [
      withData(withoutPhone, { wa_user_id: 'BR.1' }),
      absorbing({ phone: '+5511987654321', phone_key: '5511987654321' }),
    ]);
    expect(state).to.include({ phone: '+5511987654321', phoneKey: '5511987654321', waUserId: 'BR.1' });
  });

  it('shows their link where its own was taken away', () => {
    const state = fold(contactAggregate, [
      created,
      linked,
      unlinked,
      absorbing({ links: { [exampleIds.integration]: 'theirs' } }),
    ]);
    expect(state.links).to.deep.equal({ [exampleIds.integration]: 'theirs' });
  });

  it('holds the wish uttered last, of the two', () => {
    const wished = (wish_at: string | null, opted_out: boolean) => {
      const state = fold(contactAggregate, [created, optedOut, absorbing({ wish_at, opted_out })]);
      return [state.optedOut, state.wishAt];
    };
    const own = [true, optedOut.data.at];
    expect(wished('2026-03-02T11:00:00.001Z', false)).to.deep.equal([false, '2026-03-02T11:00:00.001Z']);
    expect(wished(optedOut.data.at, false)).to.deep.equal(own);
    expect(wished('2026-03-02T10:59:59.999Z', false)).to.deep.equal(own);
    expect(wished(null, false)).to.deep.equal(own);
    const silent = fold(contactAggregate, [
      created,
      absorbing({ wish_at: optedIn.data.at, opted_out: true }),
    ]);
    expect([silent.optedOut, silent.wishAt]).to.deep.equal([true, optedIn.data.at]);
  });

  it('has an origin when either of them has', () => {
    const origin = (own: boolean, theirs: boolean) =>
      fold(contactAggregate, [created, ...(own ? [attributed] : []), absorbing({ attributed: theirs })])
        .attributed;
    expect([origin(false, false), origin(true, false), origin(false, true)]).to.deep.equal([
      false,
      true,
      true,
    ]);
  });

  it('that was erased lives again with a phone or a user id of the other one', () => {
    const isErased = (data: object) =>
      fold(contactAggregate, [created, erased, absorbing({ ...nobody, ...data })]).erased;
    expect(isErased({})).to.equal(true);
    expect(isErased({ phone: '+5511987654321', phone_key: '5511987654321' })).to.equal(false);
    expect(isErased({ wa_user_id: 'BR.1' })).to.equal(false);
  });

  it('absorbs another one once', () => {
    contact.when(commands.absorb.command).then(absorbed);
    given(contactAggregate, created, absorbed).when(commands.absorb.command).thenNothing();
  });
});

describe('contact that is learned of', () => {
  const learn = commands.learnPhone.command;

  it('learns a phone only when it has none; once erased only when it is registered again', () => {
    given(contactAggregate, withoutPhone).when(learn).then(phoneLearned);
    contact.when(learn).thenNothing();
    contact.when({ ...learn, revive: true }).thenNothing();
    erasedContact.when(learn).thenNothing();
    erasedContact.when({ ...learn, revive: true }).then(phoneLearned);
    const alive = fold(contactAggregate, [created, erased, phoneLearned]);
    expect(alive).to.deep.include({ erased: false, phoneKeys: ['5531988887777'] });
  });

  it('learns each user id once, and none once erased', () => {
    contact.when(commands.learnUserId.command).then(userIdLearned);
    given(contactAggregate, created, userIdLearned).when(commands.learnUserId.command).thenNothing();
    erasedContact.when(commands.learnUserId.command).thenNothing();
  });

  it('has an origin once, which replaces no custom field that it has', () => {
    const attribute = { type: 'AttributeContact', customFields: { utm_source: 'ad', ad_id: '1' } } as const;
    given(contactAggregate, created, changed)
      .when(attribute)
      .then({ type: 'ContactAttributed', data: { custom_fields: { ad_id: '1' } } });
    given(contactAggregate, created, attributed).when(attribute).thenNothing();
    erasedContact.when(attribute).thenNothing();
  });

  it('loses a link, and shows none afterwards', () => {
    linkedContact.when(commands.unlink.command).then(unlinked);
    contact.when(commands.unlink.command).thenNothing();
    const relinked = withData(linked, { external_id: 'customer-43' });
    const state = fold(contactAggregate, [created, linked, relinked, unlinked]);
    expect([state.links, state.externalIds]).to.deep.equal([
      { [exampleIds.integration]: 'customer-43' },
      { [exampleIds.integration]: ['customer-43'] },
    ]);
    expect(fold(contactAggregate, [created, linked, unlinked]).links).to.deep.equal({
      [exampleIds.integration]: null,
    });
  });

  it('keeps another identifier of an integration when only a free one may be taken', () => {
    const free = { ...commands.link.command, externalId: 'customer-43', onlyIfFree: true };
    linkedContact.when(free).thenRefused('contact_linked', { external_id: 'customer-42' });
    linkedContact.when({ ...free, externalId: 'customer-42' }).thenNothing();
    given(contactAggregate, created, linked, unlinked)
      .when(free)
      .then(withData(linked, { external_id: 'customer-43' }));
  });

  it('changes name and e-mail when they differ, and clears them with null', () => {
    const change = (details: object) => ({ type: 'ChangeContact', source: 'api', details }) as const;
    const result = (fields: readonly string[], more: object) => ({
      type: 'ContactChanged' as const,
      data: {
        source: 'api' as const,
        changed: [...fields],
        name: null,
        email: null,
        tags: null,
        custom_fields: null,
        ...more,
      },
    });
    const named = result(['name', 'email'], { name: 'Ana', email: 'ana@example.com' });
    contact.when(change({ name: 'Ana', email: 'ana@example.com' })).then(named);
    const known = given(contactAggregate, created, named);
    known.when(change({ name: 'Ana', email: 'ana@example.com' })).thenNothing();
    known.when(change({})).thenNothing();
    known.when(change({ email: null })).then(result(['email'], {}));
    known.when(change({ name: null })).then(result(['name'], {}));
  });

  it('is gone when it was erased, or when it has neither phone nor user id', () => {
    const state = fold(contactAggregate, [created]);
    expect(isGone(state)).to.equal(false);
    expect(isGone({ ...state, phone: null, waUserId: 'BR.1' })).to.equal(false);
    expect(isGone({ ...state, phone: null })).to.equal(true);
    expect(isGone({ ...state, erased: true })).to.equal(true);
  });
});
