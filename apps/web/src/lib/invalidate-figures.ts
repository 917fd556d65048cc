/** Invalidates the queries of clients' figures. */
import type { QueryClient } from '@tanstack/react-query';

type PathList = 'FIGURE_PATHS' | 'CLIENT_PATHS';

/** Pass `CLIENT_PATHS` after a change to clients, and `FIGURE_PATHS` when a refresh delivers figures (figure-paths.ts). */
export async function invalidateFigures(client: QueryClient, list: PathList = 'FIGURE_PATHS'): Promise<void> {
  const file = await import('./figure-paths.ts').catch(() => undefined);
  const isStale = (path: unknown): boolean => file === undefined || file[list].includes(path as string);
  await client.invalidateQueries({ predicate: ({ queryKey: [path] }) => isStale(path) });
}
