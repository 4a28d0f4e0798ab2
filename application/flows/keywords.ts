/** Warns of words that start two published flows of a company: one of the flows never receives its own word. */
import type { FlowDefinition } from '../../domain/flow/blocks.js';
import { keywordsOf } from '../../domain/flow/keywords.js';
import type { Problem } from '../../domain/flow/problem.js';
import type { CompanyUuid } from '../../domain/kernel/ids.js';
import { foldWord } from '../../domain/policies/opt-out-words.js';
import { flows } from '../../read-models/flows.js';
import type { App } from '../app.js';
import { publishedVersion } from './manage.js';

/** Maximum active flows whose words are compared: the oldest ones, which take precedence. */
const MAX_COMPARED = 200;

export async function keywordProblems(
  app: Pick<App, 'readModels' | 'store' | 'codec'>,
  own: { readonly uuid: string; readonly companyUuid: CompanyUuid },
  definition: FlowDefinition,
): Promise<readonly Problem[]> {
  const words = keywordsOf(definition);
  if (words.length === 0) return [];
  const takenBy = new Map<string, string>();
  for (const { name, words: theirs } of await publishedWords(app, own)) {
    for (const { word } of theirs) {
      const folded = foldWord(word);
      if (!takenBy.has(folded)) takenBy.set(folded, name);
    }
  }
  return words.flatMap(({ path, word }) => {
    const name = takenBy.get(foldWord(word));
    if (name === undefined) return [];
    const message = `"${word}" starts the flow "${name}" too: of two flows the one that was made first begins.`;
    const [code, values] = ['keyword_taken', { word, name }] as const;
    return [{ severity: 'warning', code, reason: code, values, block: null, path, message } as const];
  });
}

async function publishedWords(
  app: Pick<App, 'readModels' | 'store' | 'codec'>,
  { uuid: own, companyUuid }: { readonly uuid: string; readonly companyUuid: CompanyUuid },
) {
  const { documents } = await app.readModels.find(flows.name, {
    index: 'by_status',
    equals: [companyUuid, 'active'],
    order: 'asc',
    limit: MAX_COMPARED,
  });
  const others = documents.map(({ doc }) => doc).filter(({ uuid }) => uuid !== own);
  return Promise.all(
    others.map(async ({ uuid, name, version }) => {
      const published = version === null ? undefined : await publishedVersion(app, uuid, version);
      return { name, words: published ? keywordsOf(published) : [] };
    }),
  );
}
