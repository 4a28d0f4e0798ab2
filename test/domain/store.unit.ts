import { expect } from 'chai';
import fc from 'fast-check';
import { createRegistry } from '../../domain/catalog.js';
import { exampleIds } from '../support/examples/example.js';
import { fold } from '../../domain/kernel/decider.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import { inTreeOrder, MAX_CATEGORIES, pathTo, siblings } from '../../domain/store/categories.js';
import { storeAggregate, type StoreCommand } from '../../domain/store/decide.js';
import type { StoreEvent } from '../../domain/store/events.js';
import { storeEventExamples } from '../support/examples/store.js';
import type { StoreSettings } from '../../domain/store/settings.js';
import { given } from '../support/decider.js';
import { runs } from '../support/soak.js';

const { opened, openedBare, planLost, categoryCreated, subcategoryCreated } = storeEventExamples;
const change = (settings: Partial<StoreSettings>) => ({ type: 'ChangeStore', settings }) as const;
const id = (n: number): string => `0b7c1f0e-3a52-4d0e-9a5e-${String(n).padStart(12, '0')}`;
const category = (n: number, parent: number | null, position: number): StoreEvent => ({
  type: 'CategoryCreated',
  data: {
    uuid: id(n),
    name: `C${n}`,
    slug: `c${n}`,
    parent_uuid: parent === null ? null : id(parent),
    position,
    active: true,
  },
});
const tree = [
  opened,
  category(1, null, 0),
  category(2, 1, 0),
  category(3, 2, 0),
  category(4, null, 1),
] as const;

/** `path code` of each invalid field. */
const fieldsAre =
  (...expected: readonly string[]) =>
  ({ fields }: Refusal['details']): void => {
    const named = (fields as { path: string; code: string }[]).map(({ path, code }) => `${path} ${code}`);
    expect(named).to.deep.equal(expected);
  };

const store = given(storeAggregate, opened);
const storeWithTree = given(storeAggregate, ...tree);
const bareStore = given(storeAggregate, openedBare);
const unopened = given(storeAggregate);

describe('store', () => {
  describe('settings', () => {
    it('opens once, with the plan, and is not there before', () => {
      unopened
        .when({
          type: 'OpenStore',
          companyUuid: exampleIds.company,
          settings: { name: ' Loja Aurora ', slug: 'aurora' },
        })
        .then(openedBare);
      store
        .when({
          type: 'OpenStore',
          companyUuid: exampleIds.company,
          settings: { name: 'Outra', slug: 'outra' },
        })
        .thenNothing();
      expect(fold(storeAggregate, [opened]).allowed).to.equal(true);
      unopened.when(change({ name: 'X' })).thenRefused('not_found', { resource: 'store' });
      unopened.when({ type: 'ChangeStorePlan', allowed: true }).thenRefused('not_found');
    });

    it('changes the hold of the ways of payment that a write names', () => {
      const holds = opened.data.hold_minutes;
      store.when(change({ holdMinutes: { pix: 30, cash: null } })).then({
        type: 'StoreChanged',
        data: { settings: { hold_minutes: { ...holds, pix: 30, cash: null } } },
      });
      store.when(change({ holdMinutes: { pix: holds.pix } })).thenNothing();
      expect(fold(storeAggregate, [openedBare]).holdMinutes).to.include({ pix: 1440, cash: null });
    });

    it('refuses holds beyond their bounds', () => {
      store
        .when(
          change({
            holdMinutes: { pix: 4, card: 129_601, cheque: 60 } as StoreSettings['holdMinutes'],
          }),
        )
        .thenRefused(
          'validation_failed',
          fieldsAre(
            'hold_minutes.pix out_of_range',
            'hold_minutes.card out_of_range',
            'hold_minutes.cheque payment_method_unknown',
          ),
        );
    });

    it('limits orders of visitors, and lifts the limits again', () => {
      bareStore.when(change({ maxProductUnitsPerOrder: 3, maxUnpaidOrdersPerContact: null })).then({
        type: 'StoreChanged',
        data: { settings: { max_product_units_per_order: 3 } },
      });
      store.when(change({ maxProductUnitsPerOrder: null, maxUnpaidOrdersPerContact: 2 })).then({
        type: 'StoreChanged',
        data: { settings: { max_product_units_per_order: null } },
      });
      expect(fold(storeAggregate, [opened])).to.include({
        maxProductUnitsPerOrder: 5,
        maxUnpaidOrdersPerContact: 2,
      });
    });

    it('refuses limits beyond their bounds', () => {
      for (const [units, orders] of [
        [0, 0],
        [1_000_001, 101],
        [1.5, Number.NaN],
      ] as const) {
        store
          .when(change({ maxProductUnitsPerOrder: units, maxUnpaidOrdersPerContact: orders }))
          .thenRefused(
            'validation_failed',
            fieldsAre(
              'max_product_units_per_order out_of_range',
              'max_unpaid_orders_per_contact out_of_range',
            ),
          );
      }
    });

    it('of a release that knew no limits has none', () => {
      const {
        max_product_units_per_order: _units,
        max_unpaid_orders_per_contact: _unpaid,
        ...before
      } = opened.data;
      const event = { type: 'StoreOpened', data: before } as const;
      createRegistry().validate(event);
      expect(fold(storeAggregate, [event])).to.include({
        maxProductUnitsPerOrder: null,
        maxUnpaidOrdersPerContact: null,
      });
    });

    it('of a release that knew no holds has the defaults', () => {
      const { hold_minutes: _unknown, ...before } = openedBare.data;
      expect(createRegistry().upcast('StoreOpened', 1, before)).to.deep.equal(openedBare.data);
    });

    it('writes what differs, in its one spelling, and nothing for the same in another one', () => {
      store
        .when(change({ name: 'Loja Aurora', whatsappPhone: '+55 (11) 4002-8922', locale: 'en' }))
        .then({ type: 'StoreChanged', data: { settings: { locale: 'en' } } });
      store
        .when(
          change({
            pix: {
              key: '11.222.333/0001-81',
              keyType: 'cnpj',
              merchantName: 'Loja Aurora',
              merchantCity: 'São Paulo',
            },
            delivery: { feeCents: 1_000, freeFromCents: 15_000, zipPrefixes: ['01', '02', '01'] },
          }),
        )
        .thenNothing();
    });

    it('names every field that is wrong', () => {
      store
        .when(
          change({
            name: ' ',
            slug: 'Loja Aurora',
            whatsappPhone: '11 4002-8922',
            locale: 'fr',
            pix: {
              key: '11.222.333/0001-82',
              keyType: 'cnpj',
              merchantName: 'x'.repeat(26),
              merchantCity: 'São Paulo',
            },
            paymentMethods: ['bitcoin'],
            delivery: { feeCents: -1, freeFromCents: 1e9, zipPrefixes: ['01310-100', '123456789'] },
            pickup: { location: '' },
          }),
        )
        .thenRefused(
          'validation_failed',
          fieldsAre(
            'name required',
            'slug slug_invalid',
            'whatsapp_phone phone_invalid',
            'pix.key pix_key_invalid',
            'pix.merchant_name too_long',
            'payment_methods payment_method_unknown',
            'delivery.fee money_invalid',
            'delivery.free_from money_invalid',
            'delivery.zip_prefixes zip_prefix_invalid',
            'pickup.location required',
            'locale locale_unknown',
          ),
        );
    });

    for (const slug of ['ab', '-abc', 'abc-', 'a--b', 'Ação', 'a'.repeat(61), 'admin', 'loja']) {
      it(`has no slug ${slug}`, () => store.when(change({ slug })).thenRefused('validation_failed'));
    }

    it('sells only what can be got and paid', () => {
      bareStore
        .when(change({ status: 'active', paymentMethods: [] }))
        .thenRefused('store_not_ready', { missing: ['delivery_or_pickup', 'payment_methods'] });
      bareStore
        .when(change({ paymentMethods: ['pix'] }))
        .thenRefused('store_not_ready', { missing: ['pix'] });
      store
        .when(change({ delivery: null, pickup: null }))
        .thenRefused('store_not_ready', { missing: ['delivery_or_pickup'] });
      store.when(change({ pix: null })).thenRefused('store_not_ready', { missing: ['pix'] });
      store
        .when(change({ pix: null, paymentMethods: ['cash'] }))
        .then({ type: 'StoreChanged', data: { settings: { pix: null, payment_methods: ['cash'] } } });
    });

    it('takes texts and lists up to their limits', () => {
      const zipPrefixes = (count: number) => Array.from({ length: count }, (_, index) => String(index));
      const delivery = { feeCents: 0, freeFromCents: 999_999_999, zipPrefixes: zipPrefixes(500) };
      const settings = {
        name: 'a'.repeat(200),
        slug: 'a'.repeat(60),
        description: 'a'.repeat(2_000),
        pickup: { location: 'a'.repeat(300) },
      };
      store.when(change({ ...settings, delivery })).then({
        type: 'StoreChanged',
        data: {
          settings: {
            ...settings,
            delivery: { fee_cents: 0, free_from_cents: 999_999_999, zip_prefixes: zipPrefixes(500) },
          },
        },
      });
      const tooLong: readonly (readonly [Partial<StoreSettings>, string])[] = [
        [{ name: 'a'.repeat(201) }, 'name too_long'],
        [{ description: 'a'.repeat(2_001) }, 'description too_long'],
        [{ pickup: { location: 'a'.repeat(301) } }, 'pickup.location too_long'],
        [{ delivery: { ...delivery, zipPrefixes: zipPrefixes(501) } }, 'delivery.zip_prefixes too_many'],
        [{ delivery: { ...delivery, feeCents: 0.5 } }, 'delivery.fee money_invalid'],
        [{ slug: 'admin' }, 'slug slug_reserved'],
      ];
      for (const [wrong, expected] of tooLong) {
        store.when(change(wrong)).thenRefused('validation_failed', fieldsAre(expected));
      }
    });

    it('can have everything but its name, slug and words taken away', () => {
      const nothing = { description: null, whatsappPhone: null, channelUuid: null, pix: null, pickup: null };
      store.when(change({ ...nothing, paymentMethods: ['cash'] })).then({
        type: 'StoreChanged',
        data: {
          settings: {
            description: null,
            whatsapp_phone: null,
            channel_uuid: null,
            pix: null,
            payment_methods: ['cash'],
            pickup: null,
          },
        },
      });
    });

    it('keeps what a change leaves out', () => {
      const before = fold(storeAggregate, [opened]);
      const changes: readonly Partial<StoreSettings>[] = [
        { name: 'Outra' },
        { slug: 'outra' },
        { locale: 'en' },
        { channelUuid: null },
        { whatsappPhone: null },
        { description: null },
        { pickup: null },
        { delivery: null },
        { paymentMethods: ['pix'] },
      ];
      for (const settings of changes) {
        const events = storeAggregate.decide(change(settings), before, { now: '', newId: () => '' });
        expect(fold(storeAggregate, [opened, ...events])).to.deep.equal({ ...before, ...settings });
      }
    });

    it('loses the plan and gets it back, with all it had', () => {
      store.when({ type: 'ChangeStorePlan', allowed: true }).thenNothing();
      store.when({ type: 'ChangeStorePlan', allowed: false }).then(planLost);
      const lost = fold(storeAggregate, [opened, categoryCreated, planLost]);
      expect([lost.allowed, lost.name, lost.categories.size]).to.deep.equal([false, 'Loja Aurora', 1]);
    });
  });

  describe('categories', () => {
    it('get their slug from the name, and another one where that is taken', () => {
      const create = (n: number, name: string, slug?: string) =>
        ({ type: 'CreateCategory', uuid: id(n), name, slug }) as const;
      const made = (n: number, name: string, slug: string, position: number): StoreEvent => ({
        type: 'CategoryCreated',
        data: { uuid: id(n), name, slug, parent_uuid: null, position, active: true },
      });
      const first = made(1, 'Ação & Cia.', 'acao-cia', 0);
      store.when(create(1, 'Ação & Cia.')).then(first);
      given(storeAggregate, opened, first)
        .when(create(2, 'acao cia'))
        .then(made(2, 'acao cia', 'acao-cia-2', 1));
      given(storeAggregate, opened, first)
        .when(create(2, '日本'))
        .then(made(2, '日本', 'categoria', 1));
      given(storeAggregate, opened, first)
        .when(create(2, 'X', 'acao-cia'))
        .thenRefused('category_slug_taken', { slug: 'acao-cia', category_uuid: id(1) });
      store.when(create(1, '  ')).thenRefused('validation_failed');
      store.when(create(1, 'X', 'Com Espaço')).thenRefused('validation_failed');
    });

    it('are at most three levels deep, whatever hangs below what is moved', () => {
      storeWithTree
        .when({ type: 'CreateCategory', uuid: id(9), name: 'x', parentUuid: id(3) })
        .thenRefused('category_too_deep', { limit: 3 });
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(1), parentUuid: id(4) })
        .thenRefused('category_too_deep');
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(2), parentUuid: id(4) })
        .then({ type: 'CategoryChanged', data: { uuid: id(2), parent_uuid: id(4) } });
    });

    it('are never below themselves or below nobody', () => {
      for (const parent of [1, 2, 3]) {
        storeWithTree
          .when({ type: 'ChangeCategory', uuid: id(1), parentUuid: id(parent) })
          .thenRefused('category_cycle');
      }
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(1), parentUuid: id(99) })
        .thenRefused('category_not_found', { category_uuid: id(99) });
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(99), name: 'x' })
        .thenRefused('not_found', { resource: 'category' });
    });

    it('are 500 at most', () => {
      const many = Array.from({ length: MAX_CATEGORIES }, (_, n) => category(n, null, n));
      const one = { type: 'CreateCategory', uuid: id(MAX_CATEGORIES + 1), name: 'One more' } as const;
      given(storeAggregate, opened, ...many)
        .when(one)
        .thenRefused('category_limit_reached', { limit: MAX_CATEGORIES });
      given(storeAggregate, opened, ...many.slice(0, -1))
        .when(one)
        .then({
          type: 'CategoryCreated',
          data: {
            uuid: one.uuid,
            name: 'One more',
            slug: 'one-more',
            parent_uuid: null,
            position: MAX_CATEGORIES - 1,
            active: true,
          },
        });
    });

    it('change only in what differs', () => {
      const changed = (settings: Readonly<Record<string, unknown>>) =>
        ({ type: 'CategoryChanged', data: { uuid: id(4), ...settings } }) as StoreEvent;
      const to = (settings: Readonly<Record<string, unknown>>) =>
        ({ type: 'ChangeCategory', uuid: id(4), ...settings }) as const;
      storeWithTree.when(to({ name: ' Novo ' })).then(changed({ name: 'Novo' }));
      storeWithTree.when(to({ slug: 'novo' })).then(changed({ slug: 'novo' }));
      storeWithTree.when(to({ active: false })).then(changed({ active: false }));
      storeWithTree
        .when(to({ name: 'C4', slug: 'c4', parentUuid: null, active: true, position: 1 }))
        .thenNothing();
      storeWithTree.when(to({ name: ' ' })).thenRefused('validation_failed', fieldsAre('name name_invalid'));
      storeWithTree
        .when(to({ slug: 'c1' }))
        .thenRefused('category_slug_taken', { field: 'slug', slug: 'c1', category_uuid: id(1) });
      storeWithTree.when(to({ slug: 'a-' })).thenRefused('validation_failed', fieldsAre('slug slug_invalid'));
    });

    it('go last among those of their new parent', () => {
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(3), parentUuid: null })
        .then({ type: 'CategoryChanged', data: { uuid: id(3), parent_uuid: null, position: 2 } });
    });

    it('move over for one that is put among them', () => {
      storeWithTree
        .when({ type: 'ChangeCategory', uuid: id(4), position: 0 })
        .then(
          { type: 'CategoryChanged', data: { uuid: id(4), position: 0 } },
          { type: 'CategoryChanged', data: { uuid: id(1), position: 1 } },
        );
      storeWithTree.when({ type: 'ChangeCategory', uuid: id(4), position: 7 }).thenNothing();
    });

    it('are not removed from above others', () => {
      given(storeAggregate, opened, categoryCreated, subcategoryCreated)
        .when({ type: 'RemoveCategory', uuid: categoryCreated.data.uuid })
        .thenRefused('category_has_children', { children: [subcategoryCreated.data.uuid] });
      store.when({ type: 'RemoveCategory', uuid: id(1) }).thenNothing();
    });

    it('stay a tree of three levels with unique slugs and ordered siblings, whatever is done', function () {
      this.timeout(120_000);
      const someone = fc.integer({ min: 1, max: 6 }).map(id);
      const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
      const place = { parentUuid: maybe(fc.option(someone)), position: maybe(fc.nat(4)) };
      const slug = maybe(fc.constantFrom('a', 'b', 'c1'));
      const command: fc.Arbitrary<StoreCommand> = fc.oneof(
        fc.record({
          type: fc.constant('CreateCategory' as const),
          uuid: someone,
          name: fc.constantFrom('A', 'b'),
          slug,
          ...place,
        }),
        fc.record({ type: fc.constant('ChangeCategory' as const), uuid: someone, slug, ...place }),
        fc.record({ type: fc.constant('RemoveCategory' as const), uuid: someone }),
      );
      let done = 0;
      fc.assert(
        fc.property(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), (commands) => {
          let state = fold(storeAggregate, [opened]);
          for (const each of commands) {
            try {
              const events = storeAggregate.decide(each, state, { now: '', newId: () => '' });
              done += events.length;
              state = fold(storeAggregate, events, state);
            } catch (error) {
              if (!(error instanceof Refusal)) throw error;
            }
          }
          const { categories } = state;
          expect(inTreeOrder(categories), 'each is reached from the top').to.have.length(categories.size);
          const all = [...categories.values()];
          expect(new Set(all.map((one) => one.slug)).size).to.equal(all.length);
          for (const one of all) {
            expect(pathTo(categories, one.uuid)).to.have.length.within(1, 3);
            const positions = siblings(categories, one.parentUuid).map(({ position }) => position);
            expect(new Set(positions).size, 'no two in one place').to.equal(positions.length);
          }
        }),
        { numRuns: runs(300) },
      );
      expect(done).to.be.greaterThan(300);
    });
  });
});
