/** What a screen stands on where there is no router of ours to bring it: MUI's theme, the queries, the toasts. For the landing page's live demo and for tests. */
import { QueryClientProvider } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { createQueryClient } from '../lib/query-client.ts';
import { ToastProvider } from '../ui/toast.tsx';
import { MuiTheme } from './mui-layout.tsx';

export function AppProviders({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  return (
    <MuiTheme>
      <QueryClientProvider client={queryClient}>
        <ToastProvider>{children}</ToastProvider>
      </QueryClientProvider>
    </MuiTheme>
  );
}
