/** Settings of `npm run migrate`. The portal itself doesn't use them. */
import { z } from 'zod';
import { setting } from './setting-shapes.ts';

const seconds = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(86_400));
const secondsLabel = 'a number of seconds from 1 to 86400';

export const migrationSettingTable = {
  MIGRATION_DATABASE_URL: setting({
    shape: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
    expectedText: 'a URL such as postgres://owner:password@host/database',
    defaultLabel: 'DATABASE_URL',
    isSecret: true,
    meaning:
      'For `npm run migrate` and `npm run audit -- erase` only: the same database, as the role that owns the tables. Don’t give it to the portal.',
  }),
  MIGRATION_LOCK_TIMEOUT_SECONDS: setting({
    shape: seconds,
    expectedText: secondsLabel,
    defaultValue: () => '2',
    meaning: 'How long a migration waits for a table, blocking the portal’s calls, before it lets them through and tries again.',
  }),
  MIGRATION_LOCK_ATTEMPTS: setting({
    shape: z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(1).max(10_000)),
    expectedText: 'a number from 1 to 10000',
    defaultValue: () => '30',
    meaning: 'How many times a migration tries to get its locks before `npm run migrate` gives up.',
  }),
  MIGRATION_STATEMENT_TIMEOUT_SECONDS: setting({
    shape: seconds,
    expectedText: secondsLabel,
    defaultValue: () => '900',
    meaning: 'How long a single statement of a migration may take.',
  }),
};
