import './dashboard.css';
import { CardSkeleton, TableSkeleton } from '../../ui/skeletons.tsx';

/** The dashboard's layout while it loads: the same columns, so that nothing jumps. */
export function DashboardSkeleton() {
  return (
    <div className="p-dash p-dash-skeleton">
      <CardSkeleton lines={1} />
      <CardSkeleton lines={3} />
      <CardSkeleton lines={3} />
      <CardSkeleton lines={7} />
      <CardSkeleton lines={3} />
      <TableSkeleton rows={6} />
    </div>
  );
}
