/**
 * Public paths: every manifest and document that lists them must match the table by which the server mounts its routes.
 */
import { expect } from 'chai';
import { PUBLIC_PATHS, SERVED } from '../../runtime/served.js';
import { envFile, manifests, text, yaml } from './files.js';

interface Ingress {
  readonly rules: readonly {
    readonly http: { readonly paths: readonly { readonly path: string; readonly pathType: string }[] };
  }[];
}

describe('public paths', () => {
  const inside = Object.keys(SERVED).filter((path) => !PUBLIC_PATHS.includes(path));

  it('are all that the server mounts, but for the way from / to the documentation', () => {
    const literal = [...text('runtime/http.ts').matchAll(/\bhttp\.(?:use|get|post|all)\(\s*(['"`][^,]*)/g)];
    expect(literal.map(([, path]) => path)).to.deep.equal(["'/'"]);
    expect(inside).to.include.members(['/admin/v1', '/metrics']);
  });

  it('are those of the ingress', () => {
    const ingress = manifests().filter(({ kind }) => kind === 'Ingress');
    expect(ingress).to.have.length(1);
    const { rules } = ingress[0]!['spec'] as Ingress;
    const paths = rules.flatMap(({ http }) => http.paths);
    expect(paths.map(({ path }) => path)).to.have.members(PUBLIC_PATHS);
    for (const { path, pathType } of paths)
      expect(pathType, path).to.equal(path === '/robots.txt' ? 'Exact' : 'Prefix');
  });

  it('are those that docs/deploying.md tells a proxy to pass on', () => {
    const [sentence = ''] = /passes on [^.]*(?:\.txt[^.]*)?\./.exec(text('docs/deploying.md')) ?? [];
    const [passed = '', kept = ''] = sentence.split('neither');
    const named = (part: string) => [...part.matchAll(/`(\/[^`]+)`/g)].map(([, path]) => path);
    expect(named(passed)).to.have.members(PUBLIC_PATHS);
    expect(inside).to.include.members(named(kept));
    expect(named(kept)).to.include.members(['/admin/v1', '/metrics']);
  });
});

describe('deploy/: proxies before Recado', () => {
  it('are counted: one behind the ingress, what .env says behind compose', () => {
    const overlay = yaml('deploy/kubernetes/overlays/example/kustomization.yaml') as {
      readonly configMapGenerator: readonly { readonly literals: readonly string[] }[];
    };
    expect(overlay.configMapGenerator.flatMap(({ literals }) => literals)).to.include('TRUSTED_PROXIES=1');
    expect(envFile('deploy/.env.example')).to.have.property('TRUSTED_PROXIES');
    expect(text('deploy/compose.yaml')).to.include('TRUSTED_PROXIES: ${TRUSTED_PROXIES:-}');
  });
});
