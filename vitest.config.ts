import { defineConfig } from 'vitest/config';
import { countWorkers } from './scripts/testing/count-workers.ts';
import { ON_BOTH_ENGINES } from './scripts/testing/both-engines.ts';
import { SlowFilesFirst } from './scripts/testing/slow-files-first.ts';

const unitTestFolders = ['packages', 'apps/server', 'apps/sandbox', 'scripts', 'bench'];
const listTestPatterns = (folders: string[]): string[] => folders.flatMap((folder) => [`${folder}/**/*.test.ts`]);

// A test that opens a database or starts a process takes seconds and a lot of memory, so only a few run at a time, with longer timeouts
// than unit tests.
const withDatabase = [
  ...listTestPatterns(['packages/db', 'apps/server']),
  'scripts/smoke.test.ts',
  'scripts/{database-certificate,migrate,package,pooler}.test.ts',
  'scripts/chaos/**/{chaos,killed-*,model}.test.ts',
  'scripts/campaigns/**/commit-proxy.test.ts',
];

// Tests that don't send any SQL run only on the embedded engine, which doesn't need a server: these files, and individual tests within `if
// (getTestServerUrl() === undefined)`.
const testsWithoutStatements = [
  'apps/server/src/settings.test.ts',
  'apps/server/src/mail/{compose-email,mailer}.test.ts',
  'apps/server/src/http/{get-caller,json-text,outages,provider-names,unusual-urls,page-head,prerendered-pages,receive-file,reject-unstorable-text,response-schema,roles-matrix,security-headers,serve-*}.test.ts',
  'apps/server/src/features/sync/event-stream.test.ts',
  'apps/server/src/features/tasks/describe-company-tasks.test.ts',
];

// Tests of one engine's features, such as real processes on its data folder or server, run only on that engine.
const serverUrl = process.env['TEST_DATABASE_URL'];
const embeddedEngineTests = [
  'packages/db/src/embedded/**/*.test.ts',
  // killed-instance.test.ts kills a portal on the server.
  'scripts/chaos/**/killed-practice.test.ts',
  ...testsWithoutStatements,
];
const otherEngineTests = serverUrl
  ? embeddedEngineTests
  : [
      'packages/db/src/postgres/**',
      'scripts/chaos/**/killed-instance.test.ts',
      'apps/server/src/http/row-security.test.ts',
      'scripts/{database-certificate,migrate,package,pooler}.test.ts',
      'scripts/campaigns/**/commit-proxy.test.ts',
    ];

// `npm test` first runs everything on PostgreSQL, then only the tests that may differ on the embedded engine.
const isAfterPostgres = process.env['TESTS_AFTER_POSTGRES'] === 'true';

// `TEST_CLOCK_DAYS=40 npm test -- unit web db` finds tests that will fail on a later day. These need the clock of the database or of a
// process that they start to be the same.
const isLater = process.env['TEST_CLOCK_DAYS'] !== undefined;
const shiftClock = isLater ? [`--import=${new URL('scripts/testing/shift-clock.ts', import.meta.url).href}`] : [];
const needsOneClock = isLater
  ? [
      'apps/server/src/doctor/check-database.test.ts',
      'apps/server/src/features/{api-keys/api-keys,clients/invitation-filter,monitoring/metrics,retention/erase-closed-accounts,webhooks/webhooks}.test.ts',
      'apps/server/src/jobs/killed-jobs.test.ts',
      'scripts/{database-certificate,doctor,smoke}.test.ts',
      'scripts/chaos/chaos.test.ts',
    ]
  : [];

// Tests wait for a result rather than a fixed time. A busy machine takes ten times as long, and a wait that can't succeed still ends at the
// timeout.
const longPoll = { poll: { timeout: 60_000 } };

// By default, vitest leaves one core for its own process, which has little to do.
const workersWithoutDatabase = countWorkers(0);

export default defineConfig({
  test: {
    sequence: { sequencer: SlowFilesFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: listTestPatterns(unitTestFolders),
          exclude: [...withDatabase, ...needsOneClock, '**/node_modules/**'],
          isolate: false,
          execArgv: shiftClock,
          maxWorkers: workersWithoutDatabase,
          // Some of these start a real process, which takes seconds on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
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
          execArgv: shiftClock,
          maxWorkers: workersWithoutDatabase,
          setupFiles: './apps/web/src/testing/before-tests.ts',
          testTimeout: 60_000,
          expect: longPoll,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'db',
          include: isAfterPostgres ? [...ON_BOTH_ENGINES, ...embeddedEngineTests] : withDatabase,
          exclude: [...otherEngineTests, ...needsOneClock, '**/node_modules/**'],
          globalSetup: ['./scripts/testing/ensure-builds.ts', './packages/db/src/testing/prepare-test-database.ts'],
          // Every file opens its own database. The server's code is shared, because loading it again would cost each file a second of CPU time.
          isolate: false,
          // Requests and statements leave many short-lived objects: with the default of 16 MB, a tenth of the processor time went into
          // collecting them (nodejs.org/api/cli.html, --max-semi-space-size).
          execArgv: ['--max-semi-space-size=32', ...shiftClock],
          // Generous, because real processes take ten times as long on a busy machine. A test that hangs is still stopped.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: longPoll,
          // A test that starts a process mostly waits for it. On a PostgreSQL server, two files wait for a killed process's heartbeat.
          maxWorkers: countWorkers(serverUrl ? 2 : 1),
          sequence: { shuffle: true },
        },
      },
    ],
  },
});
