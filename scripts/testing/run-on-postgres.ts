import { installOnDebian } from './debian.ts';
import { createSkippedPart, type PartResult } from './part.ts';
import { runVitest } from './run-vitest.ts';
import { findPostgresBinaries, startPostgres } from './start-postgres.ts';

/** Runs the database tests on a temporary PostgreSQL server. */
export async function runOnPostgres(part: string, mustRun: boolean, fileFilters: readonly string[]): Promise<PartResult> {
  const postgresBinaries = findPostgresBinaries() ?? ((await installOnDebian('postgresql')) ? findPostgresBinaries() : undefined);
  if (!postgresBinaries)
    return createSkippedPart(part, 'no PostgreSQL found; install its server programs (initdb, postgres) to run it', mustRun);
  const server = await startPostgres(postgresBinaries);
  try {
    return await runVitest(part, 'db', fileFilters, { TEST_DATABASE_URL: server.socketUrl });
  } finally {
    server.stop();
  }
}
