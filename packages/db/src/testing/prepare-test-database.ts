/** Vitest runs this once, before the workers start: else each of them would prepare the same dump. */
import { prepareDump } from './prepared-dump.ts';
import { testServerUrl } from './test-postgres.ts';

export default async function prepareTestDatabase(): Promise<void> {
  if (!testServerUrl()) await prepareDump();
}
