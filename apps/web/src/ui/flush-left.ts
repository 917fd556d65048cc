/** Styles of a text button on its own line: its label is aligned with the text above and below. */
export const FLUSH_LEFT = {
  px: 0,
  minWidth: 0,
  justifyContent: 'flex-start',
  textAlign: 'left',
  '&:hover': { bgcolor: 'transparent', textDecoration: 'underline' },
} as const;
