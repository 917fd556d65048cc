/** What changed in the clients' figures since yesterday: a button with the number, which opens the list. */
import { positionChangesApi } from '@portal/contract/position-changes.ts';
import type { Tax } from '@portal/domain/uk-tax/tax.ts';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';

// Loaded at the first click, so that it doesn't delay the dashboard.
const ChangesDialog = lazy(() => import('./position-changes-dialog.tsx').then((file) => ({ default: file.PositionChangesDialog })));

type PositionChangesProps = {
  companyId: string;
  /** Limits the list to one tax. */
  tax?: Tax | undefined;
};

export function PositionChanges({ companyId, tax }: PositionChangesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery({
    ...apiQuery(positionChangesApi.list, { company_id: companyId, from: 0, ...(tax === undefined ? {} : { tax }) }),
    enabled: companyId !== '',
  });
  return (
    <>
      <Button size="small" variant="outlined" disabled={!query.data} onClick={() => setIsOpen(true)}>
        What changed since yesterday{query.data ? ` (${query.data.total.toLocaleString('en-GB')})` : ''}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <ChangesDialog companyId={companyId} tax={tax} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
