/**
 * Writes what a build is made of into dist/: `sbom.cdx.json` (CycloneDX, by `npm sbom`) and `NOTICE.txt` (every licence
 * with its text). Both list the packages that lie in node_modules: run it once those for development are gone.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENCE_FILE = /^(licen[cs]e|copying|notice)/i;
/** Part of the sources (api/docs/vendor), not of node_modules. */
const VENDORED = [
  {
    'bom-ref': '@scalar/api-reference@1.46.4',
    type: 'library',
    name: '@scalar/api-reference',
    version: '1.46.4',
    purl: 'pkg:npm/%40scalar/api-reference@1.46.4',
    licenses: [{ license: { id: 'MIT' } }],
  },
];

const INTRODUCTION = `Recado contains the third-party software listed below, each under its own licence.

libvips, which reads and resizes images, and glib, pango, librsvg, libheif, libexif and fribidi beside it are under the
GNU Lesser General Public License, version 3 or later. They are a shared library of its own, in
node_modules/@img/sharp-libvips-*, which may be replaced by a version that you have changed. Its sources and how it is
built: https://github.com/lovell/sharp-libvips

multer is installed because express-openapi-validator requires it. Recado takes no uploads by forms and never calls it.
`;

/** Where each package lies, by name and version: of one that lies in several places, any. */
const places = new Map(VENDORED.map((component) => [component['bom-ref'], 'api/docs/vendor']));
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
for (const [path, { name = path.split('node_modules/').at(-1), version }] of Object.entries(lock.packages)) {
  if (path !== '' && existsSync(path)) places.set(`${name}@${version}`, path);
}
const pathOf = (component) => places.get(component['bom-ref']);

function billOfMaterials() {
  // With --omit=dev npm leaves out what is used by both: what is installed decides instead.
  const args = ['sbom', '--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const bill = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }));
  const installed = bill.components.filter((component) => places.has(component['bom-ref']));
  const components = [...installed, ...VENDORED];
  for (const component of components) component.licenses ??= legacyLicences(pathOf(component));
  const known = new Set([bill.metadata.component, ...components].map((component) => component['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => known.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => known.has(one)) }));
  // npm names the project after its folder.
  const component = { ...bill.metadata.component, name: 'recado' };
  return { ...bill, metadata: { ...bill.metadata, component }, components, dependencies };
}

/** Packages from before there were names for licences. */
function legacyLicences(path) {
  const { licenses = [] } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  return licenses.map(({ type, url }) => ({ license: { id: type, url } }));
}

function textsIn(path) {
  const names = readdirSync(path).sort();
  const licences = names.filter((name) => LICENCE_FILE.test(name));
  const chosen = licences.length > 0 ? licences : names.filter((name) => /^readme/i.test(name));
  return chosen.map((name) => readFileSync(join(path, name), 'utf8').trim());
}

const nameOf = ({ licenses }) =>
  licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' or ');

const bill = billOfMaterials();
const unnamed = bill.components.filter((component) => nameOf(component) === '');
if (unnamed.length > 0)
  throw new Error(`These packages name no licence: ${unnamed.map(({ name }) => name).join(', ')}.`);
const entries = bill.components
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .map((component) =>
    [`${component.name} ${component.version} (${nameOf(component)})`, ...textsIn(pathOf(component))].join(
      '\n\n',
    ),
  );
writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(bill, null, 2)}\n`);
writeFileSync('dist/NOTICE.txt', [INTRODUCTION, ...entries].join(`\n${'-'.repeat(80)}\n`));
process.stderr.write(`${bill.components.length} packages\n`);
