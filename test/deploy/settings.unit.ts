import { expect } from 'chai';
import { envFile, filesIn, knownSettings, manifests, text, yaml } from './files.js';

interface Compose {
  readonly services: Readonly<
    Record<string, { image: string; environment?: Readonly<Record<string, unknown>>; profiles?: string[] }>
  >;
}

/** Settings of compose itself and of the dashboard, not of Recado. */
const COMPOSE_ONLY = ['COMPOSE_PROFILES', 'GRAFANA_PASSWORD', 'API_PORT'];
const SECRETS = /KEY|SECRET|PASSWORD|TOKEN|URL|USERNAME|BROKERS/;

describe('deploy/: settings', () => {
  const compose = yaml('deploy/compose.yaml') as Compose;
  const known = knownSettings();
  const example = envFile('deploy/.env.example');

  it('are found where they are read', () => {
    expect([...known]).to.include.members(['PORT', 'ROLES', 'EVENTSTORE_URL', 'KAFKA_TLS', 'S3_BUCKET']);
  });

  it('of .env.example are read by Recado or by compose, and all that compose takes are in it', () => {
    for (const name of Object.keys(example))
      expect(known.has(name) || COMPOSE_ONLY.includes(name), name).to.equal(true);
    const taken = [...text('deploy/compose.yaml').matchAll(/\$\{([A-Z0-9_]+)/g)].map(([, name]) => name!);
    expect(Object.keys(example)).to.include.members(taken);
    const given = new Set([...taken, 'COMPOSE_PROFILES']);
    expect(Object.keys(example).filter((name) => !given.has(name))).to.deep.equal([]);
  });

  it("of compose's Recado processes are read by Recado", () => {
    for (const name of ['api', 'projections', 'workers', 'sandbox', 'bucket']) {
      const set = Object.keys(compose.services[name]!.environment!);
      expect(
        set.filter((one) => !known.has(one)),
        name,
      ).to.deep.equal([]);
    }
  });

  it('of Kubernetes are read by Recado, and each role has its own', () => {
    const names = [
      ...Object.keys(envFile('deploy/kubernetes/base/config.env')),
      ...Object.keys(envFile('deploy/kubernetes/overlays/example/secret.env.example')),
    ];
    const roles: string[] = [];
    for (const manifest of manifests()) {
      if (manifest.kind === 'Secret') names.push(...Object.keys(manifest['stringData'] as object));
      if (manifest.kind !== 'Deployment') continue;
      const { spec } = (manifest['spec'] as { template: { spec: PodSpec } }).template;
      for (const { name, value } of spec.containers[0]!.env) {
        names.push(name);
        if (name === 'ROLES') roles.push(value);
      }
    }
    expect(names).to.have.length.greaterThan(20);
    expect(names.filter((name) => !known.has(name))).to.deep.equal([]);
    expect(roles.sort()).to.deep.equal(['api', 'projections', 'workers']);
  });

  it('hold no secret', () => {
    for (const path of ['deploy/.env.example', 'deploy/kubernetes/overlays/example/secret.env.example']) {
      for (const [name, value] of Object.entries(envFile(path))) {
        // An address without a password, and a name that is not a secret.
        if (!SECRETS.test(name) || /^https?:\/\/[\w.:]+$/.test(value) || name === 'S3_ACCESS_KEY_ID')
          continue;
        expect(value, `${path}: ${name}`).to.equal('');
      }
    }
    for (const manifest of manifests().filter(({ kind }) => kind === 'Secret')) {
      expect(Object.values(manifest['stringData'] as object).join('')).to.equal('');
    }
    for (const path of filesIn('deploy')) {
      expect(text(path), path).not.to.match(/:\/\/[^/\s:@$"']+:[^/\s@$"']+@|BEGIN [A-Z ]*PRIVATE KEY/);
    }
  });

  it('pin every image to a version', () => {
    const images = [
      ...Object.values(compose.services).map(({ image }) => image),
      ...[...text('deploy/Dockerfile').matchAll(/^ARG NODE_IMAGE=(\S+)/gm)].map(([, image]) => image!),
    ];
    for (const [, image] of text('deploy/Dockerfile').matchAll(/^FROM (\S+)/gm))
      expect(image).to.equal('${NODE_IMAGE}');
    expect(images).to.have.length.greaterThan(8);
    for (const image of images.filter((one) => one !== 'recado:local'))
      expect(image).to.match(/^[\w./-]+:v?\d+\.\d+[\w.-]*$/);
  });
});

interface PodSpec {
  readonly containers: readonly { readonly env: readonly { name: string; value: string }[] }[];
}
