import { expect } from 'chai';
import { rolesFrom } from '../../runtime/arguments.js';
import { ConfigError, readConfig } from '../../runtime/config.js';

const ADDRESSES = {
  EVENTSTORE_URL: 'esdb://127.0.0.1:2113?tls=false',
  MONGODB_URL: 'mongodb://127.0.0.1:27017/recado',
  KAFKA_BROKERS: '127.0.0.1:9092',
};
const FULL = { ...ADDRESSES, RECADO_MASTER_KEY: 'a2V5' };
const NAMES = Object.keys(ADDRESSES) as (keyof typeof ADDRESSES)[];

const sentence = (env: Record<string, string>): string => {
  try {
    readConfig(env, false);
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error(`it was taken: ${JSON.stringify(env)}`);
};

describe('configuration of the real stack', () => {
  for (const missing of [1, 2]) {
    for (const name of NAMES) {
      const set = missing === 1 ? NAMES.filter((other) => other !== name) : [name];
      const unset = NAMES.filter((other) => !set.includes(other));
      it(`says that ${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} missing`, () => {
        const said = sentence(Object.fromEntries(set.map((variable) => [variable, ADDRESSES[variable]])));
        const list = set.join(' and ');
        expect(said.startsWith(`${list} ${set.length > 1 ? 'are' : 'is'} set, `), said).to.equal(true);
        expect(said).to.include(`${unset.join(' and ')} ${unset.length > 1 ? 'are' : 'is'} not.`);
      });
    }
  }

  it('takes empty and blank as not set', () => {
    expect(readConfig({ EVENTSTORE_URL: '', MONGODB_URL: ' ' }, false).realStack).to.equal(null);
  });

  it('wants a master key, since no process may make up its own', () => {
    expect(sentence(ADDRESSES)).to.include('RECADO_MASTER_KEY');
  });

  it('of the three addresses and a key is complete, without a demo', () => {
    const config = readConfig(FULL, false);
    expect(config.realStack).to.include({ eventStoreUrl: ADDRESSES.EVENTSTORE_URL, streamPrefix: '' });
    expect(config.demo).to.equal(false);
    expect([...config.roles]).to.deep.equal(['api', 'projections', 'workers']);
  });

  it('takes roles in any case and order, with blanks', () => {
    const config = readConfig(
      { ...FULL, ROLES: ' Workers, API ', WHATSAPP_API_URL: 'https://graph.facebook.com' },
      false,
    );
    expect([...config.roles].sort()).to.deep.equal(['api', 'workers']);
  });

  it('refuses unknown roles, none between commas, and shared work without a provider that is shared', () => {
    expect(sentence({ ...FULL, ROLES: 'api,worker' })).to.include('"worker"');
    expect(sentence({ ...FULL, ROLES: 'api,' })).to.include('ROLES');
    expect(sentence({ ...FULL, ROLES: 'api' })).to.include('WHATSAPP_API_URL');
  });

  it('refuses to share the work of an embedded store, and a demo without an API', () => {
    expect(sentence({ ROLES: 'api' })).to.include('embedded');
    const env = { ...FULL, ROLES: 'workers', DEMO: 'on', WHATSAPP_API_URL: 'https://graph.facebook.com' };
    expect(sentence(env)).to.include('DEMO');
    expect([...readConfig({ ROLES: 'api,projections,workers' }, false).roles]).to.have.length(3);
  });

  it('takes prefixes of streams that can not be the beginning of one another', () => {
    for (const prefix of ['shop.', 'shop-2.', 'a_b.']) {
      const config = readConfig({ ...FULL, EVENTSTORE_STREAM_PREFIX: prefix }, false);
      expect(config.realStack?.streamPrefix).to.equal(prefix);
    }
    for (const prefix of ['shop', 'a.b.', '.', '$x.', 'ã.', 'a b.']) {
      expect(sentence({ ...FULL, EVENTSTORE_STREAM_PREFIX: prefix })).to.include('EVENTSTORE_STREAM_PREFIX');
    }
  });
});

describe('the command line', () => {
  it('says the same as ROLES, in both spellings', () => {
    expect(rolesFrom([])).to.deep.equal({});
    expect(rolesFrom(['--roles', 'api'])).to.deep.equal({ ROLES: 'api' });
    expect(rolesFrom(['--roles=api,workers'])).to.deep.equal({ ROLES: 'api,workers' });
  });

  it('refuses everything else, by its words', () => {
    for (const args of [
      ['--role', 'api'],
      ['--roles'],
      ['--roles='],
      ['api'],
      ['--roles', 'api', 'workers'],
    ]) {
      expect(() => rolesFrom(args), args.join(' ')).to.throw(ConfigError, args.join(' '));
    }
  });
});
