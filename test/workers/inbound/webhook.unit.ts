/** The part of a webhook that an update belongs to. */
import { expect } from 'chai';
import fc from 'fast-check';
import { lanesOf } from '../../../application/provider-webhook/lanes.js';
import { webhookParts, type WebhookPointer } from '../../../application/relay.js';
import { START } from '../../../ports/event-store.js';
import type { ProviderUpdate } from '../../../ports/provider-webhook.js';
import { isMeant } from '../../../workers/inbound/webhook.js';

const whole: WebhookPointer = {
  stream: 'intake-1',
  revision: 0,
  position: START,
  event_id: 'e',
  company: 'c',
  correlation_id: 'c',
};
const ofNumber = (phoneNumberId: string): ProviderUpdate => ({
  kind: 'address_book',
  wabaId: null,
  phoneNumberId,
  action: 'remove',
  waId: '5511',
  name: null,
});
const ofNobody: ProviderUpdate = { kind: 'other', wabaId: null, field: null, reason: 'unknown', raw: null };

describe('the parts of a webhook', () => {
  const lane = fc.constantFrom('1', '1/history', '2/history', 'account', 'a lane of tomorrow');

  it('hold every update once, whatever lanes were named when it was kept', () => {
    const updates = [ofNumber('1'), ofNumber('2'), ofNumber('no number'), ofNobody];
    fc.assert(
      fc.property(fc.uniqueArray(lane), (lanes) => {
        const parts = webhookParts(whole, lanes);
        for (const [index, update] of updates.entries()) {
          expect(parts.filter((part) => isMeant(part, { index, update }))).to.have.length(1);
        }
      }),
    );
  });

  it('begin at an update, or are a single one', () => {
    const [part] = webhookParts(whole, ['account']);
    const meant = (more: object) =>
      [0, 1, 2].filter((index) => isMeant({ ...part!, ...more }, { index, update: ofNobody }));
    expect(meant({ from: 1 })).to.deep.equal([1, 2]);
    expect(meant({ index: 1 })).to.deep.equal([1]);
  });

  it('are named for any body', () => {
    fc.assert(fc.property(fc.jsonValue(), (body) => void expect(lanesOf(body)).to.deep.equal(['account'])));
    const change = (field: string, phone_number_id: unknown) => ({
      field,
      value: { metadata: { phone_number_id } },
    });
    const entry = [
      { changes: [change('messages', '7'), change('history', '7'), change('messages', '7')] },
      { changes: [change('messages', "'; --"), change('account_alerts', undefined)] },
    ];
    expect(lanesOf({ entry })).to.deep.equal(['7', '7/history', 'account']);
  });
});
