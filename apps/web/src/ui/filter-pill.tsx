/** One filter as a chip. A native select, so that phones show their own list and the keyboard works. */
import Box from '@mui/material/Box';

type FilterPillProps = {
  label: string;
  value: string | undefined;
  options: readonly { readonly value: string; readonly label: string }[];
  onSelect: (value: string | undefined) => void;
};

export function FilterPill({ label, value, options, onSelect }: FilterPillProps) {
  const isSet = value !== undefined;
  return (
    <Box
      component="select"
      aria-label={label}
      value={value ?? ''}
      onChange={(event) => onSelect(event.target.value === '' ? undefined : event.target.value)}
      sx={{
        height: 36,
        // As wide as the selected option instead of the longest one.
        fieldSizing: 'content',
        flexShrink: 0,
        maxWidth: 240,
        pl: 1.5,
        pr: 1,
        borderRadius: 5,
        border: 1,
        borderStyle: 'solid',
        borderColor: isSet ? 'primary.tone' : 'control',
        bgcolor: isSet ? 'primary.soft' : 'background.paper',
        color: isSet ? 'primary.tone' : 'text.primary',
        font: 'inherit',
        fontSize: '0.875rem',
        fontWeight: isSet ? 600 : 500,
        cursor: 'pointer',
        '&:focus-visible': { outline: '2px solid', outlineColor: 'primary.tone', outlineOffset: '2px' },
        '& option': { bgcolor: 'background.paper', color: 'text.primary', fontWeight: 400 },
      }}
    >
      <option value="">{label}: all</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </Box>
  );
}
