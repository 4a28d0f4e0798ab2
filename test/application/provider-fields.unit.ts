import { expect } from 'chai';
import {
  readableCards,
  readablePricing,
  readableReferral,
} from '../../application/resources/provider-fields.js';

describe('fields as WhatsApp sends them', () => {
  it('pass when they have the type that the contract names, and when the contract does not name them', () => {
    const card = {
      name: { formatted_name: 'Maria', nickname: ['Ma'] },
      phones: [{ phone: '+55 11 98888-7777', type: 'CELL', extension: 7 }],
      birthday: '1990-02-03',
      shoe_size: 38,
    };
    expect(readableCards({ contacts: [card] })).to.deep.equal({ contacts: [card] });
    const referral = { source_type: 'ad', welcome_message: { text: 'Oi' }, budget: 12 };
    expect(readableReferral(referral)).to.deep.equal(referral);
    expect(readablePricing({ billable: true, category: 'utility' })).to.deep.equal({
      billable: true,
      category: 'utility',
    });
    expect([readableReferral(null), readablePricing(null)]).to.deep.equal([null, null]);
  });

  it('are left out when they have another type, at every depth', () => {
    const contacts = [
      { name: 'Maria', phones: [{ phone: '1', type: null }, 'x', null], org: [1], urls: {} },
      'no card',
      { phones: 7, birthday: { day: 3 } },
    ];
    expect(readableCards({ contacts })).to.deep.equal({ contacts: [{ phones: [{ phone: '1' }] }, {}] });
    expect(readableReferral({ headline: 3, welcome_message: { text: [] } })).to.deep.equal({
      welcome_message: {},
    });
    expect(readablePricing({ billable: 'yes', type: 'regular' })).to.deep.equal({ type: 'regular' });
  });

  it('pass where there are no cards', () => {
    expect(readableCards({ text: 'x' })).to.deep.equal({ text: 'x' });
    expect(readableCards({ contacts: 'x' })).to.deep.equal({ contacts: 'x' });
  });
});
