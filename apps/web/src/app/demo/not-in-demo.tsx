import { PAGES } from '@portal/contract/pages.ts';
import { PORTAL_BASE } from '../../lib/settings.ts';
import { Button } from '../../ui/button.tsx';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Stack } from '../../ui/layout.tsx';
import { Page } from '../../ui/page.tsx';
import { Text } from '../../ui/text.tsx';
import { TextLink } from '../../ui/text-link.tsx';

/** Shown for links that lead out of the demo: steps and menus need a real account. */
export function NotInDemo({ home, openSignUp }: { home: string; openSignUp: () => void }) {
  return (
    <Page
      title="You need an account for this page"
      maxWidth="text"
      lead="The demo shows the dashboard, a VAT return and an early refund. Sign up to connect your own HMRC account, books and bank."
    >
      <Stack gap={24}>
        <ButtonRow>
          <Button onClick={openSignUp}>Sign up</Button>
          <Button to={home} variant="outlined">
            Back to the demo
          </Button>
        </ButtonRow>
        <Text>
          Already have an account? <TextLink href={`${PORTAL_BASE}${PAGES.login.path}`}>Log in</TextLink>
        </Text>
      </Stack>
    </Page>
  );
}
