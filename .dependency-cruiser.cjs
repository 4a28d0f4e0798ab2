/** The dependency rule of docs/architecture.md, as a machine sees it. */
const ours =
  '^(adapters|api|application|cli|clients|console|domain|ports|projections|read-models|runtime|sandbox|store-page|test|workers)/';
const drivers = [
  'better-sqlite3',
  'undici',
  '@eventstore/db-client',
  'mongodb',
  'kafkajs',
  '@kurrent/kurrentdb-client',
  '@opentelemetry/[^/]+',
];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-imports-nothing-of-ours',
      severity: 'error',
      from: { path: '^domain/' },
      to: { path: ours, pathNot: '^domain/' },
    },
    {
      name: 'ports-are-interfaces-over-domain',
      severity: 'error',
      from: { path: '^ports/' },
      to: { path: ours, pathNot: '^(ports|domain)/' },
    },
    {
      name: 'read-models-are-types-and-names',
      severity: 'error',
      from: { path: '^read-models/' },
      to: { path: ours, pathNot: '^(read-models|domain|ports)/' },
    },
    {
      name: 'read-models-take-types-only',
      severity: 'error',
      from: { path: '^read-models/' },
      to: { path: '^(domain|ports)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'application-knows-domain-and-ports',
      severity: 'error',
      from: { path: '^application/' },
      to: { path: ours, pathNot: '^(application|domain|ports|read-models)/' },
    },
    {
      name: 'projections-know-domain-ports-application',
      severity: 'error',
      from: { path: '^projections/' },
      to: { path: ours, pathNot: '^(projections|application|domain|ports|read-models)/' },
    },
    {
      name: 'api-store-page-and-workers-know-no-adapter',
      severity: 'error',
      from: { path: '^(api|store-page|workers)/' },
      to: { path: '^(adapters|runtime|cli|sandbox|test)/' },
    },
    {
      name: 'api-and-workers-do-not-know-each-other',
      severity: 'error',
      from: { path: '^(api|workers)/' },
      to: { path: '^(api|store-page|workers)/', pathNot: '^$1/' },
    },
    {
      name: 'store-page-sends-answers-as-the-api-does',
      severity: 'error',
      from: { path: '^store-page/' },
      to: { path: '^(api|projections|workers)/', pathNot: '^api/content-coding\\.' },
    },
    {
      name: 'adapters-do-not-know-who-uses-them',
      severity: 'error',
      from: { path: '^adapters/' },
      to: { path: '^(api|store-page|workers|projections|read-models|runtime|cli|sandbox|test)/' },
    },
    {
      name: 'sandbox-knows-of-the-product-what-meta-would',
      severity: 'error',
      comment:
        'It stands in for another server. From adapters it has the clock, and the signature that the product expects.',
      from: { path: '^sandbox/' },
      to: {
        path: ours,
        pathNot: '^(sandbox/|domain/|ports/|adapters/(clock/system|whatsapp/webhook-signature)\\.)',
      },
    },
    {
      name: 'cli-is-a-client',
      severity: 'error',
      comment:
        'The CLI talks to the APIs; it must not reach into the process. Time, and what was thrown, it reads as all do. ' +
        'Signatures of webhooks and names of streams are pure functions, which also work offline.',
      from: { path: '^cli/', pathNot: '^cli/(main|replay/kafka-target)\\.' },
      to: {
        path: ours,
        pathNot:
          '^(cli/|ports/(clock|thrown|waiting)\\.|domain/(policies/webhook-signature|kernel/stream)\\.)',
      },
    },
    {
      name: 'cli-starts-with-the-machines-clock',
      severity: 'error',
      from: { path: '^cli/main\\.' },
      to: { path: ours, pathNot: '^(cli/|adapters/clock/system\\.)' },
    },
    {
      name: 'cli-replays-into-kafka-by-its-adapter',
      severity: 'error',
      comment:
        'A replay goes from the operator to the broker, not through the server: the server would need the way in to ' +
        'brokers that are none of its own. One file may load the adapter behind the port; drivers stay in adapters/.',
      from: { path: '^cli/replay/kafka-target' },
      to: { path: ours, pathNot: '^(cli/|ports/(event-sink|thrown)|adapters/kafka/event-sink)' },
    },
    {
      name: 'clients-stand-alone',
      severity: 'error',
      comment: 'They are published by themselves and run anywhere: no module of ours, of npm, or of Node.',
      from: { path: '^clients/typescript/src/' },
      to: { pathNot: '^clients/typescript/src/' },
    },
    {
      name: 'the-product-does-not-use-its-clients',
      severity: 'error',
      from: { pathNot: '^(clients|console|examples|test)/' },
      to: { path: '^clients/' },
    },
    {
      name: 'the-console-is-a-page-of-its-own',
      severity: 'error',
      comment:
        'It runs in browsers and calls the admin API. Of the product it has the types of the contracts, and the reader of product tables.',
      from: { path: '^console/', pathNot: '^console/server/' },
      to: {
        path: `${ours}|^console/server/`,
        pathNot:
          '^console/(?!server/)|^clients/typescript/src/contract\\.|^cli/product-table/(cells|columns|products)\\.',
      },
    },
    {
      name: 'the-console-takes-types-only',
      severity: 'error',
      from: { path: '^console/', pathNot: '^console/server/' },
      to: { path: '^clients/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-console-is-served-as-pages-are',
      severity: 'error',
      from: { path: '^console/server/' },
      to: { path: ours, pathNot: '^(console/server/|api/content-coding\\.)' },
    },
    {
      name: 'only-the-runtime-serves-the-console',
      severity: 'error',
      from: { pathNot: '^(console|runtime|test)/' },
      to: { path: '^console/' },
    },
    { name: 'nobody-imports-tests', severity: 'error', from: { pathNot: '^test/' }, to: { path: '^test/' } },
    {
      name: 'only-adapters-import-drivers',
      severity: 'error',
      from: { pathNot: '^(adapters|cli|sandbox|test)/' },
      to: { path: `node_modules/(${drivers.join('|')})/` },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true, path: '^\\.' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      conditionNames: ['import', 'node', 'default'],
    },
  },
};
