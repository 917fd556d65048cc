/** The ways to contact us: chat where available, a message form that always works, our address, and how to complain. */
import { contactApi } from '@portal/contract/contact.ts';
import { OPEN_TAX_HELP, PAGES } from '@portal/contract/pages.ts';
import { isOpenTaxPath } from '@portal/contract/pages/open-tax-path.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'react-router';
import { useSession } from '../../core/session.tsx';
import { apiQuery } from '../../lib/api.ts';
import { isChatConfigured } from '../../lib/chat.ts';
import { ChatButton } from '../../ui/chat-button.tsx';
import { getDataPolicyUrl } from '../../lib/settings.ts';
import { FactList } from '../../ui/fact-list.tsx';
import { Stack } from '../../ui/layout.tsx';
import { LoadState } from '../../ui/load-state.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { CardSkeleton } from '../../ui/skeletons.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { MessageForm } from './message-form.tsx';

export function ContactScreen() {
  const { session } = useSession();
  const helpPath = isOpenTaxPath(useLocation().pathname) ? OPEN_TAX_HELP : PAGES.help.path;
  return (
    <Page title="Contact us" maxWidth="text" lead="A member of our team reads every message. We reply within one working day.">
      <Stack gap={24}>
        {isChatConfigured() && (
          <SectionCard title="Chat">
            <Stack align="start">
              <Text>The quickest way to reach us on working days, 9am to 5pm.</Text>
              <ChatButton />
            </Stack>
          </SectionCard>
        )}
        <SectionCard title="Send us a message">
          {session.status === 'checking' ? (
            <CardSkeleton lines={5} />
          ) : (
            <MessageForm person={session.status === 'signed_in' ? session.person : {}} />
          )}
        </SectionCard>
        <ContactDetails />
        <SectionCard title="Make a complaint">
          <Stack gap={12}>
            <Text>
              Choose “A complaint” above, or send us an email. Someone who wasn’t involved will look into it. We’ll confirm that we’ve
              received it within 3 working days, and reply in full within 8 weeks.
            </Text>
            <Text>
              You can also complain to the Information Commissioner’s Office about how we use your data. The{' '}
              <TextLink href={getDataPolicyUrl()} target="_blank" rel="noreferrer">
                data policy (opens in a new tab)
              </TextLink>{' '}
              explains how.
            </Text>
          </Stack>
        </SectionCard>
        <Text>
          You may find an answer in our <TextLink to={helpPath}>help articles</TextLink>.
        </Text>
      </Stack>
    </Page>
  );
}

function ContactDetails() {
  const query = useQuery(apiQuery(contactApi.details, {}));
  return (
    <LoadState query={query} skeleton={<CardSkeleton lines={2} />}>
      {({ email, phone, address }) => (
        <SectionCard title="Other ways to contact us">
          <FactList
            facts={[
              { label: 'Email', value: <TextLink href={`mailto:${email}`}>{email}</TextLink> },
              ...(phone === null
                ? []
                : [{ label: 'Phone', value: <TextLink href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</TextLink> }]),
              ...(address === null ? [] : [{ label: 'Post', value: address }]),
            ]}
          />
        </SectionCard>
      )}
    </LoadState>
  );
}
