import { defineConfig } from 'vitest/config';

const anywhere = ['packages', 'apps/server', 'apps/sandbox', 'scripts', 'bench'];
const testsIn = (folders: string[]): string[] => folders.flatMap((folder) => [`${folder}/**/*.test.ts`]);

// A test that opens a database or a process takes seconds and its memory: three at a time, with more patience than a rule's test.
const withDatabase = [...testsIn(['packages/db', 'apps/server']), 'scripts/smoke.test.ts', 'scripts/chaos/**/{chaos,killed-*}.test.ts'];

// Statements, transactions, locks, migrations, money and refreshes are tested on both engines. What asks no database anything would prove nothing
// more on the second one: these files, and in a file what stands under `if (testServerUrl() === undefined)`.
const asksNoDatabase = [
  'apps/server/src/settings.test.ts',
  'apps/server/src/http/{json-text,unusual-urls,page-head,receive-file,reject-unstorable-text,response-schema,roles-matrix,security-headers,serve-*}.test.ts',
  'apps/server/src/features/sync/event-stream.test.ts',
  'apps/server/src/features/tasks/describe-company-tasks.test.ts',
];

// What only one of the engines has, real processes on its folder or on its server, is tested on that one.
const otherEngine = process.env['TEST_DATABASE_URL']
  ? ['packages/db/src/embedded/**', ...asksNoDatabase]
  : ['packages/db/src/postgres/**', 'scripts/chaos/**/killed-instance.test.ts'];

// A test waits for what comes, not for so long: a busy machine takes ten times its time, and what never comes is still found.
const patient = { poll: { timeout: 60_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: testsIn(anywhere),
          exclude: [...withDatabase, '**/node_modules/**'],
          isolate: false,
          // Some of these start a real process; a busy machine takes seconds for that.
          testTimeout: 60_000,
          expect: patient,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.ts', 'apps/web/**/*.test.tsx'],
          environment: 'jsdom',
          isolate: false,
          setupFiles: './apps/web/src/testing/wait-patiently.ts',
          testTimeout: 60_000,
          expect: patient,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'db',
          include: withDatabase,
          exclude: [...otherEngine, '**/node_modules/**'],
          globalSetup: './packages/db/src/testing/prepare-test-database.ts',
          // Every file opens a database of its own; the server's code is the same for all, and a second of the processor a file when loaded anew.
          isolate: false,
          // Generous: real processes on a busy machine take ten times their time, and a hang is still found.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: patient,
          // One more than our build server has cores: a test that starts a process waits for it.
          maxWorkers: 3,
          sequence: { shuffle: true },
        },
      },
    ],
  },
});
