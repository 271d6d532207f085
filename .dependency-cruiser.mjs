/**
 * The one-way dependency rule as code. Every library is a row of LIBRARIES and may import the libraries of its row,
 * through their `index.ts`, and nothing else of this repository. A new library starts with a new row here.
 */
const FOUNDATION = ['jsonrpc', 'protocol', 'database', 'observability', 'config', 'secret', 'kernel'];
const INFRASTRUCTURE = ['engine', 'auth', 'audit', 'blob', 'outbound', ...FOUNDATION];

export const LIBRARIES = {
  kernel: [],
  protocol: ['kernel'],
  secret: ['kernel'],
  config: ['kernel'],
  observability: ['config', 'kernel'],
  database: ['observability', 'config', 'kernel'],
  jsonrpc: ['protocol', 'observability', 'config', 'kernel'],
  audit: FOUNDATION,
  auth: ['audit', ...FOUNDATION],
  engine: ['audit', ...FOUNDATION],
  blob: ['config', 'secret', 'kernel'],
  outbound: ['config', 'kernel'],
  health: INFRASTRUCTURE,
  task: INFRASTRUCTURE,
  namespace: INFRASTRUCTURE,
  workspace: INFRASTRUCTURE,
  tool: ['workspace', ...INFRASTRUCTURE],
  registry: ['namespace', 'workspace', 'tool', ...INFRASTRUCTURE],
  actor: ['tool', 'registry', ...INFRASTRUCTURE],
  plan: ['actor', 'workspace', 'tool', 'registry', 'namespace', 'task', ...INFRASTRUCTURE],
};

const TEST_FILE = String.raw`\.(spec|int-spec|e2e-spec|fixture)\.ts$`;
const PACKAGE = (...names) => `(^|/)node_modules/(@types/)?(${names.join('|')})/`;
const anyOf = (names) => `(${names.join('|')})`;

const directionBetweenLibraries = Object.entries(LIBRARIES).map(([library, allowed]) => ({
  name: `${library}-imports-only-its-row`,
  comment: `libs/${library} may import: ${allowed.join(', ') || 'no other library'}. See LIBRARIES.`,
  severity: 'error',
  from: { path: `^libs/${library}/src/` },
  to: { path: '^libs/', pathNot: `^libs/${anyOf([library, 'testing', ...allowed])}/src/` },
}));

const directionInsideALibrary = [
  {
    name: 'domain-rules-are-pure',
    comment: 'What runs in a domain/ folder is the kernel and domain/; task rules also run the protocol’s states.',
    severity: 'error',
    from: { path: '^libs/([^/]+)/src/domain/', pathNot: TEST_FILE },
    to: {
      pathNot: ['^libs/$1/src/domain/', '^libs/kernel/src/index\\.ts$', '^libs/protocol/src/index\\.ts$'],
      dependencyTypesNot: ['core', 'type-only'],
    },
  },
  {
    name: 'domain-types-are-no-framework',
    comment: 'A type may come from a port or from the door of another library, never from storage or a package.',
    severity: 'error',
    from: { path: '^libs/[^/]+/src/domain/', pathNot: TEST_FILE },
    to: { path: String.raw`\.(entity|repository|service|rpc|module)\.ts$|(^|/)node_modules/` },
  },
  {
    name: 'only-task-rules-know-the-protocol',
    severity: 'error',
    from: { path: '^libs/[^/]+/src/domain/', pathNot: '^libs/task/' },
    to: { path: '^libs/protocol/' },
  },
  {
    name: 'nothing-below-rpc-imports-rpc',
    comment: 'rpc → service → domain/, repository → entity.',
    severity: 'error',
    from: { path: String.raw`\.(service|repository|entity)\.ts$|/domain/` },
    to: { path: String.raw`\.rpc\.ts$` },
  },
  {
    name: 'repositories-do-not-import-services',
    severity: 'error',
    from: { path: String.raw`\.(repository|entity)\.ts$` },
    to: { path: String.raw`\.service\.ts$` },
  },
  {
    name: 'rpc-goes-through-a-service',
    comment: 'Transactions and rules live in the service; an rpc class only translates.',
    severity: 'error',
    from: { path: String.raw`\.rpc\.ts$` },
    to: { path: String.raw`\.(repository|entity)\.ts$` },
  },
];

const borders = [
  {
    name: 'no-circular',
    severity: 'error',
    from: {},
    to: { circular: true },
  },
  {
    name: 'libs-never-import-apps',
    severity: 'error',
    from: { path: '^(libs|migrations)/' },
    to: { path: '^apps/' },
  },
  {
    name: 'no-deep-import-into-a-library',
    comment: 'index.ts is the only door of a library.',
    severity: 'error',
    from: { path: '^(?:libs|apps)/([^/]+)/' },
    to: { path: '^libs/(?!$1/)[^/]+/', pathNot: String.raw`^libs/[^/]+/src/index\.ts$` },
  },
  {
    name: 'tests-use-the-front-door',
    severity: 'error',
    from: { path: '^(test|migrations)/' },
    to: { path: '^libs/', pathNot: String.raw`^libs/[^/]+/src/index\.ts$` },
  },
  {
    name: 'testing-only-from-tests',
    severity: 'error',
    from: { path: '^(apps|libs|migrations)/', pathNot: [TEST_FILE, '^libs/testing/'] },
    to: { path: '^(libs/testing|test)/' },
  },
  {
    name: 'migrations-stand-alone',
    comment: 'A migration is immutable: code that changes later must not change what it does.',
    severity: 'error',
    from: { path: '^migrations/' },
    to: { path: '^(apps|libs|test)/' },
  },
];

const frameworks = [
  {
    name: 'kernel-imports-nothing',
    comment: 'Node itself and the ULID generator excepted.',
    severity: 'error',
    from: { path: '^libs/kernel/src/', pathNot: TEST_FILE },
    to: { pathNot: ['^libs/kernel/src/', PACKAGE('ulidx')] },
  },
  {
    name: 'protocol-is-free-of-frameworks',
    severity: 'error',
    from: { path: '^libs/protocol/src/', pathNot: TEST_FILE },
    to: { path: PACKAGE('@nestjs/[^/]+', 'typeorm', 'pg', 'express', 'rxjs', 'class-validator', 'class-transformer') },
  },
  {
    name: 'express-only-in-http',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: ['^apps/server/src/http/', TEST_FILE] },
    to: { path: PACKAGE('express', 'express-serve-static-core') },
  },
  {
    name: 'platform-express-only-in-the-server',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: ['^apps/server/src/', '^libs/testing/', TEST_FILE] },
    to: { path: PACKAGE('@nestjs/platform-express') },
  },
  {
    name: 'typeorm-only-at-the-database',
    comment: 'Entities, repositories, modules, libs/database; the hot write path of libs/task uses its driver.',
    severity: 'error',
    from: {
      path: '^(apps|libs)/',
      pathNot: [
        String.raw`\.(entity|repository|module)\.ts$`,
        '^libs/(database|testing)/src/',
        '^libs/task/src/log/',
        TEST_FILE,
      ],
    },
    to: { path: PACKAGE('typeorm', '@nestjs/typeorm') },
  },
  {
    name: 'pg-only-at-the-database',
    severity: 'error',
    from: {
      path: '^(apps|libs)/',
      pathNot: ['^libs/(database|engine|testing)/src/', '^libs/task/src/log/', TEST_FILE],
    },
    to: { path: PACKAGE('pg', 'pg-boss') },
  },
];

const packages = [
  {
    name: 'production-code-uses-no-dev-dependency',
    severity: 'error',
    from: { path: '^(apps|libs|migrations)/', pathNot: [TEST_FILE, '^libs/testing/'] },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/@types/' },
  },
  {
    name: 'packages-are-declared',
    comment: 'What is imported stands in package.json, or it vanishes with another package’s next release.',
    severity: 'error',
    from: { path: '^(apps|libs|migrations|test)/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'imports-resolve',
    severity: 'error',
    from: {},
    to: { couldNotResolve: true },
  },
];

export default {
  forbidden: [...directionBetweenLibraries, ...directionInsideALibrary, ...borders, ...frameworks, ...packages],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
