/** WhatsApp delivers out of order: an older message that arrives after a newer one is not the last. */
export function later(known: string | null, candidate: string): string {
  return known !== null && Date.parse(known) > Date.parse(candidate) ? known : candidate;
}

/** The provider's clock may be ahead of ours. */
export const soonest = (sent: string, recorded: string): string =>
  Date.parse(sent) > Date.parse(recorded) ? recorded : sent;
