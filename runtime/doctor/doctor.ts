/**
 * The program behind the local half of `recado doctor`. Arguments: the data folder (empty for the one of the
 * environment) and optionally `--deep`. Writes the findings as JSON.
 */
import { localFindings } from './local.js';

const [dataDir, deep] = process.argv.slice(2);
const given = dataDir === undefined || dataDir === '' ? undefined : dataDir;
process.stdout.write(
  `${JSON.stringify({ findings: localFindings(process.env, given, deep === '--deep') })}\n`,
);
