import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const PRODUCT = [
  'adapters',
  'api',
  'application',
  'cli',
  'domain',
  'ports',
  'projections',
  'read-models',
  'runtime',
  'sandbox',
  'store-page',
  'workers',
];
const ASK_THE_CLOCK = 'Take the time from a Clock (ports/clock.ts).';
const TIMERS = ['timers', 'node:timers', 'timers/promises', 'node:timers/promises'].map((name) => ({
  name,
  message: ASK_THE_CLOCK,
}));

const DATES = [
  { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: ASK_THE_CLOCK },
  { selector: "CallExpression[callee.name='Date']", message: ASK_THE_CLOCK },
];
const ALL_OF_APP = {
  selector: "Identifier[name='app'] > TSTypeAnnotation > TSTypeReference[typeName.name='App']",
  message: 'Take what you use of it: Pick<App, …>.',
};

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'data/',
      'node_modules/',
      'api/docs/',
      'coverage/',
      'clients/typescript/dist/',
      'clients/typescript/src/contract.ts',
      'console/contract.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      // Ports are asynchronous by contract; the embedded adapters that implement them often are not.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // Time comes from the injected clock (ports/clock.ts), so that tests own it.
    files: PRODUCT.map((folder) => `${folder}/**/*.ts`),
    ignores: ['adapters/clock/**'],
    rules: {
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: ASK_THE_CLOCK },
        { object: 'performance', property: 'now', message: ASK_THE_CLOCK },
        { object: 'AbortSignal', property: 'timeout', message: ASK_THE_CLOCK },
        { object: 'dueTimes', property: 'claim', message: 'Claim rows by workers/lanes/claim-page.ts.' },
      ],
      'no-restricted-syntax': ['error', ...DATES],
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: ASK_THE_CLOCK },
        { name: 'setInterval', message: ASK_THE_CLOCK },
      ],
      'no-restricted-imports': ['error', ...TIMERS],
    },
  },
  {
    // The list of reactors connects them all, and a reactor gets what its own parts take.
    files: ['application/**/*.ts', 'projections/**/*.ts', 'workers/**/*.ts'],
    ignores: ['workers/all.ts', 'workers/kernel/reactor.ts'],
    rules: { 'no-restricted-syntax': ['error', ...DATES, ALL_OF_APP] },
  },
  { files: ['examples/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    // Chai's assertions are property reads.
    files: ['test/**/*.ts'],
    rules: { '@typescript-eslint/no-unused-expressions': 'off', 'no-console': 'off' },
  },
  {
    files: ['**/*.mjs', '**/*.cjs', '**/*.js'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'readonly',
        URL: 'readonly',
        document: 'readonly',
        window: 'readonly',
        EventSource: 'readonly',
        fetch: 'readonly',
      },
    },
  },
);
