/** Vitest runs this once before the workers start, so that they don't all prepare the same dump. */
import { loadPreparedDump } from './prepared-dump.ts';
import { getTestServerUrl } from './test-postgres.ts';

export default async function prepareTestDatabase(): Promise<void> {
  if (!getTestServerUrl()) await loadPreparedDump();
}
