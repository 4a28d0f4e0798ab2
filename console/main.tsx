import { render } from 'preact';
import { applyTheme } from './theme.js';
import { App } from './views/app.js';
import { language } from './words.js';

document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en';
applyTheme();
render(<App />, document.getElementById('console')!);
