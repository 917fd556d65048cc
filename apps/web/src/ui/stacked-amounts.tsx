import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { Fragment } from 'react';

type Stack = {
  readonly key: string;
  readonly title: string;
  readonly lines: readonly { readonly name: string; readonly value: string; readonly strong?: boolean }[];
};

/** A table's rows for narrow places: each row's amounts under its name, nothing to scroll sideways for. */
export function StackedAmounts({ stacks, label }: { stacks: readonly Stack[]; label: string }) {
  return (
    <Box component="ul" aria-label={label} sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {stacks.map(({ key, title, lines }) => (
        <Box component="li" key={key} sx={{ py: 1.5, borderTop: 1, borderColor: 'divider' }}>
          <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
          <Box component="dl" sx={{ m: 0, mt: 0.5, display: 'grid', gridTemplateColumns: 'auto 1fr', columnGap: 2, fontSize: '0.875rem' }}>
            {lines.map(({ name, value, strong = false }) => (
              <Fragment key={name}>
                <Box component="dt" sx={{ color: 'text.secondary' }}>
                  {name}
                </Box>
                <Box component="dd" sx={{ m: 0, textAlign: 'right', fontVariantNumeric: 'tabular-nums', fontWeight: strong ? 600 : 400 }}>
                  {value}
                </Box>
              </Fragment>
            ))}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
