import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useRef } from 'react';

type ErrorSummaryProps = {
  errors: readonly { readonly field: string | undefined; readonly message: string }[];
  /** Returns the id of a field's control. */
  getFieldId?: (field: string) => string;
};

/** Errors at the top of a form, each linked to its field. Takes the focus when it appears. */
export function ErrorSummary({ errors, getFieldId = (field) => `field-${field}` }: ErrorSummaryProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (errors.length > 0) box.current?.focus();
  }, [errors]);
  if (errors.length === 0) return null;
  return (
    <Box
      ref={box}
      role="alert"
      tabIndex={-1}
      sx={{ border: 2, borderColor: 'error.tone', borderRadius: 1, bgcolor: 'background.paper', p: 2, mb: 3 }}
    >
      <Typography component="p" variant="h3" sx={{ mb: 1 }}>
        There is a problem
      </Typography>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 0.5 }}>
        {errors.map(({ field, message }) => (
          <li key={`${field ?? ''}${message}`}>
            {field === undefined ? (
              message
            ) : (
              <Link
                href={`#${getFieldId(field)}`}
                sx={{ color: 'error.tone', fontWeight: 500 }}
                onClick={(event) => {
                  event.preventDefault();
                  document.getElementById(getFieldId(field))?.focus();
                }}
              >
                {message}
              </Link>
            )}
          </li>
        ))}
      </Box>
    </Box>
  );
}
