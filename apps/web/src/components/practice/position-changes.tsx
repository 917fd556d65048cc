/** Changes in clients' figures since yesterday, and figures read for the first time. Buttons with the counts open the lists. */
import { type POSITION_CHANGE_GROUPS, positionChangesApi } from '@portal/contract/position-changes.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';

// Loaded on the first click, so that it doesn't delay the dashboard.
const ChangesDialog = lazy(() => import('./position-changes-dialog.tsx').then((file) => ({ default: file.PositionChangesDialog })));

type PositionChangesProps = {
  companyId: string;
  /** Limits the list to one tax. */
  tax?: Tax | undefined;
};

export function PositionChanges({ companyId, tax }: PositionChangesProps) {
  const [group, setGroup] = useState<(typeof POSITION_CHANGE_GROUPS)[number]>();
  const query = useQuery({
    ...apiQuery(positionChangesApi.list, { company_id: companyId, from: 0, ...(tax === undefined ? {} : { tax }) }),
    enabled: companyId !== '',
  });
  const totals = query.data?.totals;
  return (
    <>
      <Button size="small" variant="outlined" disabled={!totals} onClick={() => setGroup('changed')}>
        What changed since yesterday{totals ? ` (${totals.changed.toLocaleString('en-GB')})` : ''}
      </Button>
      {totals !== undefined && totals.first > 0 && (
        <Button size="small" variant="outlined" onClick={() => setGroup('first')}>
          First figures received ({totals.first.toLocaleString('en-GB')})
        </Button>
      )}
      {group !== undefined && (
        <Suspense fallback={null}>
          <ChangesDialog companyId={companyId} tax={tax} group={group} onClose={() => setGroup(undefined)} />
        </Suspense>
      )}
    </>
  );
}
