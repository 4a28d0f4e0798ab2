/** Lanes of the sending queue, and an accepted operation as the gates see it. */
import { expect } from 'chai';
import { addresseeOf, gatedSend } from '../../../application/send/gated-send.js';
import { laneName, parseLane, sendEntry, urgencyOf } from '../../../application/send/queue.js';
import { operationEventExamples } from '../../support/examples/operation.js';
import type { SendAsAccepted } from '../../../domain/operation/state.js';

describe('the lanes of a channel', () => {
  it('are one for service, by its own name, and one for marketing', () => {
    expect(laneName('c1', 'service')).to.equal('c1');
    expect(laneName('c1', 'marketing')).to.equal('c1/marketing');
    for (const urgency of ['service', 'marketing'] as const) {
      expect(parseLane(laneName('c1', urgency))).to.deep.equal({ channelUuid: 'c1', urgency });
    }
  });

  it('keep marketing templates apart from everything else', () => {
    expect(urgencyOf('MARKETING')).to.equal('marketing');
    for (const category of ['UTILITY', 'AUTHENTICATION', null, undefined]) {
      expect(urgencyOf(category), String(category)).to.equal('service');
    }
  });

  it('hold an entry per operation', () => {
    const payload = { correlation_id: 'a', event_id: 'b', company: 'c', subject: 'd', deadline: 1 };
    expect(sendEntry('operation', 'c1', 5, payload)).to.deep.equal({
      queue: 'send',
      id: 'operation',
      lane: 'c1',
      dueAt: 5,
      payload,
    });
  });
});

describe('a send as gates see it', () => {
  const accepted = (over: Partial<SendAsAccepted> = {}): SendAsAccepted => ({
    ...operationEventExamples.accepted.data,
    ...over,
  });

  it('names its recipient by the contact where there is one, else by the key of the phone', () => {
    expect(addresseeOf(accepted({ contact_uuid: 'ana' }))).to.deep.equal({ contactUuid: 'ana' });
    // A Brazilian mobile number with the ninth digit and without it belongs to one person.
    expect(addresseeOf(accepted({ phone: '+553188887777' }))).to.deep.equal(
      addresseeOf(accepted({ phone: '+5531988887777' })),
    );
    expect(addresseeOf(accepted({ phone: null }))).to.equal(null);
    expect(addresseeOf(accepted({ content: null, contact_uuid: 'ana' }))).to.equal(null);
  });

  it('is everything that the gates judge a template by', () => {
    const data = accepted();
    expect(gatedSend(data)).to.deep.equal({
      companyUuid: data.company_uuid,
      channelUuid: data.channel_uuid,
      subject: data.subject,
      addressee: addresseeOf(data),
      templateUuid: data.template_uuid,
      category: 'UTILITY',
      name: 'pedido_saiu',
      language: 'pt_BR',
      components: data.components,
    });
  });

  for (const [name, data] of [
    ['nothing that was accepted', null],
    ['a message without a template', accepted({ template_uuid: null })],
    ['a template without a category', accepted({ template_category: null })],
    ['a send to somebody who was erased', accepted({ content: null })],
    ['a send to an erased phone', accepted({ phone: null })],
  ] as const) {
    it(`is nothing for ${name}`, () => {
      expect(gatedSend(data)).to.equal(null);
    });
  }
});
