/** Says of dist/cjs that its files are CommonJS; the package's own files are modules. */
import { writeFileSync } from 'node:fs';

writeFileSync(new URL('./dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
