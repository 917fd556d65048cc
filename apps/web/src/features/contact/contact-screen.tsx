/** How to contact us: chat where there is one, a message form that always works, our address, and how to complain. */
import { contactApi } from '@portal/contract/contact.ts';
import { isOpenTaxPath, OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { Link as RouterLink, useLocation } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiQuery } from '../../lib/api.ts';
import { isChatConfigured } from '../../lib/chat.ts';
import { ChatButton } from '../../ui/chat-button.tsx';
import { dataPolicyUrl } from '../../lib/settings.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { MessageForm } from './message-form.tsx';

export function ContactScreen() {
  const { session } = useSession();
  const helpPath = isOpenTaxPath(useLocation().pathname) ? OPEN_TAX_HELP : PAGES.help.path;
  return (
    <Page title="Contact us" maxWidth="text" lead="A person reads what you write. We answer within one working day.">
      <Box sx={{ display: 'grid', gap: 3 }}>
        {isChatConfigured() && (
          <SectionCard title="Chat">
            <Typography sx={{ mb: 2 }}>The quickest way on a working day between 9:00 and 17:00.</Typography>
            <ChatButton />
          </SectionCard>
        )}
        <SectionCard title="Write to us">
          {session.status === 'checking' ? (
            <CardSkeleton lines={5} />
          ) : (
            <MessageForm person={session.status === 'signed_in' ? session.person : {}} />
          )}
        </SectionCard>
        <ContactDetails />
        <SectionCard title="If you want to complain">
          <Typography>
            Choose “A complaint” above, or write it in an email. Somebody who was not part of the matter looks at it. We tell you within 3
            working days that we have it, and answer in full within 8 weeks.
          </Typography>
          <Typography sx={{ mt: 1.5 }}>
            A complaint about how we use your data can also go to the Information Commissioner’s Office; the{' '}
            <Link href={dataPolicyUrl()} target="_blank" rel="noreferrer">
              data policy (opens in a new tab)
            </Link>{' '}
            says how.
          </Typography>
        </SectionCard>
        <Typography>
          Many answers are in the{' '}
          <Link component={RouterLink} to={helpPath}>
            help
          </Link>
          .
        </Typography>
      </Box>
    </Page>
  );
}

function ContactDetails() {
  const query = useQuery(apiQuery(contactApi.details, {}));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={2} />}>
      {({ email, phone, address }) => (
        <SectionCard title="Other ways">
          <FactList
            facts={[
              { label: 'Email', value: <Link href={`mailto:${email}`}>{email}</Link> },
              ...(phone === null ? [] : [{ label: 'Phone', value: <Link href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</Link> }]),
              ...(address === null ? [] : [{ label: 'Post', value: address }]),
            ]}
          />
        </SectionCard>
      )}
    </LoadState>
  );
}
