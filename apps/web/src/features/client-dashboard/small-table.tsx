/** A table of a few dozen rows. On a phone each row becomes a block of labelled values, so that no column is out of sight. */
import Box from '@mui/material/Box';
import type { SxProps, Theme } from '@mui/material/styles';
import type { ReactNode } from 'react';

export type SmallColumn<Row> = {
  readonly title: string;
  readonly align?: 'right';
  /** Wrap long text onto a second line instead of overflowing the table. */
  readonly wraps?: true;
  readonly cell: (row: Row) => ReactNode;
};

type SmallTableProps<Row> = {
  label: string;
  columns: readonly SmallColumn<Row>[];
  rows: readonly Row[];
  getKey: (row: Row) => string;
};

/** Placeholder for an unknown value. Hidden on phones. */
export const UNKNOWN_VALUE = (
  <Box component="span" sx={{ color: 'text.secondary' }}>
    –
  </Box>
);

const FRAME: SxProps<Theme> = {
  fontSize: '0.875rem',
  '@media (min-width: 900px)': { overflow: 'auto', maxHeight: 520 },
};

const TABLE: SxProps<Theme> = {
  width: '100%',
  borderCollapse: 'separate',
  borderSpacing: 0,
  '& th, & td': { textAlign: 'left', fontWeight: 400, verticalAlign: 'top', borderBottom: 1, borderColor: 'divider', px: 1, py: 1 },
  '& thead th': { position: 'sticky', top: 0, zIndex: 1, bgcolor: 'background.paper', fontWeight: 500, verticalAlign: 'bottom' },
  '& th:first-of-type': { pl: 0 },
  '& tbody th': { fontWeight: 500, minWidth: { md: 132 } },
  '& [data-align=right]': { textAlign: 'right' },
  '& [data-label]': { display: 'none' },
};

const AS_BLOCKS: SxProps<Theme> = {
  '@media (max-width: 899.95px)': {
    display: 'block',
    position: 'relative',
    '& thead': { display: 'block', position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
    '& thead th': { position: 'static' },
    '& tbody, & th[scope=row], & td': { display: 'block' },
    '& tr': { display: 'block' },
    '& tbody tr': { display: 'block', py: 1.5, borderTop: 1, borderColor: 'divider' },
    '& tbody th, & tbody td': { border: 0, p: 0 },
    '& tbody th': { fontWeight: 600, mb: 0.5 },
    '& tbody td': { display: 'flex', justifyContent: 'space-between', gap: 2, py: 0.25, textAlign: 'right' },
    '& [data-label]': { display: 'block', flex: 'none', maxWidth: '45%', color: 'text.secondary', textAlign: 'left' },
    '& [data-empty]': { display: 'none' },
  },
};

export function SmallTable<Row>({ label, columns, rows, getKey }: SmallTableProps<Row>) {
  return (
    <Box tabIndex={0} role="region" aria-label={label} sx={FRAME}>
      <Box component="table" aria-label={label} sx={[TABLE, AS_BLOCKS] as SxProps<Theme>}>
        <thead>
          <tr>
            {columns.map(({ title, align }) => (
              <th key={title} scope="col" data-align={align}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={getKey(row)}>
              {columns.map((column, index) => (
                <Cell key={column.title} column={column} row={row} isFirst={index === 0} />
              ))}
            </tr>
          ))}
        </tbody>
      </Box>
    </Box>
  );
}

function Cell<Row>({ column: { title, align, wraps, cell }, row, isFirst }: { column: SmallColumn<Row>; row: Row; isFirst: boolean }) {
  const content = cell(row);
  if (isFirst) {
    return <th scope="row">{content}</th>;
  }
  return (
    <td data-align={align} data-empty={content === UNKNOWN_VALUE ? '' : undefined}>
      <span data-label="" aria-hidden>
        {title}
      </span>
      <Box component="span" sx={{ whiteSpace: { md: wraps ? 'normal' : 'nowrap' } }}>
        {content}
      </Box>
    </td>
  );
}
