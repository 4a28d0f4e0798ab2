import { expect } from 'chai';
import { trackingOf } from '../../../domain/policies/tracking.js';

describe('tracking of a contact', () => {
  it('is the custom fields of the convention that have a value', () => {
    const convention = {
      utm_source: 'instagram',
      utm_medium: 'cpc',
      utm_campaign: 'natal',
      utm_term: 'camiseta',
      utm_content: 'a',
      gclid: '1',
      gbraid: '2',
      wbraid: '3',
      fbclid: '4',
      msclkid: '5',
      ttclid: '6',
    };
    expect(trackingOf({ ...convention, city: 'Recife' })).to.deep.equal(convention);
    expect(trackingOf({ utm_source: null, gclid: '', fbclid: 0 })).to.deep.equal({ gclid: '', fbclid: 0 });
  });

  it('is undefined for a contact without any', () => {
    expect(trackingOf({})).to.equal(undefined);
    expect(trackingOf({ city: 'Recife', utm_source: null })).to.equal(undefined);
    expect(trackingOf(Object.create({ gclid: 'inherited' }) as object as Record<string, unknown>)).to.equal(
      undefined,
    );
  });
});
