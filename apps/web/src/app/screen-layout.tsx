import { findPage } from '@portal/contract/pages.ts';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { getPageTheme, usePageTheme } from '../core/page-theme.ts';
import { NotificationDialogProvider } from '../ui/notification-dialog.tsx';
import { ToastProvider } from '../ui/toast.tsx';

/** One layout for all screens, so that a toast outlives the screen that showed it. Sets the page's theme. */
export function ScreenLayout({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  usePageTheme(getPageTheme(findPage(pathname)?.name));
  return (
    <ToastProvider>
      <NotificationDialogProvider>{children}</NotificationDialogProvider>
    </ToastProvider>
  );
}
