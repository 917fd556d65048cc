import { clientDashboardApi } from '@portal/contract/client-dashboard.ts';
import { useQueryClient } from '@tanstack/react-query';

/** Refetches the notes, and the timeline that includes them. */
export function useInvalidateNotes(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    const paths = [clientDashboardApi.notes.path, clientDashboardApi.timeline.path];
    await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })));
  };
}
