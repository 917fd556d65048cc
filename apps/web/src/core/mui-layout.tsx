/**
 * Providers of the screens built with MUI: theme, toasts and the notification dialog. Loaded with the first such screen; the dashboard
 * doesn't need them.
 */
import CssBaseline from '@mui/material/CssBaseline';
import GlobalStyles from '@mui/material/GlobalStyles';
import { ThemeProvider } from '@mui/material/styles';
import { findPage } from '@portal/contract/pages.ts';
import type { ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import { NotificationDialogProvider } from '../ui/notification-dialog.tsx';
import { ToastProvider } from '../ui/toast.tsx';
import { pageThemeStyles, getPageTheme, usePageTheme } from './page-theme.ts';
import { theme } from './theme.ts';

const PAGE_THEMES = pageThemeStyles();

/** MUI's theme with its global styles. */
export function MuiTheme({ children }: { children: ReactNode }) {
  return (
    <ThemeProvider theme={theme}>
      <CssBaseline />
      <GlobalStyles styles={PAGE_THEMES} />
      {children}
    </ThemeProvider>
  );
}

/** One layout for all routes below it, so that a toast outlives the screen that raised it. */
export function MuiLayout() {
  const { pathname } = useLocation();
  usePageTheme(getPageTheme(findPage(pathname)?.name));
  return (
    <MuiTheme>
      <ToastProvider>
        <NotificationDialogProvider>
          <Outlet />
        </NotificationDialogProvider>
      </ToastProvider>
    </MuiTheme>
  );
}
