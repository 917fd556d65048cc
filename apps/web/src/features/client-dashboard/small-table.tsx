/** A table of a few dozen rows; on a phone it scrolls within itself, its first column stays. */
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import type { ReactNode } from 'react';

export type SmallColumn<Row> = {
  readonly title: string;
  readonly align?: 'right';
  /** Long words take two lines rather than leave the table's edge. */
  readonly wraps?: true;
  readonly cell: (row: Row) => ReactNode;
};

type SmallTableProps<Row> = {
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

export function SmallTable<Row>({ label, columns, rows, keyOf }: SmallTableProps<Row>) {
  const first = { position: 'sticky', left: 0, zIndex: 1, bgcolor: 'background.paper' } as const;
  return (
    <TableContainer tabIndex={0} role="region" aria-label={label} sx={{ maxHeight: 520 }}>
      <Table size="small" stickyHeader>
        <TableHead>
          <TableRow>
            {columns.map(({ title, align }, index) => (
              <TableCell
                key={title}
                align={align ?? 'left'}
                sx={{ bgcolor: 'background.paper', verticalAlign: 'bottom', ...(index === 0 ? { ...first, zIndex: 3 } : {}) }}
              >
                {title}
              </TableCell>
            ))}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map((row) => (
            <TableRow key={keyOf(row)}>
              {columns.map(({ title, align, wraps, cell }, index) =>
                index === 0 ? (
                  <TableCell key={title} component="th" scope="row" sx={{ ...first, minWidth: { xs: 128, sm: 220 } }}>
                    {cell(row)}
                  </TableCell>
                ) : (
                  <TableCell key={title} align={align ?? 'left'} sx={wraps ? {} : { whiteSpace: 'nowrap' }}>
                    {cell(row)}
                  </TableCell>
                ),
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}
