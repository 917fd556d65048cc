/** The data policy: a privacy notice under the UK GDPR, written for this product. */
import { contactApi } from '@portal/contract/contact.ts';
import { PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink } from 'react-router';
import { COOKIE_KINDS } from '../../lib/cookie-kinds.ts';
import { apiQuery } from '../../lib/api.ts';
import { brandName } from '../../lib/settings.ts';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { BROWSER_STORAGE } from './browser-storage.ts';
import { PERSONAL_DATA_USES, RECIPIENTS, RIGHTS } from './policy.ts';
import { PolicyTable } from './policy-table.tsx';

export function PrivacyScreen() {
  const brand = brandName();
  return (
    <Page title="Data policy" maxWidth="text" lead="What we keep about you, why, who sees it, for how long, and what you can do about it.">
      <Box sx={{ display: 'grid', gap: 3 }}>
        <SectionCard title="In short">
          <Box component="ul" sx={{ m: 0, pl: 3, display: 'grid', gap: 1 }}>
            <li>We keep what the service needs and what the law makes us keep. We sell nothing about you.</li>
            <li>We never see your Government Gateway password, and at HMRC we see VAT only.</li>
            <li>Counting visits, the chat, and remembering beyond this visit who sent you: all wait until you allow them.</li>
          </Box>
        </SectionCard>
        <SectionCard title="Who is responsible">
          <WhoWeAre brand={brand} />
        </SectionCard>
        <SectionCard title="What we keep">
          <PolicyTable
            caption="What we keep about you"
            head={['What', 'Why', 'Lawful basis', 'How long']}
            rows={PERSONAL_DATA_USES.map(({ what, why, basis, howLong }) => [what, why, basis, howLong])}
          />
        </SectionCard>
        <SectionCard title="Who else sees it">
          <PolicyTable caption="Who we give it to" head={['Who', 'What']} rows={RECIPIENTS.map(({ who, what }) => [who, what])} />
          <Typography sx={{ mt: 2 }}>
            Some of these companies also work outside the United Kingdom. Where they do, it rests on a decision of the UK government that
            the country protects data well enough, or on the standard contract terms of the Information Commissioner.
          </Typography>
        </SectionCard>
        <SectionCard title="Decisions by rules">
          <Typography>
            Whether we can buy a refund is judged by a published list of rules. The offer names every rule that is not met, and{' '}
            <Link component={RouterLink} to={`${PAGES.help.path}#when-we-say-no`}>
              the help lists them all
            </Link>
            . You can always ask for a person to look at it.
          </Typography>
        </SectionCard>
        <SectionCard title="Your rights">
          <Typography sx={{ mb: 1.5 }}>You can ask us to:</Typography>
          <Box component="ul" sx={{ m: 0, pl: 3, display: 'grid', gap: 1 }}>
            {RIGHTS.map((right) => (
              <li key={right}>{right}</li>
            ))}
          </Box>
          <Typography sx={{ mt: 2 }}>
            <Link component={RouterLink} to={PAGES.contact.path}>
              Write to us
            </Link>{' '}
            and choose “My data”. We answer within one month, and it costs nothing. If you are not happy with the answer, you can complain
            to the Information Commissioner’s Office at <Link href="https://ico.org.uk/make-a-complaint/">ico.org.uk</Link>, or by phone on
            0303 123 1113.
          </Typography>
        </SectionCard>
        <SectionCard title="Cookies and what else is kept in your browser">
          <PolicyTable
            caption="What is kept in your browser"
            head={['Name', 'What for', 'How long', 'Waits for your choice']}
            rows={BROWSER_STORAGE.map(({ name, kind, why, howLong, needs }) => [
              `${name} (${kind})`,
              why,
              howLong,
              needs === undefined ? 'No' : COOKIE_KINDS[needs].name,
            ])}
          />
          <Typography sx={{ mt: 2 }}>
            <Link component={RouterLink} to={PAGES.cookieChoices.path}>
              Change your cookie choices
            </Link>
          </Typography>
        </SectionCard>
      </Box>
    </Page>
  );
}

function WhoWeAre({ brand }: { brand: string }) {
  // The notice works without this response: it names the contact page in any case.
  const { data } = useQuery(apiQuery(contactApi.details, {}));
  return (
    <Typography>
      {brand} decides why and how your data is used (it is the controller)
      {data?.address ? `: ${data.address}` : ''}. Write to{' '}
      {data === undefined ? (
        <Link component={RouterLink} to={PAGES.contact.path}>
          us
        </Link>
      ) : (
        <Link href={`mailto:${data.email}`}>{data.email}</Link>
      )}{' '}
      about anything on this page.
    </Typography>
  );
}
