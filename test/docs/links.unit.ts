/** Links between the pages lead somewhere: to a file that exists, and to a heading that it has. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { projectFile } from '../support/root.js';

const ROOT = projectFile('./');
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'llms.txt',
  'clients/typescript/README.md',
  'examples/README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const withoutCode = (page: string): string =>
  page.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** As GitHub names the place of a heading. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-');

const headings = (text: string): ReadonlySet<string> =>
  new Set(
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, one]) => slug(one!)),
  );

/** Null if the link leads somewhere. */
function faultOf(page: string, link: string): string | null {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? page : normalize(join(dirname(page), path));
  const file = join(ROOT, target);
  if (target.startsWith('..') || !existsSync(file)) return `${page}: ${link} is not there`;
  if (anchor === undefined || anchor === '' || statSync(file).isDirectory() || !file.endsWith('.md'))
    return null;
  return headings(readFileSync(file, 'utf8')).has(anchor) ? null : `${page}: ${link} has no such heading`;
}

describe('links between the pages', () => {
  it('lead to files and headings that are there', () => {
    const links = PAGES.flatMap((page) =>
      [...withoutCode(readFileSync(join(ROOT, page), 'utf8')).matchAll(/\]\(([^)\s]+)\)/g)].map(
        ([, link]) => [page, link!] as const,
      ),
    ).filter(([, link]) => !/^[a-z]+:/.test(link));
    expect(links.length).to.be.greaterThan(200);
    expect(links.flatMap(([page, link]) => faultOf(page, link) ?? [])).to.deep.equal([]);
  });

  it('of llms.txt lead to every page but the single decisions and the lists of questions', () => {
    const listed = readFileSync(join(ROOT, 'llms.txt'), 'utf8');
    const wanted = PAGES.filter(
      (page) => page !== 'llms.txt' && (page.endsWith('README.md') || !/^docs\/(adr|questions)\//.test(page)),
    );
    expect(wanted.filter((page) => !listed.includes(`](${page})`))).to.deep.equal([]);
  });

  it('are followed', () => {
    expect(faultOf('docs/README.md', 'nothing.md')).to.include('is not there');
    expect(faultOf('docs/README.md', 'errors.md#nothing')).to.include('no such heading');
    expect(faultOf('docs/README.md', '../README.md#settings')).to.equal(null);
  });
});
