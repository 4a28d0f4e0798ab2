/** Loaded before the product: keeps the kernel's counts of what it wrote, with the checkpoint that ends it. */
import { readFileSync, writeFileSync } from 'node:fs';

const file = process.env['BENCH_IO_FILE'];
if (file !== undefined) process.on('exit', () => writeFileSync(file, readFileSync('/proc/self/io')));
