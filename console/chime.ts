/** The sound of a new order. Browsers play nothing before a click, so a click switches it on. */
let context: AudioContext | null = null;

export const chimeIsOn = (): boolean => context !== null;

/** @returns whether it is on now */
export function switchChime(): boolean {
  if (context === null) {
    context = new AudioContext();
    chime();
  } else {
    void context.close();
    context = null;
  }
  return context !== null;
}

/** Two rising tones; nothing while it is off. */
export function chime(): void {
  if (context === null) return;
  const start = context.currentTime;
  for (const [index, frequency] of [660, 880].entries()) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const at = start + index * 0.18;
    tone.frequency.value = frequency;
    volume.gain.setValueAtTime(0.2, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + 0.35);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + 0.4);
  }
}
