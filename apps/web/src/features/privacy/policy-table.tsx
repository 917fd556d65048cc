/** A table of the policy. On a phone each row is a small card with the headings beside the values. */
import Box from '@mui/material/Box';

type PolicyTableProps = { caption: string; head: readonly string[]; rows: readonly (readonly string[])[] };

export function PolicyTable({ caption, head, rows }: PolicyTableProps) {
  return (
    <Box
      component="table"
      sx={{
        width: '100%',
        borderCollapse: 'collapse',
        fontSize: '0.875rem',
        '& th, & td': {
          py: 1.25,
          pr: 2,
          textAlign: 'left',
          verticalAlign: 'top',
          borderBottom: 1,
          borderColor: 'divider',
          overflowWrap: 'anywhere',
        },
        '& th': { fontWeight: 600 },
        // Wide enough for the longest cookie name. Otherwise the text of the other columns would squeeze the name until it breaks.
        '& th[scope=row]': { minWidth: 168 },
        // The other columns share the remaining width equally, however long their texts are.
        '& td': { width: `${Math.floor(72 / (head.length - 1))}%` },
        '@media (max-width:599.95px)': {
          '& thead': { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
          '&, & tbody, & tr, & th, & td': { display: 'block' },
          '& tr': { py: 1.5, borderBottom: 1, borderColor: 'divider' },
          '& tr:last-child': { borderBottom: 0 },
          '& tbody th, & tbody td': { border: 0, p: 0, pb: 0.5, width: 'auto' },
          '& tbody td::before': { content: 'attr(data-label) ": "', color: 'text.secondary' },
        },
      }}
    >
      <Box component="caption" sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' }}>
        {caption}
      </Box>
      <thead>
        <tr>
          {head.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...cells]) => (
          <tr key={first}>
            <th scope="row">{first}</th>
            {cells.map((cell, column) => (
              <td key={head[column + 1]} data-label={head[column + 1]}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </Box>
  );
}
