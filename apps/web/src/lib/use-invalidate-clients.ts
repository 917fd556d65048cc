/** Invalidates everything that depends on clients: lists, counts, client pages, totals. */
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { invalidateFigures } from './invalidate-figures.ts';

export function useInvalidateClients(): () => Promise<void> {
  const client = useQueryClient();
  return useCallback(() => invalidateFigures(client, 'CLIENT_PATHS'), [client]);
}
