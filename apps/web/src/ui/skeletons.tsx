import './plain.css';
import './plain-lists.css';

/** Placeholder for a line of text. */
export function LineSkeleton({ width, height }: { width: string; height: number }) {
  return <span className="p-skeleton" style={{ width, height }} />;
}

/** Placeholder for a card. */
export function CardSkeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="p-card">
      <LineSkeleton width="40%" height={28} />
      {Array.from({ length: lines }, (_, line) => (
        <LineSkeleton key={line} width={`${90 - line * 12}%`} height={24} />
      ))}
    </div>
  );
}

/** Placeholder for a table, with its row height. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div className="p-card p-skeleton-table">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row}>
          <LineSkeleton width={`${80 - (row % 3) * 10}%`} height={20} />
        </div>
      ))}
    </div>
  );
}

/** Placeholder for a page of cards. */
export function PageSkeleton() {
  return (
    <div className="p-skeletons">
      <CardSkeleton lines={2} />
      <CardSkeleton lines={4} />
    </div>
  );
}
