/** What the inbound worker asks of whoever keeps opt-outs (spec §7, recipient_opted_out). */
import type { CommandContext } from '../../application/execute.js';
import type { OptOutWords } from '../../domain/policies/opt-out-words.js';

export interface OptOutWish {
  readonly contactUuid: string;
  /** Sealing subject of the contact. */
  readonly subject: string;
  /** `keyword`: a reply of one word; `native`: WhatsApp's own control; `provider`: error 131050 on a send. */
  readonly source: 'keyword' | 'native' | 'provider';
  /** ISO 8601, by the provider's clock: wishes arrive in any order and the latest one holds. */
  readonly at: string;
  /** The message that said so; null for the others. */
  readonly messageUuid: string | null;
}

export interface OptOuts {
  /** The company's own words, beside the built-in ones. */
  wordsOf(companyUuid: string): Promise<OptOutWords>;
  /** Both may be repeated: a wish that holds already changes nothing. */
  optOut(wish: OptOutWish, context: CommandContext): Promise<void>;
  optIn(wish: OptOutWish, context: CommandContext): Promise<void>;
}
