import Box from '@mui/material/Box';
import { Link, useSearchParams } from 'react-router';

type FilterChipsProps = {
  label: string;
  /** The member of the query that carries the choice, so that a narrowed list can be shared by its address. */
  name: string;
  chosen: string | undefined;
  all: { readonly label: string; readonly count: number };
  options: readonly { readonly value: string; readonly label: string; readonly count: number }[];
};

/** Narrows a list by one choice. Links, because each choice has its own address; an empty choice stays away unless it is the one shown. */
export function FilterChips({ label, name, chosen, all, options }: FilterChipsProps) {
  const [search] = useSearchParams();
  const shown = options.filter((option) => option.count > 0 || option.value === chosen);
  const addressOf = (value: string | undefined): string => {
    const next = new URLSearchParams(search);
    if (value === undefined) next.delete(name);
    else next.set(name, value);
    return `?${next.toString()}`;
  };
  return (
    <Box component="ul" aria-label={label} sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, listStyle: 'none', m: 0, p: 0, mb: 2 }}>
      {[{ value: undefined, ...all }, ...shown].map((option) => {
        const isChosen = option.value === chosen;
        return (
          <Box component="li" key={option.value ?? ''}>
            <Box
              component={Link}
              to={addressOf(option.value)}
              replace
              preventScrollReset
              aria-current={isChosen ? 'true' : undefined}
              sx={{
                display: 'inline-flex',
                alignItems: 'center',
                gap: 0.75,
                minHeight: 36,
                px: 1.5,
                borderRadius: 5,
                border: 1,
                borderColor: isChosen ? 'primary.tone' : 'control',
                bgcolor: isChosen ? 'primary.soft' : 'transparent',
                color: isChosen ? 'primary.tone' : 'text.primary',
                fontSize: '0.875rem',
                fontWeight: isChosen ? 600 : 500,
                textDecoration: 'none',
                '&:hover': { bgcolor: 'primary.soft' },
              }}
            >
              {option.label} <span>{option.count}</span>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
