/** Shapes that the admin contract shares with the public one, which spells them out. */
import type { components } from '../clients/typescript/src/contract.js';
import type { Schemas } from './api.js';

export type Message = components['schemas']['Message'];
export type Order = components['schemas']['StoreOrder'];
export type Product = components['schemas']['StoreProduct'];
export type StoreSettings = Schemas['StoreSettings'];
export type Category = Schemas['StoreCategory'];
export type OrderStatus = Order['status'];
export type Conversation = Omit<Schemas['Conversation'], 'last_message'> & {
  readonly last_message?: Message | null;
};
export type Contact = Schemas['Contact'];
export type Sent = Omit<Schemas['SentMessage'], 'message'> & { readonly message: Message };
export type Moment = components['schemas']['TimelineEntry'];
export type Story = Sent & { readonly timeline: readonly Moment[] };
export type Template = Schemas['Template'];
export type Company = Schemas['Company'];
export type Channel = Schemas['Channel'];
export type Sending = Schemas['Sending'];
export type Delivery = Schemas['Delivery'];
export type Endpoint = Schemas['WebhookEndpoint'];
export type Integration = Schemas['Integration'];
