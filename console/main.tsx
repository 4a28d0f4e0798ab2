import { render } from 'preact';
import { App } from './views/app.js';
import { language } from './words.js';

document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en';
render(<App />, document.getElementById('console')!);
