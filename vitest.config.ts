import { defineConfig } from 'vitest/config';

const anywhere = ['packages', 'apps/server', 'apps/sandbox', 'scripts', 'bench'];
const testsIn = (folders: string[]): string[] => folders.flatMap((folder) => [`${folder}/**/*.test.ts`]);

// A test that opens a database or a process is slow and wants its own module state; a rule's test wants neither.
const withDatabase = testsIn(['packages/db', 'apps/server']);

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: testsIn(anywhere),
          exclude: [...withDatabase, '**/node_modules/**'],
          isolate: false,
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'web',
          include: ['apps/web/**/*.test.ts', 'apps/web/**/*.test.tsx'],
          environment: 'jsdom',
          sequence: { shuffle: true },
        },
      },
      {
        test: {
          name: 'db',
          include: withDatabase,
          globalSetup: './packages/db/src/testing/prepare-test-database.ts',
          testTimeout: 20_000,
          hookTimeout: 30_000,
          maxWorkers: 2,
          sequence: { shuffle: true },
        },
      },
    ],
  },
});
