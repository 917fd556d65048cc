import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import type { DataColumn } from './data-column.ts';

/** Width of the checkbox column. */
export const CHECKBOX_COLUMN_PX = 44;
/** Keeps a column in place while the others scroll. It inherits the row's background to cover them. */
export const STICKY_CELL = { position: 'sticky', zIndex: 1, bgcolor: 'inherit', flexShrink: 0 } as const;

type DataTableRowProps<Row> = {
  row: Row;
  name: string;
  columns: readonly DataColumn<Row>[];
  index: number;
  start: number;
  height: number;
  isSelected: boolean;
  toggle: (() => void) | undefined;
};

/** One row of the virtualised table, positioned absolutely. */
export function DataTableRow<Row>({ row, name, columns, index, start, height, isSelected, toggle }: DataTableRowProps<Row>) {
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      sx={{
        position: 'absolute',
        top: 0,
        left: 0,
        minWidth: '100%',
        display: 'flex',
        alignItems: 'stretch',
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: isSelected ? 'primary.soft' : 'background.paper',
        '&:hover': { bgcolor: isSelected ? 'primary.soft' : 'background.default' },
      }}
      style={{ height, transform: `translateY(${start}px)` }}
    >
      {toggle && (
        <Box role="cell" sx={{ ...STICKY_CELL, left: 0, width: CHECKBOX_COLUMN_PX, display: 'grid', placeItems: 'center' }}>
          <Checkbox size="small" checked={isSelected} onChange={toggle} slotProps={{ input: { 'aria-label': `Select ${name}` } }} />
        </Box>
      )}
      {columns.map((column, columnIndex) => (
        <Box
          role={columnIndex === 0 ? 'rowheader' : 'cell'}
          key={column.id}
          sx={{
            ...CELL,
            width: column.width,
            flex: `1 0 ${column.width}px`,
            justifyContent: column.align === 'right' ? 'flex-end' : 'flex-start',
            ...(columnIndex === 0
              ? {
                  ...STICKY_CELL,
                  ...CELL_CLIP,
                  left: toggle ? CHECKBOX_COLUMN_PX : 0,
                  flex: `0 0 ${column.width}px`,
                  fontWeight: 500,
                  borderRight: 1,
                  borderColor: 'divider',
                }
              : {}),
          }}
        >
          {column.cell(row)}
        </Box>
      ))}
    </Box>
  );
}

const CELL_CLIP = { overflow: 'hidden', whiteSpace: 'nowrap' } as const;
const CELL = { ...CELL_CLIP, display: 'flex', alignItems: 'center', px: 1.5, minWidth: 0 } as const;
