/** Shown after the user declined at Xero, or used a Xero login that can't grant access: explains what was missing and how to continue. */
import { PAGES } from '@portal/contract/pages.ts';
import { getPracticeStepPath } from '@portal/contract/practice.ts';
import { AccountingProviderButton } from '../../ui/accounting-provider-button.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { getProviderSignInUrl } from '../../lib/sign-in-providers.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Grid, Row, Stack } from '../../ui/layout.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { PointList } from '../../ui/point-list.tsx';
import { SectionCard } from '../../ui/section-card.tsx';
import { Heading, Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import styles from './xero-declined-screen.module.css';

const REQUESTED_ACCESS = ['Your name', 'Your email address'];
const ACCESS_NOT_REQUESTED = ['Your clients’ books', 'Your practice’s billing or staff in Xero', 'Permission to change anything in Xero'];

export function XeroDeclinedScreen() {
  const link = `${location.origin}${PORTAL_BASE}${PAGES.openTaxSignup.path}`;
  const mail = `mailto:?${new URLSearchParams({
    subject: 'Please sign up our practice',
    body: `I couldn’t finish signing up with my Xero login. You may have permission to do it: ${link}`,
  })
    .toString()
    .replaceAll('+', '%20')}`;
  return (
    <Page title="We couldn’t sign you up with Xero" maxWidth="text" lead="Xero isn’t connected, and hasn’t shared anything with us.">
      <Stack gap={24}>
        <Notice tone="info" title="What happened">
          Xero asked you to let us see who you are. Either you declined, or your Xero login doesn’t allow you to give permission.
        </Notice>
        <SectionCard title="What we ask Xero for">
          <Grid minColumn={240} gap={24}>
            <Stack gap={8}>
              <Heading level={3} size="part">
                We ask for
              </Heading>
              <PointList points={REQUESTED_ACCESS} />
            </Stack>
            <Stack gap={8}>
              <Heading level={3} size="part">
                We don’t ask for
              </Heading>
              <PointList points={ACCESS_NOT_REQUESTED} icon="close" tone="error" />
            </Stack>
          </Grid>
        </SectionCard>
        <ButtonRow>
          {/* Xero's page is outside this app, so load it as a document. */}
          <AccountingProviderButton
            filled
            fullWidth={false}
            label="Try Xero again"
            href={getProviderSignInUrl('xero', { next: getPracticeStepPath('practice') })}
          />
          <Button to={PAGES.openTaxSignup.path} variant="outlined">
            Sign up by email instead
          </Button>
        </ButtonRow>
        <SectionCard title="Can someone else give permission?">
          <Stack gap={12}>
            <Text>Send them this link. They can set up the practice and will be its admin.</Text>
            <Row>
              <code className={styles.link}>{link}</code>
              <CopyButton text={link} what="link" />
              <TextLink href={mail}>Email the link</TextLink>
            </Row>
          </Stack>
        </SectionCard>
      </Stack>
    </Page>
  );
}
