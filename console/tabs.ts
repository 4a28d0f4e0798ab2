/** What one tab of this browser tells the others. A tab does not hear itself. */
export type Told = 'confirmed' | 'signed-in';

const channelOf = (what: Told): BroadcastChannel => new BroadcastChannel(`recado.${what}`);

export function tellTabs(what: Told): void {
  const channel = channelOf(what);
  channel.postMessage(null);
  channel.close();
}

/** @returns what ends it */
export function onTold(what: Told, then: () => void): () => void {
  const channel = channelOf(what);
  channel.addEventListener('message', then);
  return () => channel.close();
}
