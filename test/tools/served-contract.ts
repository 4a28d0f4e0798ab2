/** Prints the public contract as callers see it, for generators of clients: `npm run --silent contract:served`. */
import { loadContract } from '../../api/contract.js';

process.stdout.write(`${JSON.stringify(JSON.parse(loadContract().json), null, 2)}\n`);
