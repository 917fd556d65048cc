/** The demo: the real screens over a story in memory, in their own router, with a clock that the visitor moves. */
import Box from '@mui/material/Box';
import { findPage, PAGES } from '@portal/contract/pages.ts';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Navigate, Route, Routes, useLocation } from 'react-router';
import { AdvanceScreen } from '../../features/advances/advance-screen.tsx';
import { DashboardScreen } from '../../features/dashboard/dashboard-screen.tsx';
import { LinkHmrcScreen } from '../../features/dashboard/link-hmrc-screen.tsx';
import { createDemoTransport } from '../../features/demo/demo-transport.ts';
import { NORMAL_REFUND } from '../../features/demo/stories/normal-refund.ts';
import { VatReturnScreen } from '../../features/vat-returns/vat-return-screen.tsx';
import { setTransport } from '../../lib/api.ts';
import { RemembersCompany } from '../../lib/company-id.ts';
import { pageLink } from '../../lib/page-link.ts';
import { PageHeader } from '../page-header.tsx';
import { ClockBar } from './clock-bar.tsx';
import { NotInDemo } from './not-in-demo.tsx';

const HOME = pageLink('dashboard', { company_id: NORMAL_REFUND.company.company_id });

/** Expects a router around it that is its own, and AppProviders. */
export function DemoDashboard() {
  const queries = useQueryClient();
  const [{ transport, clock }] = useState(() => createDemoTransport(NORMAL_REFUND));
  const [isReady, setIsReady] = useState(false);
  // The screens are drawn only once the calls are answered from memory: none may slip to the network.
  useEffect(() => {
    const undo = setTransport(transport);
    setIsReady(true);
    const unsubscribe = clock.subscribe(() => void queries.invalidateQueries());
    return () => {
      unsubscribe();
      undo();
      setIsReady(false);
    };
  }, [transport, clock, queries]);
  const { pathname } = useLocation();
  if (!isReady) return null;
  return (
    // The demo's company must not become the one that this browser opens after signing in.
    <RemembersCompany value={false}>
      <Box sx={{ display: 'flex', flexDirection: 'column', minHeight: '100dvh' }}>
        <PageHeader page={findPage(pathname)} />
        <Routes>
          <Route path="/" element={<Navigate to={HOME} replace />} />
          <Route path={PAGES.dashboard.path} element={<DashboardScreen />} />
          <Route path={PAGES.vatReturn.path} element={<VatReturnScreen />} />
          <Route path={PAGES.advance.path} element={<AdvanceScreen />} />
          <Route path={PAGES.linkHmrcAccount.path} element={<LinkHmrcScreen />} />
          <Route path="*" element={<NotInDemo home={HOME} />} />
        </Routes>
        <ClockBar clock={clock} />
      </Box>
    </RemembersCompany>
  );
}
