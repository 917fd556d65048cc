import { defineConfig } from 'vitest/config';

const unitTestFolders = ['packages', 'apps/server', 'apps/sandbox', 'scripts', 'bench'];
const testsIn = (folders: string[]): string[] => folders.flatMap((folder) => [`${folder}/**/*.test.ts`]);

// A test that opens a database or starts a process takes seconds and much memory: three run at a time, with longer timeouts than a unit test.
const withDatabase = [...testsIn(['packages/db', 'apps/server']), 'scripts/smoke.test.ts', 'scripts/chaos/**/{chaos,killed-*}.test.ts'];

// Statements, transactions, locks, migrations, money and refreshes are tested on both engines. Tests that send no statement would prove nothing
// more on the second one: these files, and single tests within `if (testServerUrl() === undefined)`.
const withoutStatements = [
  'apps/server/src/settings.test.ts',
  'apps/server/src/mail/compose-email.test.ts',
  'apps/server/src/http/{json-text,unusual-urls,page-head,receive-file,reject-unstorable-text,response-schema,roles-matrix,security-headers,serve-*}.test.ts',
  'apps/server/src/features/sync/event-stream.test.ts',
  'apps/server/src/features/tasks/describe-company-tasks.test.ts',
];

// Tests of one engine's own features, such as real processes on its data folder or server, run on that engine only.
const testsOfOtherEngine = process.env['TEST_DATABASE_URL']
  ? ['packages/db/src/embedded/**', ...withoutStatements]
  : ['packages/db/src/postgres/**', 'scripts/chaos/**/killed-instance.test.ts'];

// Tests wait for a result, not for a duration. A busy machine takes ten times as long, and the timeout still ends a wait for nothing.
const longPoll = { poll: { timeout: 60_000 } };

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: testsIn(unitTestFolders),
          exclude: [...withDatabase, '**/node_modules/**'],
          isolate: false,
          // Some of these start a real process, which takes seconds on a busy machine.
          testTimeout: 60_000,
          expect: longPoll,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.ts', 'apps/web/**/*.test.tsx'],
          environment: 'jsdom',
          isolate: false,
          setupFiles: './apps/web/src/testing/set-poll-timeout.ts',
          testTimeout: 60_000,
          expect: longPoll,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'db',
          include: withDatabase,
          exclude: [...testsOfOtherEngine, '**/node_modules/**'],
          globalSetup: './packages/db/src/testing/prepare-test-database.ts',
          // Every file opens its own database. The server's code is shared, because loading it again would cost each file a second of CPU time.
          isolate: false,
          // Generous, because real processes take ten times as long on a busy machine. A hang still ends the test.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: longPoll,
          // One more than our build server has cores, because a test that starts a process mostly waits for it.
          maxWorkers: 3,
          sequence: { shuffle: true },
        },
      },
    ],
  },
});
