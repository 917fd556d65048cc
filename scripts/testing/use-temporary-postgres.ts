import { findPostgresBinaries, startPostgres, type TestServer } from './start-postgres.ts';

/** Starts a PostgreSQL server, found in the same way as by `npm test`, for anything that creates databases as the tests do. */
export async function useTemporaryPostgres(): Promise<TestServer> {
  const postgresBinaries = findPostgresBinaries();
  if (postgresBinaries === undefined) throw new Error('There is no PostgreSQL on this machine. Install it, or choose --engine embedded.');
  const server = await startPostgres(postgresBinaries);
  process.env['TEST_DATABASE_URL'] = server.socketUrl;
  return server;
}
