/** Sends of the demo's templates, as bodies of POST /messages. */
export const template = <Content extends object>(content: Content) =>
  ({ type: 'template', content }) as const;

/** A MARKETING template. */
export const offers = (first = 'Ana') =>
  template({ name: 'weekly_offers', language: 'pt_BR', parameters: [first, '10'] });

/** A UTILITY template. */
export const order = (id: string) =>
  template({ name: 'order_confirmation', language: 'pt_BR', parameters: ['Ana', id] });

/** A template with a header and a button. */
export const collection = template({
  name: 'new_collection',
  parameters: ['Ana'],
  header: { link: 'https://example.com/verao.jpg' },
  buttons: [{ index: 0, value: 'verao' }],
});
