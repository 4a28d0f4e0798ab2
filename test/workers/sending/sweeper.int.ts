/** Sends that a crash has left without a row get one again; operations that are no sends are not touched. */
import { expect } from 'chai';
import type { App } from '../../../application/app.js';
import { acceptFlowSend } from '../../../application/send/accept-flow-send.js';
import { resolveContact } from '../../../application/people/resolve-contact.js';
import { laneName, SEND_QUEUE, urgencyOf } from '../../../application/send/queue.js';
import { directCommand } from '../../../application/app.js';
import { operationAggregate } from '../../../domain/operation/decide.js';
import { operations } from '../../../read-models/operations.js';
import { operationCommandExamples, operationEventExamples } from '../../support/examples/operation.js';
import { startSweeper } from '../../../workers/sending/sweeper.js';
import { makeApi } from '../../support/api/make-api.js';
import { makeWorld } from '../../support/api/world.js';
import { opened } from '../../support/opened.js';

const MINUTE = 60_000;

describe('the sweeper of sends', () => {
  let app: App;
  let loaded: string[];

  const api = opened(makeApi);
  const world = opened(() => makeWorld(api.app));
  before(async () => {
    const { executor, clock } = api.app;
    app = {
      ...api.app,
      clock: { ...clock, now: () => clock.now() + MINUTE, after: () => () => undefined },
      executor: {
        ...executor,
        load: (aggregate, id) => {
          loaded.push(id);
          return executor.load(aggregate, id);
        },
      },
    };
  });

  const context = (subject: string | null) =>
    directCommand(api.app, { company: world.company, actor: 'test' }, subject);

  it('brings back a send of a flow, and leaves the executions of flows alone, however long they wait', async () => {
    const { newId } = api.app;
    const waiting = newId();
    const subject = newId();
    const { flowAccepted } = operationEventExamples;
    const data = { ...flowAccepted.data, company_uuid: world.company, subject };
    await api.app.executor.execute(
      operationAggregate,
      waiting,
      { type: 'AcceptFlow', data },
      context(subject),
    );
    const shown = await api.app.readModels.get(operations.name, waiting);
    expect(shown?.doc).to.include({ type: 'flow.execute', status: 'queued' });

    const person = { phone: '+5511987650001', phoneKey: '5511987650001', waUserId: null, name: null };
    const contact = await resolveContact(api.app, world.company, person, 'inbound', context(null));
    const send = newId();
    await acceptFlowSend(
      api.app,
      {
        operationUuid: send,
        executionUuid: waiting,
        companyUuid: world.company,
        integrationUuid: null,
        channelUuid: world.channel,
        contact,
        send: { type: 'question', text: 'Posso?', choices: null, listButton: 'Opções' },
      },
      context(null),
    );
    expect(await app.dueTimes.count(SEND_QUEUE)).to.equal(0);

    loaded = [];
    const sweeper = startSweeper(app);
    await sweeper.sweep();
    await sweeper.stop();
    expect(await app.dueTimes.count(SEND_QUEUE, world.channel)).to.equal(1);
    expect(loaded).to.include(send).and.not.include(waiting);
  });

  describe('a row that was lost is due', () => {
    const until = new Date(Date.now() + 10 * MINUTE).toISOString();
    const defer = (reason: string) => ({ type: 'DeferSend', reason, until }) as const;
    const attempt = operationCommandExamples.beginAttempt.command;
    for (const [name, commands, expected] of [
      ['at once: it waits for the channel, whose lane knows better', [defer('channel_pace')], 'now'],
      ['at once: the channel is stopped', [defer('channel_stopped')], 'now'],
      ['at once: it was attempted since', [defer('recipient_pace'), attempt], 'now'],
      ['at the time that its recipient has to be left alone until', [defer('recipient_pace')], 'then'],
    ] as const) {
      it(name, async () => {
        const send = api.app.newId();
        const data = { ...operationEventExamples.accepted.data, company_uuid: world.company, subject: send };
        const channel = {
          channel_uuid: api.app.newId(),
          deadline: new Date(Date.now() + 15 * MINUTE).toISOString(),
        };
        await api.app.executor.execute(
          operationAggregate,
          send,
          { type: 'AcceptSend', data: { ...data, ...channel } },
          context(send),
        );
        for (const command of commands)
          await api.app.executor.execute(operationAggregate, send, command, context(null));
        const sweeper = startSweeper(app);
        await sweeper.sweep();
        await sweeper.stop();
        const lane = laneName(channel.channel_uuid, urgencyOf(data.template_category));
        const claim = (now: number) =>
          app.dueTimes.claim({ queue: SEND_QUEUE, lane, now, limit: 10, leaseMs: 1 });
        if (expected === 'then') expect(await claim(Date.parse(until) - 1)).to.deep.equal([]);
        const [row] = await claim(expected === 'then' ? Date.parse(until) : app.clock.now());
        expect(row?.id).to.equal(send);
      });
    }
  });
});
