/** The effects on the gates of a send that was not delivered. Tests set the stream states. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import type { CommandContext } from '../../../application/execute.js';
import { companyLedger, dayOf, identicalLedger, recipientLedger } from '../../../application/send/quotas.js';
import { noteFailedDelivery, noteProviderFailure, releaseSlots } from '../../../application/send/release.js';
import { contactAggregate } from '../../../domain/contact/decide.js';
import { messageAggregate } from '../../../domain/message/decide.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import { initialOperation, type Operation, type SendAsAccepted } from '../../../domain/operation/state.js';
import { templateAggregate } from '../../../domain/template/decide.js';
import { recordedCommands } from '../../support/fakes/loaded-states.js';

const NOW = Date.parse('2026-03-10T12:00:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

type Given = Readonly<Record<string, unknown>> & { readonly type: string };

function world() {
  const { given: commands, ...streams } = recordedCommands<Given>(() => ({ events: [], state: {} }));
  const app = { indexSecret: Buffer.from('secret'), executor: streams.executor } as unknown as App;
  return { ...streams, app, commands };
}

describe('a send that came to nothing', () => {
  const data: SendAsAccepted = {
    ...operationEventExamples.accepted.data,
    company_uuid: 'company',
    contact_uuid: 'ana',
    template_uuid: 'template',
    template_category: 'MARKETING',
    deadline: iso(NOW),
  };
  const failed: Operation = { ...initialOperation, phase: 'failed', failureCode: 'x', accepted: data };
  const context = { commandId: 'command', subject: 'person' } as CommandContext;
  const people = (w: ReturnType<typeof world>): void => {
    w.set(contactAggregate, 'ana', { exists: true, subject: 'ana now', absorbed: ['old'] });
    w.set(contactAggregate, 'old', { subject: 'ana before' });
    w.set(templateAggregate, 'template', { exists: true });
  };
  const ledgers = [
    recipientLedger('ana now'),
    recipientLedger('ana before'),
    ...[-1, 0, 1].map((day) => companyLedger('company', dayOf(NOW) + day)),
  ];
  const given = (w: ReturnType<typeof world>) =>
    w.commands.filter(({ command }) => command.type === 'GiveBack');

  it('gives back what it may hold: under every identity, and on the days around it', async () => {
    const w = world();
    people(w);
    await releaseSlots(w.app, 'operation', failed, context);
    expect(given(w).map(({ id }) => id)).to.deep.equal(ledgers);
    expect(given(w)[0]!.command).to.deep.equal({
      type: 'GiveBack',
      operationUuids: ['operation'],
      reason: 'x',
    });
    expect(new Set(given(w).map((one) => one.context.commandId)).size, 'a name for each').to.equal(5);
    expect(given(w)[0]!.context.subject, 'nothing personal is in it').to.equal(null);
  });

  it('gives back the one ledger of identical messages where it is no marketing', async () => {
    const w = world();
    const { content, ...rest } = data;
    const order = { ...rest, content: content!, template_category: 'UTILITY' };
    await releaseSlots(w.app, 'operation', { ...failed, accepted: order, failureCode: null }, context);
    const ledger = identicalLedger(w.app, data.subject, {
      name: 'pedido_saiu',
      language: 'pt_BR',
      components: data.components,
    });
    expect(given(w).map(({ id, command }) => [id, command['reason']])).to.deep.equal([[ledger, 'failed']]);
  });

  it('keeps its slots while it may have been delivered', async () => {
    for (const over of [
      { phase: 'succeeded' },
      { phase: 'processing' },
      { failureCode: 'send_outcome_unknown' },
      { accepted: null },
    ] as const) {
      const w = world();
      await releaseSlots(w.app, 'operation', { ...failed, ...over }, context);
      expect(w.commands, JSON.stringify(over)).to.deep.equal([]);
    }
  });

  it('closes marketing to the person where WhatsApp says that they had enough, and for marketing alone', async () => {
    const note = async (category: string, code: number) => {
      const w = world();
      people(w);
      const accepted = { ...data, template_category: category };
      await noteProviderFailure(w.app, 'operation', accepted, [{ code, title: 'x' }], iso(NOW), context);
      return w.commands.filter(({ command }) => command.type === 'NoteLimit');
    };
    const [limit, ...more] = await note('MARKETING', 131049);
    expect(limit).to.deep.equal({
      id: recipientLedger('ana now'),
      command: { type: 'NoteLimit', operationUuid: 'operation', at: iso(NOW) },
      context: { commandId: 'command/limit', subject: null },
    });
    expect(more).to.deep.equal([]);
    expect(await note('UTILITY', 131049)).to.deep.equal([]);
    expect(await note('MARKETING', 131026)).to.deep.equal([]);
  });

  it('gives its slots back when a status says that it was not delivered, and not against a delivery', async () => {
    for (const [status, errors, reason] of [
      ['failed', [{ code: 131026, title: 'x' }], 'provider_131026'],
      ['failed', [], 'failed'],
      ['delivered', [{ code: 131026, title: 'x' }], null],
    ] as const) {
      const w = world();
      people(w);
      w.set(operationAggregate, 'operation', { phase: 'succeeded', accepted: data });
      w.set(messageAggregate, 'message', { status });
      const failure = { operationUuid: 'operation', messageUuid: 'message', errors, at: iso(NOW) };
      await noteFailedDelivery(w.app, failure, context);
      const reasons = given(w).map(({ command }) => command['reason']);
      expect(reasons, status).to.deep.equal(reason === null ? [] : ledgers.map(() => reason));
    }
  });

  it('leaves nothing behind where it passed no gate', async () => {
    const w = world();
    w.set(operationAggregate, 'operation', { accepted: { ...data, template_uuid: null } });
    w.set(messageAggregate, 'message', { status: 'failed' });
    const failure = { operationUuid: 'operation', messageUuid: 'message', errors: [], at: iso(NOW) };
    await noteFailedDelivery(w.app, failure, context);
    expect(w.commands).to.deep.equal([]);
  });
});
