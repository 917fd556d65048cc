import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import { CHECKBOX_COLUMN_PX, STICKY_CELL } from './data-table-row.tsx';
import type { DataColumn, DataOrder } from './data-column.ts';

type HeadingProps<Row> = {
  columns: readonly DataColumn<Row>[];
  width: number;
  order: DataOrder;
  onOrder: (order: DataOrder) => void;
  select: { isAll: boolean; isSome: boolean; toggle: () => void } | undefined;
};

/** The header row of a data table. Sortable columns are buttons and state the current direction. */
export function DataTableHeading<Row>({ columns, width, order, onOrder, select }: HeadingProps<Row>) {
  return (
    <Box role="rowgroup" sx={{ position: 'sticky', top: 0, zIndex: 3, minWidth: width }}>
      <Box
        role="row"
        aria-rowindex={1}
        sx={{
          display: 'flex',
          height: 44,
          bgcolor: 'background.default',
          borderBottom: 1,
          borderColor: 'divider',
          fontWeight: 600,
          color: 'text.secondary',
        }}
      >
        {select && (
          <Box role="columnheader" sx={{ ...STICKY_CELL, left: 0, width: CHECKBOX_COLUMN_PX, display: 'grid', placeItems: 'center' }}>
            <Checkbox
              size="small"
              checked={select.isAll}
              indeterminate={select.isSome && !select.isAll}
              onChange={select.toggle}
              slotProps={{ input: { 'aria-label': 'Select all loaded rows' } }}
            />
          </Box>
        )}
        {columns.map((column, index) => {
          const isSorted = column.sort !== undefined && column.sort === order.sort;
          const ariaSort = isSorted ? (order.direction === 'asc' ? 'ascending' : 'descending') : undefined;
          return (
            <Box
              role="columnheader"
              key={column.id}
              aria-sort={ariaSort}
              sx={{
                display: 'flex',
                alignItems: 'center',
                justifyContent: column.align === 'right' ? 'flex-end' : 'flex-start',
                width: column.width,
                flex: `1 0 ${column.width}px`,
                px: 1.5,
                whiteSpace: 'nowrap',
                ...(index === 0
                  ? {
                      ...STICKY_CELL,
                      flex: `0 0 ${column.width}px`,
                      left: select ? CHECKBOX_COLUMN_PX : 0,
                      borderRight: 1,
                      borderColor: 'divider',
                    }
                  : {}),
              }}
            >
              {column.sort === undefined ? (
                column.title
              ) : (
                <SortButton
                  title={column.title}
                  sorted={isSorted ? order.direction : undefined}
                  onSort={() => onOrder(getNextOrder(column, order))}
                />
              )}
            </Box>
          );
        })}
      </Box>
    </Box>
  );
}

/** Amounts sort largest first by default, other columns ascending. A second click reverses the direction. */
function getNextOrder<Row>(column: DataColumn<Row>, order: DataOrder): DataOrder {
  const sort = column.sort ?? order.sort;
  if (sort === order.sort) return { sort, direction: order.direction === 'asc' ? 'desc' : 'asc' };
  return { sort, direction: column.align === 'right' ? 'desc' : 'asc' };
}

function SortButton({ title, sorted, onSort }: { title: string; sorted: 'asc' | 'desc' | undefined; onSort: () => void }) {
  return (
    <Box
      component="button"
      type="button"
      onClick={onSort}
      sx={{
        all: 'unset',
        cursor: 'pointer',
        display: 'inline-flex',
        gap: 0.5,
        minHeight: 32,
        alignItems: 'center',
        fontWeight: 600,
        color: sorted ? 'primary.tone' : 'text.secondary',
        '&:hover': { color: 'primary.tone' },
        '&:focus-visible': { outline: '2px solid', outlineOffset: '2px', borderRadius: '4px' },
      }}
    >
      {title}
      {sorted !== undefined && (
        <Box component="span" aria-hidden sx={{ fontSize: '0.75rem' }}>
          {sorted === 'asc' ? '▲' : '▼'}
        </Box>
      )}
    </Box>
  );
}
