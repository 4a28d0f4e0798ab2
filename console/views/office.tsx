/** What surrounds every section: side bar on a desk, menu on a phone, search, short cuts, language, look, sign-out. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { send } from '../api.js';
import { useKeys } from '../keys.js';
import { useLiveOf } from '../live.js';
import { nameTitle, useNewOrders } from '../new-orders.js';
import { useNotifications } from '../notify.js';
import { addressOf, follow, go, SECTIONS, usePlace, type Place, type Section } from '../place.js';
import { useMay, useSession } from '../session.js';
import type { Company } from '../shapes.js';
import { applyTheme, chosenTheme, THEMES } from '../theme.js';
import { switchLanguage, t } from '../words.js';
import { PasswordPrompt } from './password-prompt.js';
import { Search } from './search.js';
import { ShortCuts } from './short-cuts.js';

interface Props {
  readonly companies: readonly Company[];
  readonly first: Company;
  readonly onOut: () => void;
  readonly children: (company: string, place: Place) => preact.ComponentChildren;
}

export function Office({ companies, first, onOut, children }: Props) {
  const place = usePlace();
  const company = companies.find(({ uuid }) => uuid === place.company) ?? first;
  const may: Readonly<Partial<Record<Section, boolean>>> = {
    history: useMay('listEvents'),
    audit: useMay('listAudit'),
    projections: useMay('listProjections'),
  };
  const { role, liveAfter } = useSession();
  const [menu, setMenu] = useState(false);
  const [dialog, setDialog] = useState<'search' | 'keys' | null>(null);
  useEffect(() => {
    if (place.company !== company.uuid) go(addressOf(company.uuid, place.section), 'replace');
    nameTitle(`${t(`nav.${place.section}`)} – ${t('app.title')}`);
  }, [place.company, company.uuid, place.section]);
  const away = useLiveOf(company.uuid, liveAfter);
  useNewOrders(company.uuid);
  useNotifications(company.uuid);
  useFocusOnChange(place.section);
  const goTo = useCallback((section: Section) => go(addressOf(company.uuid, section)), [company.uuid]);
  const search = useCallback(() => setDialog('search'), []);
  const help = useCallback(() => setDialog('keys'), []);
  // The browser may report that one has closed after the other has opened.
  const closed = (one: 'search' | 'keys'): void => setDialog((now) => (now === one ? null : now));
  useKeys({ goTo, search, help });
  useEffect(() => setMenu(false), [place.section]);
  return (
    <div class="shell">
      <a class="skip" href="#content">
        {t('app.skip')}
      </a>
      <header class={menu ? 'side open' : 'side'}>
        <div class="bar">
          <strong class="brand">Recado</strong>
          <button
            type="button"
            class="menu"
            aria-expanded={menu}
            aria-controls="sections"
            onClick={() => setMenu(!menu)}
          >
            <span aria-hidden="true">☰</span> {t(`nav.${place.section}`)}
          </button>
          <button type="button" class="find" onClick={search} aria-keyshortcuts="Control+K">
            <span aria-hidden="true">⌕</span> <span class="label">{t('search.title')}</span>
            <kbd aria-hidden="true">/</kbd>
          </button>
        </div>
        <div class="fold" id="sections">
          <label class="company">
            <span class="hidden">{t('nav.company')}</span>
            <select
              value={company.uuid}
              onChange={({ currentTarget }) => go(addressOf(currentTarget.value, place.section))}
            >
              {companies.map(({ uuid, name }) => (
                <option key={uuid} value={uuid}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          <nav aria-label={t('nav.label')}>
            {SECTIONS.filter((section) => may[section] !== false).map((section) => (
              <a
                key={section}
                href={addressOf(company.uuid, section)}
                onClick={follow}
                {...(section === place.section ? { 'aria-current': 'page' as const } : {})}
              >
                {t(`nav.${section}`)}
              </a>
            ))}
          </nav>
          <Footer onHelp={help} onOut={onOut} />
        </div>
      </header>
      <main id="content" tabIndex={-1}>
        <p class={away ? 'away' : 'hidden'} role="status">
          {away && t('live.away')}
        </p>
        {role === 'viewer' && <p class="quiet looking">{t('may.viewer')}</p>}
        {children(company.uuid, place)}
      </main>
      <PasswordPrompt />
      {dialog === 'search' && <Search company={company.uuid} onClose={() => closed('search')} />}
      {dialog === 'keys' && <ShortCuts onClose={() => closed('keys')} />}
    </div>
  );
}

function enter(content: HTMLElement): boolean {
  const heading = content.querySelector('h1');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/** Moves the focus to the heading of a section that was entered, so that its reading starts there. */
function useFocusOnChange(section: Section): void {
  const shown = useRef(section);
  useEffect(() => {
    if (shown.current === section) return;
    shown.current = section;
    const content = document.getElementById('content');
    if (content === null) return;
    scrollTo(0, 0);
    if (enter(content)) return;
    // Its script or its data is still on the way.
    content.focus({ preventScroll: true });
    const arrival = new MutationObserver(() => {
      if (document.activeElement !== content || enter(content)) arrival.disconnect();
    });
    arrival.observe(content, { childList: true, subtree: true });
    return () => arrival.disconnect();
  }, [section]);
}

function Footer({ onHelp, onOut }: { readonly onHelp: () => void; readonly onOut: () => void }) {
  const [theme, setTheme] = useState(chosenTheme);
  const signOut = (): void => {
    send('DELETE', '/session').then(onOut, onOut);
  };
  return (
    <div class="foot">
      <select
        aria-label={t('theme.label')}
        value={theme}
        onChange={({ currentTarget }) => {
          const picked = THEMES.find((one) => one === currentTarget.value) ?? 'system';
          applyTheme(picked);
          setTheme(picked);
        }}
      >
        {THEMES.map((one) => (
          <option key={one} value={one}>
            {t(`theme.${one}`)}
          </option>
        ))}
      </select>
      <button type="button" class="plain" onClick={switchLanguage}>
        {t('nav.language')}
      </button>
      <button type="button" class="plain" onClick={onHelp}>
        {t('keys.title')}
      </button>
      <button type="button" class="plain" onClick={signOut}>
        {t('nav.signOut')}
      </button>
    </div>
  );
}
