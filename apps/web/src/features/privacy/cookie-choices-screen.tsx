/** Lets visitors choose which cookies they allow. Choices can be changed at any time and take effect at once. */
import { PAGES } from '@portal/contract/pages.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useEffect, useState } from 'react';
import { Link as RouterLink } from 'react-router';
import { ALL_ACCEPTED, ALL_REJECTED, onConsentChange, readConsent, saveConsent, type ConsentChoices } from '../../lib/consent.ts';
import { COOKIE_KINDS } from '../../lib/cookie-kinds.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { BROWSER_STORAGE } from './browser-storage.ts';

export function CookieChoicesScreen() {
  const [choices, setChoices] = useState<ConsentChoices>(() => readConsent() ?? ALL_REJECTED);
  const [isSaved, setIsSaved] = useState(false);
  // The cookie banner at the bottom of the page can change the choices too.
  useEffect(() => onConsentChange(setChoices), []);
  const save = (chosen: ConsentChoices) => {
    saveConsent(chosen);
    setIsSaved(true);
  };
  return (
    <Page
      title="Cookie choices"
      maxWidth="text"
      lead="What the service needs is always kept. Everything else waits for you, and you can change your mind here at any time."
    >
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isSaved && (
          <Notice tone="success" title="Your choices are kept" role="status">
            We keep them for 180 days, and for this browser only.
          </Notice>
        )}
        <SectionCard title="Always kept">
          <Typography>
            Without these you could not sign in, a filing could be sent twice, and we would not know in this visit who sent you.
          </Typography>
          <Typography variant="body2" sx={{ mt: 1, color: 'text.secondary', overflowWrap: 'anywhere' }}>
            Keeps {names(undefined)}.
          </Typography>
        </SectionCard>
        <SectionCard title="Only if you allow it">
          <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0, display: 'grid', gap: 2, mb: 3 }}>
            {(Object.keys(COOKIE_KINDS) as (keyof ConsentChoices)[]).map((choice) => (
              <Box component="li" key={choice} sx={{ display: 'flex', gap: 1 }}>
                <Checkbox
                  id={`choice-${choice}`}
                  checked={choices[choice]}
                  onChange={({ target }) => {
                    setIsSaved(false);
                    setChoices({ ...choices, [choice]: target.checked });
                  }}
                  slotProps={{ input: { 'aria-describedby': `choice-${choice}-meaning` } }}
                  sx={{ alignSelf: 'flex-start', mt: -1, ml: -1.25 }}
                />
                <div>
                  <Typography component="label" htmlFor={`choice-${choice}`} sx={{ fontWeight: 600 }}>
                    {COOKIE_KINDS[choice].name}
                  </Typography>
                  <Typography id={`choice-${choice}-meaning`}>{COOKIE_KINDS[choice].meaning}</Typography>
                  <Typography variant="body2" sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}>
                    Keeps {names(choice)}.
                  </Typography>
                </div>
              </Box>
            ))}
          </Box>
          <ButtonRow>
            <Button onClick={() => save(choices)}>Save my choices</Button>
            <Button variant="outlined" onClick={() => save(ALL_REJECTED)}>
              Reject all
            </Button>
            <Button variant="outlined" onClick={() => save(ALL_ACCEPTED)}>
              Accept all
            </Button>
          </ButtonRow>
        </SectionCard>
        <Typography>
          <Link component={RouterLink} to={PAGES.privacy.path}>
            The data policy
          </Link>{' '}
          says what each of them is for and how long it stays.
        </Typography>
      </Box>
    </Page>
  );
}

const names = (needs: keyof ConsentChoices | undefined): string =>
  [...new Set(BROWSER_STORAGE.filter((kept) => kept.needs === needs).map(({ name }) => name.replace(/:$/, '')))].join(', ');
