/** What one tab of this browser tells the others. A tab does not hear itself. */
export type Told = 'confirmed' | 'signed-in';

/** One each: another one of this tab would hear the tab itself. */
const channels = new Map<Told, BroadcastChannel>();

function channelOf(what: Told): BroadcastChannel {
  const channel = channels.get(what) ?? new BroadcastChannel(`recado.${what}`);
  channels.set(what, channel);
  return channel;
}

export const tellTabs = (what: Told): void => channelOf(what).postMessage(null);

/** @returns what ends it */
export function onTold(what: Told, then: () => void): () => void {
  const channel = channelOf(what);
  channel.addEventListener('message', then);
  return () => channel.removeEventListener('message', then);
}
