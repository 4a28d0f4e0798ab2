import { expect } from 'chai';
import { readS3Settings, S3SettingsError } from '../../../adapters/blobs/s3-settings.js';

const AWS = {
  S3_BUCKET: 'recado-blobs',
  S3_REGION: 'sa-east-1',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
};
const MINIO = { ...AWS, S3_ENDPOINT: 'http://minio:9000', S3_REGION: '' };

describe('settings of S3', () => {
  it('are null when nothing is set, also when all are empty', () => {
    expect(readS3Settings({})).to.equal(null);
    expect(readS3Settings({ S3_BUCKET: ' ', S3_ENDPOINT: '', S3_SECRET_ACCESS_KEY: '' })).to.equal(null);
  });

  it('are AWS by region when there is no endpoint', () => {
    expect(readS3Settings(AWS)).to.deep.equal({
      endpoint: null,
      region: 'sa-east-1',
      bucket: 'recado-blobs',
      accessKeyId: 'id',
      secretAccessKey: 'secret',
    });
  });

  it('of another server need no region, and take prefix and style', () => {
    expect(
      readS3Settings({
        ...MINIO,
        S3_ENDPOINT: 'http://minio:9000/',
        S3_PREFIX: '/recado/blobs/',
        S3_PATH_STYLE: 'off',
      }),
    ).to.deep.include({
      endpoint: 'http://minio:9000',
      region: 'us-east-1',
      prefix: 'recado/blobs',
      pathStyle: false,
    });
    expect(readS3Settings({ ...MINIO, S3_PREFIX: '/' })).not.to.have.property('prefix');
  });

  const half: readonly [what: string, env: Readonly<Record<string, string>>, sentence: string][] = [
    [
      'a bucket alone',
      { S3_BUCKET: 'b-1' },
      'S3_BUCKET is set, but S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY, S3_REGION are missing. Set them, or unset all S3_ variables to keep blobs in DATA_DIR.',
    ],
    [
      'all but the bucket',
      { ...AWS, S3_BUCKET: '' },
      'S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY are set, but S3_BUCKET is missing. Set it, or unset all S3_ variables to keep blobs in DATA_DIR.',
    ],
    [
      'AWS without a region',
      { ...AWS, S3_REGION: '' },
      'S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY are set, but S3_REGION is missing. Set it, or unset all S3_ variables to keep blobs in DATA_DIR.',
    ],
  ];
  for (const [what, env, sentence] of half) {
    it(`say what is missing from ${what}`, () => {
      expect(() => readS3Settings(env))
        .to.throw(S3SettingsError)
        .with.property('message', sentence);
    });
  }

  const wrong: readonly [name: string, value: string][] = [
    ['S3_ENDPOINT', 'minio:9000'],
    ['S3_ENDPOINT', 'ftp://minio'],
    ['S3_ENDPOINT', 'http://minio:9000/?x=1'],
    ['S3_BUCKET', 'Has Capitals'],
    ['S3_BUCKET', 'a/b'],
    ['S3_REGION', 'São Paulo'],
    ['S3_PREFIX', 'a/../b'],
    ['S3_PREFIX', 'a//b'],
    ['S3_PREFIX', 'a?b'],
    ['S3_PATH_STYLE', 'virtual'],
  ];
  for (const [name, value] of wrong) {
    it(`refuse ${name} ${value}`, () => {
      expect(() => readS3Settings({ ...MINIO, [name]: value })).to.throw(S3SettingsError, `${name} must be`);
    });
  }

  it('do not repeat a password that somebody put into the address', () => {
    expect(() => readS3Settings({ ...MINIO, S3_ENDPOINT: 'http://root:hunter2@minio:9000' }))
      .to.throw(S3SettingsError)
      .with.property('message')
      .that.includes('S3_SECRET_ACCESS_KEY')
      .and.not.includes('hunter2');
  });
});
