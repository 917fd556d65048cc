import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, useNavigationType } from 'react-router';
import { pageTitle } from '../lib/page-title.ts';

/** The width of a page of text and forms, of a dashboard, and of a table. */
const WIDTHS = { form: 560, text: 760, wide: 1200, full: 1536 } as const;

type PageProps = {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  /** Buttons beside the heading. */
  actions?: ReactNode;
  maxWidth?: keyof typeof WIDTHS;
};

/** One screen: window title, main landmark, heading. The heading takes the focus when the route changes, so that a screen reader says where one is. */
export function Page({ title, lead, children, actions, maxWidth = 'wide' }: PageProps) {
  const { pathname } = useLocation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = pageTitle(pathname);
  }, [pathname]);
  useFocusOnRouteChange(heading, pathname);
  return (
    <Box
      component="main"
      id="main"
      tabIndex={-1}
      sx={{ width: '100%', maxWidth: WIDTHS[maxWidth], mx: 'auto', px: { xs: 2, sm: 3 }, py: { xs: 3, md: 5 }, flex: 1 }}
    >
      <Box
        sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'flex-start', justifyContent: 'space-between', mb: { xs: 3, md: 4 } }}
      >
        <Box sx={{ minWidth: 0, flex: '1 1 320px' }}>
          <Typography variant="h1" ref={heading} tabIndex={-1}>
            {title}
          </Typography>
          {lead !== undefined && (
            <Typography component="div" sx={{ mt: 1, color: 'text.secondary', maxWidth: 640 }}>
              {lead}
            </Typography>
          )}
        </Box>
        {actions !== undefined && <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5 }}>{actions}</Box>}
      </Box>
      {children}
    </Box>
  );
}

let lastPath: string | undefined;

function useFocusOnRouteChange(heading: { readonly current: HTMLElement | null }, pathname: string): void {
  const navigationType = useNavigationType();
  useEffect(() => {
    // Not on the first page: there the browser's own start of the document is right.
    if (lastPath !== undefined && lastPath !== pathname) {
      // Going back leads to where one had scrolled: the shell restores it.
      if (navigationType !== 'POP') window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    lastPath = pathname;
  }, [heading, pathname, navigationType]);
}
