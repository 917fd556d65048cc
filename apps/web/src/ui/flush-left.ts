/** For a text button on a line of its own: its words stand at the left edge of what is above and below it. */
export const FLUSH_LEFT = {
  px: 0,
  minWidth: 0,
  justifyContent: 'flex-start',
  textAlign: 'left',
  '&:hover': { bgcolor: 'transparent', textDecoration: 'underline' },
} as const;
