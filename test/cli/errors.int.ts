/** Errors: sentences for people, one JSON object for programs, and the same exit codes for both. */
import { join } from 'node:path';
import { expect } from 'chai';
import { closedPort } from '../support/closed-port.js';
import { opened } from '../support/opened.js';
import { serve } from '../support/servers.js';
import { commands, openOffice } from './commands.js';
import type { Ran } from './run.js';

const NOBODY = '00000000-0000-4000-8000-000000000000';

interface Told {
  readonly code: string;
  readonly message: string;
  readonly next?: string;
  readonly exit_code: number;
  readonly details?: unknown;
  readonly request_id?: string;
}

/** The error of a program that printed nothing else. */
const errorOf = ({ stdout, stderr }: Ran): Told => {
  expect(stdout).to.equal('');
  expect(stderr.trimEnd().split('\n')).to.have.length(1);
  return (JSON.parse(stderr) as { readonly error: Told }).error;
};

describe('cli: errors', () => {
  const office = opened(openOffice);
  const nobody = opened(closedPort);
  const { ends } = commands(() => office.env);
  const away = () => ({ env: { RECADO_ADMIN_URL: `http://${nobody.address}/admin/v1` } });

  const cases: readonly (readonly [string, number, string, RegExp, RegExp])[] = [
    [`companies show ${NOBODY}`, 3, 'not_found', /no such company/, /recado companies list/],
    ['companies create --name ""', 2, 'validation_failed', /name/, /--help/],
    ['keys create --label x --scopes messages:fly', 2, 'validation_failed', /scopes/, /--help/],
    ['companis list', 2, 'unknown_command', /unknown command 'companis'/, /Did you mean companies\?/],
    ['companies list --colour', 2, 'unknown_option', /--colour/, /"recado companies list --help"/],
    ['companies', 2, 'missing_command', /list, create, show/, /"recado companies --help"/],
    ['companies show', 2, 'missing_argument', /company_uuid/, /"recado companies show --help"/],
    ['companies create', 2, 'missing_mandatory_option_value', /--name/, /"recado companies create --help"/],
    ['companies list --limit ten', 2, 'invalid_argument', /whole number from 1/, /--help/],
    ['operations list --status gone', 2, 'invalid_argument', /queued, processing/, /--help/],
    ['deliveries list --status success', 2, 'invalid_argument', /pending, delivered, failed/, /--help/],
    ['store orders move 1001 pago', 3, 'not_found', /path\.order_uuid: must be a UUID/, /"recado find TEXT"/],
    ['contacts import no-such.csv', 2, 'file_unreadable', /no-such\.csv .*no such file/, /Check the name/],
    [`contacts erase ${NOBODY}`, 2, 'usage', /no terminal/, /--yes/],
    ['projections rebuild', 2, 'usage', /Name one projection/, /projections list/],
    ['companies marketing --enable --disable', 2, 'usage', /not both/, /"recado companies marketing --help"/],
  ];
  for (const [line, exitCode, code, message, next] of cases) {
    it(`${code}: recado ${line.replace(NOBODY, '<unknown>')}`, async () => {
      const error = errorOf(await ends(`${line} --json`, exitCode));
      expect(error).to.include({ code, exit_code: exitCode });
      expect(error.message).to.match(message);
      expect(error.next).to.match(next);
      const people = (await ends(line, exitCode)).stderr;
      expect(people).to.match(message).and.to.match(next).and.to.include('recado: ');
      expect(people.indexOf(error.message.split('\n')[0]!)).to.be.lessThan(people.indexOf(error.next!));
    });
  }

  it('tells programs which fields the server refused, and its request id', async () => {
    const error = errorOf(await ends('companies create --name X --timezone Mars/Base --json', 2));
    expect(error.details).to.have.nested.property('fields[0].path', 'timezone');
    expect(error.request_id).to.be.a('string');
  });

  it('says so where nobody answers, where no token is known, and where it is not Recado', async () => {
    const gone = errorOf(await ends('status --json', 5, '', away()));
    expect(gone).to.include({ code: 'unreachable', exit_code: 5 });
    expect(gone.next).to.include('npm start');
    const env = { RECADO_DATA_DIR: join(office.folder, 'nothing') };
    expect(errorOf(await ends('status --json', 4, '', { env }))).to.include({ code: 'unauthorised' });
    const wrong = { RECADO_ADMIN_TOKEN: 'wrong' };
    expect(errorOf(await ends('status --json', 4, '', { env: wrong })).next).to.include('RECADO_ADMIN_TOKEN');
    const other = await serve((_req, res) => void res.end('<html>'));
    const there = { env: { RECADO_ADMIN_URL: `${other.origin}/admin/v1` } };
    expect(errorOf(await ends('status --json', 1, '', there))).to.include({ code: 'failed' });
    await other.close();
  });

  it('keeps the help of a group of commands for people', async () => {
    expect((await ends('companies', 2)).stderr).to.match(/Usage: recado companies/);
    expect((await ends('store orders', 2)).stderr).to.include('"recado store orders --help"');
  });

  it('takes a value for a value, also where it looks like the option', async () => {
    const { stderr } = await ends('companies create --name X --timezone Mars/Base -- --json', 2);
    expect(stderr).to.match(/^recado: /);
  });

  it('advises what there is for a company without a store', async () => {
    const { stderr } = await ends('store show', 3, 'recado store open');
    expect(stderr).to.not.include('"list" command');
  });
});
