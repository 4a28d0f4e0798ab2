/**
 * Shows somebody who sees customers masked those of one thing: for a reason, for some minutes, in one session. The
 * history has it first (docs/adr/0054).
 */
import { REVEAL_MS, type Revealable, type RevealReason } from '../../domain/account/reveals.js';
import { companyAggregate } from '../../domain/company/decide.js';
import { Refusal } from '../../domain/kernel/refusal.js';
import type { StreamNames } from '../../domain/kernel/stream.js';
import { contactStream, conversationStream, messageStream, orderStream } from '../../domain/streams.js';
import { versionAfter } from '../../ports/versions.js';
import { consoleReveals, type ConsoleRevealDoc } from '../../read-models/console-reveals.js';
import type { ConsoleSessionDoc } from '../../read-models/console-sessions.js';
import type { App } from '../app.js';
import { notFound, type Caller } from '../provisioning/common.js';
import { removeEnded } from '../remove-ended.js';
import { recordAct } from './account-acts.js';

const STREAMS: Readonly<Record<Revealable, StreamNames>> = {
  contact: contactStream,
  conversation: conversationStream,
  order: orderStream,
  message: messageStream,
};
const AT_ONCE = 500;

export interface Thing {
  readonly thing: Revealable;
  readonly uuid: string;
}

export interface Reveals {
  /** @throws Refusal nothing_masked, revealing_off, not_found, reveals_exhausted */
  reveal(
    session: ConsoleSessionDoc | undefined,
    asked: Thing & { readonly reason: RevealReason; readonly reference: string | null },
    caller: Caller,
  ): Promise<ConsoleRevealDoc>;
  isShown(sessionUuid: string, thing: Thing): Promise<boolean>;
  /** What the session is shown now. */
  listOf(sessionUuid: string): Promise<readonly ConsoleRevealDoc[]>;
}

type Deps = Pick<App, 'store' | 'readModels' | 'executor' | 'clock' | 'newId'>;

export async function createReveals(app: Deps): Promise<Reveals> {
  const { store, readModels, executor, clock } = app;
  await readModels.define(consoleReveals);
  const time = (ms = clock.now()): string => new Date(ms).toISOString();

  return {
    async reveal(session, { thing, uuid, reason, reference }, caller) {
      const company = session?.company_uuid;
      const member = session?.member_uuid;
      if (!session || !company || !member || session.role !== 'viewer') throw nothingMasked();
      const { state } = await executor.load(companyAggregate, company);
      if (!state.viewersMayReveal) throw revealingOff();
      const [first] = await store.read(STREAMS[thing].toName(uuid), { limit: 1 });
      if (first?.meta.company !== company) throw notFound(thing, thing);
      const at = time();
      const until = time(Date.parse(at) + REVEAL_MS);
      const data = { member_uuid: member, thing, thing_uuid: uuid, reason, reference, at, until };
      await recordAct(app, { company, member, ...caller }, { type: 'PersonalDataRevealed', data });
      await removeEnded(app, consoleReveals.name, 'by_until', (doc) => doc.until <= at, AT_ONCE);
      const doc = { session_uuid: session.session_uuid, thing, thing_uuid: uuid, until };
      const id = revealId(session.session_uuid, uuid);
      const known = await readModels.get(consoleReveals.name, id);
      const version = versionAfter(known?.version, clock.now());
      await readModels.write(consoleReveals.name, [{ id, doc, version }]);
      return doc;
    },

    async isShown(sessionUuid, { thing, uuid }) {
      const doc = (await readModels.get(consoleReveals.name, revealId(sessionUuid, uuid)))?.doc;
      return doc?.thing === thing && doc.until > time();
    },

    async listOf(sessionUuid) {
      const query = { index: 'by_session', equals: [sessionUuid], order: 'desc', limit: AT_ONCE } as const;
      const { documents } = await readModels.find(consoleReveals.name, query);
      return documents.map(({ doc }) => doc).filter(({ until }) => until > time());
    },
  };
}

const revealId = (sessionUuid: string, thingUuid: string): string => `${sessionUuid}:${thingUuid}`;

const nothingMasked = (): Refusal =>
  new Refusal('nothing_masked', 'Only people with the role viewer see customers masked. Read it as it is.');
const revealingOff = (): Refusal =>
  new Refusal(
    'revealing_off',
    'Your company does not let viewers reveal customers. An owner can allow it in the console, under Settings, or by PATCH /admin/v1/companies/{company_uuid}/privacy; an operator also by recado companies privacy.',
  );
