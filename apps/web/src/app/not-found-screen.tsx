import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import OutlinedInput from '@mui/material/OutlinedInput';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router';
import { Page } from '../ui/page.tsx';

/** A path that is no page of ours: what happened, and the ways on. */
export function NotFoundScreen() {
  return (
    <Page
      title="We cannot find this page"
      maxWidth="text"
      lead="The address may be mistyped, or the page is not part of this version of the portal. Nothing you saved is lost."
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1.5, mb: 4 }}>
        <Button component={RouterLink} to={PAGES.home.path}>
          Go to your home page
        </Button>
        <Button component={RouterLink} to={PAGES.contact.path} variant="outlined">
          Contact us
        </Button>
      </Box>
      <SearchHelp />
      <Typography sx={{ mt: 3 }}>
        Or see{' '}
        <Link component={RouterLink} to={PAGES.help.path}>
          all of the help
        </Link>
        , or{' '}
        <Link component={RouterLink} to={PAGES.demo.path}>
          the demo
        </Link>
        .
      </Typography>
    </Page>
  );
}

function SearchHelp() {
  const id = useId();
  const navigate = useNavigate();
  return (
    <Box
      component="form"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        const question = new FormData(event.currentTarget).get('q');
        void navigate({
          pathname: PAGES.help.path,
          search: `?${new URLSearchParams({ q: typeof question === 'string' ? question : '' })}`,
        });
      }}
    >
      <Typography component="label" htmlFor={id} sx={{ display: 'block', fontWeight: 500, mb: 0.5 }}>
        Search the help
      </Typography>
      <Box sx={{ display: 'flex', gap: 1.5 }}>
        <OutlinedInput id={id} name="q" type="search" fullWidth />
        <Button type="submit" variant="outlined" sx={{ minWidth: 96 }}>
          Search
        </Button>
      </Box>
    </Box>
  );
}
