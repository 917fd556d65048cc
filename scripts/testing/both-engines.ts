/**
 * Database tests whose result may depend on the engine. They run on PostgreSQL and on the embedded engine; the rest run on PostgreSQL, or
 * on the embedded engine if PostgreSQL isn't available (docs/decisions/0076-which-tests-run-on-both-engines.md).
 */
const listFeatureFiles = (...files: string[]): string[] => files.map((file) => `apps/server/src/features/${file}.test.ts`);
const listHttpTests = (...files: string[]): string[] => files.map((file) => `apps/server/src/http/${file}.test.ts`);

export const ON_BOTH_ENGINES: readonly string[] = [
  // The engines' adapters: migrations, transactions, parameters and results, locks, and the data left after a kill.
  'packages/db/**/*.test.ts',
  'apps/server/src/{doctor,jobs,start}/**/*.test.ts',
  'scripts/smoke.test.ts',
  'scripts/chaos/**/{chaos,killed-*,model}.test.ts',
  // List pages after a cursor; simultaneous calls.
  ...listHttpTests('forged-cursors', 'idempotency', 'person-queue'),
  ...listFeatureFiles('identity/limit-attempts'),
  // Payments, filings and messages, each at most once.
  ...listFeatureFiles('advances/{advance,payout-order}', 'ledger/*', 'operators/release-payout'),
  ...listFeatureFiles(
    'books-connection/{books-objects,books-webhooks}',
    'messages/send-once',
    'vat-returns/{file-return,late-filing}',
    'webhooks/*',
  ),
  // Claims, queues and refreshes across several instances.
  ...listFeatureFiles('nightly-refresh/*', 'positions/*', 'sync/{shared-rate-limiter,sync,sync-connections}'),
  // Many rows in one statement, search and sorting, streams, and values returned by a plain statement.
  ...listFeatureFiles('agent/*', 'assignment/*', 'audit/*', 'authorisation-*/*', 'books/*', 'client-imports/client-imports'),
  ...listFeatureFiles(
    'clients/{client-list,list-clients,search-pages,select-clients,undo-change}',
    'data-protection/*',
    'desk/desk',
    'exports/*',
  ),
  ...listFeatureFiles(
    'monitoring/*',
    'practice-dashboard/{practice-dashboard,today}',
    'pricing/*',
    'connected-apps/*',
    'retention/*',
    'tasks/*',
    'tax-statements/*',
    'work-items/*',
  ),
];
