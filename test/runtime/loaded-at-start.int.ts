/** What a start loads before it knows its configuration. The drivers of other servers would double the time it takes. */
import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

const FOR_OTHERS = ['@eventstore/db-client', '@grpc/grpc-js', 'kafkajs', 'mongodb', 'yaml'];

describe('a start on the embedded store', () => {
  it('loads no driver of the other stores, and no parser of what the build prepares', () => {
    const start = new URL('../../runtime/start.js', import.meta.url).href;
    const script = `
      import { createRequire } from 'node:module';
      await import(${JSON.stringify(start)});
      console.log(JSON.stringify(Object.keys(createRequire(${JSON.stringify(start)}).cache)));
      process.exit(0);`;
    const flags = ['--input-type=module', '--eval', script];
    const files = JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as string[];
    const packages = new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]));
    expect(packages).to.include('express');
    expect(FOR_OTHERS.filter((name) => packages.has(name))).to.deep.equal([]);
  });
});
