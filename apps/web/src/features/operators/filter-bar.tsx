import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Row } from '../../ui/layout.tsx';

type FilterBarProps = {
  /** The active filters. */
  filters: Readonly<Partial<Record<string, string>>>;
  onClear: () => void;
  /** The filter fields. */
  children: ReactNode;
};

/** The filters of a list of all companies, with a button that clears them. */
export function FilterBar({ filters, onClear, children }: FilterBarProps) {
  return (
    <Row gap={12} align="end">
      {children}
      {Object.keys(filters).length > 0 && (
        <Button size="small" variant="text" onClick={onClear}>
          {filters['company_id'] === undefined ? 'Clear' : 'Clear (show all companies)'}
        </Button>
      )}
    </Row>
  );
}
