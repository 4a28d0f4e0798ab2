/** Properties on which an orchestrator relies: health checks, start order, permissions, shutdown time. */
import { expect } from 'chai';
import { manifests, text, yaml, type Manifest } from './files.js';

interface Service {
  readonly image: string;
  readonly depends_on?: Readonly<Record<string, { condition: string }>>;
  readonly healthcheck?: object;
  readonly volumes?: readonly string[];
  readonly networks: readonly string[];
  readonly ports?: readonly string[];
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly stop_grace_period?: string;
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { internal?: boolean }>>;
}

interface Pod {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly containers: readonly {
    readonly livenessProbe: { httpGet: { path: string } };
    readonly readinessProbe: { httpGet: { path: string } };
    readonly lifecycle: { preStop: object };
    readonly resources: { requests: object; limits: { memory: string } };
    readonly securityContext: object;
  }[];
}

describe('deploy/compose.yaml', () => {
  const { services, volumes, networks } = yaml('deploy/compose.yaml') as Compose;

  it('waits for servers that say that they are healthy, and for the bucket', () => {
    for (const role of ['api', 'projections', 'workers']) {
      const { depends_on: needs } = services[role]!;
      expect(Object.keys(needs!)).to.have.members(['eventstore', 'mongodb', 'kafka', 'bucket']);
      for (const [name, { condition }] of Object.entries(needs!)) {
        if (condition === 'service_healthy') expect(services[name]!.healthcheck, name).to.be.an('object');
        else expect(condition).to.equal('service_completed_successfully');
      }
    }
  });

  it('keeps the data of servers in volumes, and servers without passwords off every other network', () => {
    expect(networks['servers']!.internal).to.equal(true);
    for (const name of ['eventstore', 'mongodb', 'kafka', 'blobs']) {
      const { volumes: mounted, networks: on, ports } = services[name]!;
      expect(mounted!.map((mount) => mount.split(':')[0]!)).to.satisfy((names: string[]) =>
        names.every((one) => one in volumes),
      );
      expect(on, name).to.deep.equal(['servers']);
      expect(ports, name).to.equal(undefined);
    }
    for (const [name, { ports }] of Object.entries(services))
      for (const port of ports ?? []) expect(port, name).to.match(/^127\.0\.0\.1:/);
  });

  it('gives Recado no rights that it does not need, and time to finish', () => {
    for (const [name, service] of Object.entries(services)) {
      if (service.image !== 'recado:local') continue;
      expect(service, name).to.deep.include({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '45s' });
    }
  });
});

const START = (JSON.parse(text('package.json')) as { scripts: { start: string } }).scripts.start;

describe('a service of systemd, as docs/operators.md shows it', () => {
  it('starts node with the flags of npm start', () => {
    expect(text('docs/operators.md')).to.include(`\nExecStart=/usr/bin/${START}\n`);
  });
});

describe('deploy/Dockerfile', () => {
  const dockerfile = text('deploy/Dockerfile');

  it('runs as a user with a number, stops on SIGTERM and says whether it is healthy', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last)
      .to.match(/^USER 1000:1000$/m)
      .and.to.match(/^STOPSIGNAL SIGTERM$/m);
    expect(last).to.match(/^HEALTHCHECK [^\n]*\\\n[^\n]*\/healthz/m);
    expect(JSON.parse(/^CMD (.*)$/m.exec(last)![1]!)).to.deep.equal(START.split(' '));
    expect(dockerfile).to.include('npm prune --omit=dev');
  });

  it('is given nothing that does not belong into it', () => {
    const lines = text('.dockerignore').split('\n');
    expect(lines).to.include('*').and.not.to.include('!test');
    expect(lines.filter((line) => line.startsWith('!deploy'))).to.deep.equal([
      '!deploy/build.mjs',
      '!deploy/compile-schemas.mjs',
      '!deploy/notice.mjs',
    ]);
  });
});

describe('deploy/kubernetes', () => {
  const all = manifests();
  const named = (kind: string): readonly Manifest[] => all.filter((manifest) => manifest.kind === kind);

  for (const role of ['api', 'projections', 'workers']) {
    it(`lets ${role} start, fail, stop and be moved in order`, () => {
      const deployment = named('Deployment').find(({ metadata }) => metadata?.name === `recado-${role}`)!;
      const pod = (deployment['spec'] as { template: { spec: Pod } }).template.spec;
      const [container] = pod.containers;
      expect(container!.livenessProbe.httpGet.path).to.equal('/healthz');
      expect(container!.readinessProbe.httpGet.path).to.equal('/readyz');
      expect(container!.lifecycle.preStop).to.be.an('object');
      expect(container!.resources.limits.memory).to.match(/^\d+(Mi|Gi)$/);
      // Covers preStop and a call to WhatsApp in progress.
      expect(pod.terminationGracePeriodSeconds).to.be.at.least(45);
      expect(pod.securityContext).to.deep.include({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(container!.securityContext).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      expect(named('PodDisruptionBudget').map(({ metadata }) => metadata?.name)).to.include(`recado-${role}`);
    });
  }

  it('refuses all traffic that is not named', () => {
    const nothing = named('NetworkPolicy').find(({ metadata }) => metadata?.name === 'recado-nothing')!;
    expect(nothing['spec']).to.deep.equal({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
  });

  it('has two autoscalers for two deployments', () => {
    const target = (kind: string): string =>
      (named(kind)[0]!['spec'] as { scaleTargetRef: { name: string } }).scaleTargetRef.name;
    expect(target('HorizontalPodAutoscaler')).to.equal('recado-api');
    expect(target('ScaledObject')).to.equal('recado-workers');
  });
});
