/** The look: that of the system, or a choice that this browser keeps. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'recado.theme';

export const chosenTheme = (): Theme => THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system';

/** @param theme what the user picked; left out, what was picked before */
export function applyTheme(theme: Theme = chosenTheme()): void {
  localStorage.setItem(KEY, theme);
  document.documentElement.dataset['theme'] = theme;
}
