/** The data policy: a privacy notice under the UK GDPR, written for this product. */
import { contactApi } from '@portal/contract/contact.ts';
import { PAGES } from '@portal/contract/pages.ts';
import { useQuery } from '@tanstack/react-query';
import { COOKIE_KINDS } from '../../lib/cookie-kinds.ts';
import { apiQuery } from '../../lib/api.ts';
import { getBrandName } from '../../lib/settings.ts';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { BROWSER_STORAGE } from './browser-storage.ts';
import { PERSONAL_DATA_USES, RECIPIENTS, RIGHTS } from './policy.ts';
import { PolicyTable } from './policy-table.tsx';
import styles from './privacy-screen.module.css';

export function PrivacyScreen() {
  const brand = getBrandName();
  return (
    <Page title="Data policy" maxWidth="text" lead="What data we keep about you, why, who sees it, for how long, and your rights.">
      <Stack gap={24}>
        <SectionCard title="Summary">
          <ul className={styles.list}>
            <li>We keep what the service needs and what the law requires us to keep. We never sell your data.</li>
            <li>We never see your Government Gateway password, and at HMRC we can only see your VAT.</li>
            <li>We only count visits, run the chat, or remember who referred you beyond this visit if you allow it.</li>
          </ul>
        </SectionCard>
        <SectionCard title="Who’s responsible">
          <WhoWeAre brand={brand} />
        </SectionCard>
        <SectionCard title="What we keep">
          <PolicyTable
            caption="What we keep about you"
            head={['What', 'Why', 'Lawful basis', 'How long']}
            rows={PERSONAL_DATA_USES.map(({ what, why, basis, howLong }) => [what, why, basis, howLong])}
          />
        </SectionCard>
        <SectionCard title="Who we share it with">
          <PolicyTable caption="Who we share your data with" head={['Who', 'What']} rows={RECIPIENTS.map(({ who, what }) => [who, what])} />
          <Text className={styles.after}>
            Some of these companies also work outside the United Kingdom. Where they do, we rely on a UK government decision that the
            country protects data well enough, or on the Information Commissioner’s standard contract terms.
          </Text>
        </SectionCard>
        <SectionCard title="Automated decisions">
          <Text>
            We use a published list of rules to decide whether we can buy a refund. The offer shows every rule that isn’t met, and{' '}
            <TextLink to={`${PAGES.help.path}#when-we-say-no`}>our help lists them all</TextLink>. You can always ask us to review the
            decision.
          </Text>
        </SectionCard>
        <SectionCard title="Your rights">
          <Text className={styles.before}>You can ask to:</Text>
          <ul className={styles.list}>
            {RIGHTS.map((right) => (
              <li key={right}>{right}</li>
            ))}
          </ul>
          <Text className={styles.after}>
            You can download your data, and close your account, in <TextLink to={PAGES.profile.path}>your profile</TextLink>. For anything
            else, <TextLink to={PAGES.contact.path}>contact us</TextLink> and choose “My data”. We’ll reply within one month, free of
            charge. If you’re not happy with our reply, you can complain to the Information Commissioner’s Office at{' '}
            <TextLink href="https://ico.org.uk/make-a-complaint/">ico.org.uk</TextLink>, or by phone on 0303 123 1113.
          </Text>
        </SectionCard>
        <SectionCard title="Cookies and browser storage">
          <PolicyTable
            caption="What we store in your browser"
            head={['Name', 'What it’s for', 'How long', 'Needs your consent']}
            rows={BROWSER_STORAGE.map(({ name, kind, why, retention, needs }) => [
              `${name} (${kind})`,
              why,
              retention,
              needs === undefined ? 'No' : `Yes: ${COOKIE_KINDS[needs].name}`,
            ])}
          />
          <Text className={styles.after}>
            <TextLink to={PAGES.cookieChoices.path}>Change your cookie choices</TextLink>
          </Text>
        </SectionCard>
      </Stack>
    </Page>
  );
}

function WhoWeAre({ brand }: { brand: string }) {
  // The notice works without this response, because it always links to the contact page.
  const { data } = useQuery(apiQuery(contactApi.details, {}));
  return (
    <Text>
      {brand} is the data controller: we decide why and how your data is used.{data?.address ? ` Our address is ${data.address}.` : ''} If
      you have questions about this page,{' '}
      {data === undefined ? (
        <TextLink to={PAGES.contact.path}>contact us</TextLink>
      ) : (
        <>
          email <TextLink href={`mailto:${data.email}`}>{data.email}</TextLink>
        </>
      )}
      .
    </Text>
  );
}
