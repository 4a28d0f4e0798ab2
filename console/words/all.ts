/** The texts of all sections. The build makes one file of each language; the page loads the one that it shows. */
import { audit } from './audit.js';
import { blocks } from './blocks.js';
import { channels } from './channels.js';
import { common } from './common.js';
import { contacts } from './contacts.js';
import { files } from './files.js';
import { flowProblems } from './flow-problems.js';
import { flows } from './flows.js';
import { history } from './history.js';
import { inbox } from './inbox.js';
import { apiKeys } from './keys.js';
import { kit } from './kit.js';
import { may } from './may.js';
import { messages } from './messages.js';
import { notices } from './notices.js';
import { oidc } from './oidc.js';
import { orders } from './orders.js';
import { overview } from './overview.js';
import { people } from './people.js';
import { pictures } from './pictures.js';
import { productImport } from './product-import.js';
import { products } from './products.js';
import { projections } from './projections.js';
import { refusals } from './refusals.js';
import { reveal } from './reveal.js';
import { savedReplies } from './saved-replies.js';
import { settings } from './settings.js';
import { shell } from './shell.js';
import { shop } from './shop.js';
import { templates } from './templates.js';
import { webhooks } from './webhooks.js';
import { work } from './work.js';
import type { Words } from './words.js';

export const WORDS = {
  ...apiKeys,
  ...audit,
  ...blocks,
  ...channels,
  ...common,
  ...contacts,
  ...files,
  ...flowProblems,
  ...flows,
  ...history,
  ...inbox,
  ...kit,
  ...may,
  ...messages,
  ...notices,
  ...oidc,
  ...orders,
  ...overview,
  ...people,
  ...pictures,
  ...productImport,
  ...products,
  ...projections,
  ...refusals,
  ...reveal,
  ...savedReplies,
  ...settings,
  ...shell,
  ...shop,
  ...templates,
  ...webhooks,
  ...work,
} satisfies Words;

export type Word = keyof typeof WORDS;
