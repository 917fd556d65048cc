import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { PAGES } from '@portal/contract/pages.ts';
import { Link as RouterLink, useLocation, useSearchParams } from 'react-router';
import { isSentMail, getSentMail } from '../../lib/sent-mail.ts';
import { sandboxUrl } from '../../lib/settings.ts';
import { Icon } from '../../ui/icons.tsx';
import { Page } from '../../ui/page.tsx';
import { SectionCard } from '../../ui/section-card.tsx';

/** An email is on its way. The text is the same whether or not the address has an account. */
export function CheckMailScreen() {
  const { state } = useLocation();
  const known = isSentMail(state) ? state : getSentMail();
  const [search] = useSearchParams();
  const sentText = search.get('provider') === 'hmrc' ? 'We sent a link to the company’s owner' : 'We sent you a link';
  const sandbox = sandboxUrl();
  return (
    <Page title="Check your email" maxWidth="form">
      <SectionCard>
        <Icon name="mail" sx={{ fontSize: 48, color: 'primary.tone', mb: 1 }} />
        <Typography sx={{ fontSize: '1.25rem', fontWeight: 500, overflowWrap: 'anywhere' }}>
          {known === undefined ? sentText : `We sent a link to ${known.sentTo}`}
        </Typography>
        <Typography sx={{ mt: 1.5 }}>
          Open it and press the button on the page to {known?.purpose ?? 'go on'}. The link works once. You can open it on another device.
        </Typography>
        <Typography sx={{ mt: 1.5, color: 'text.secondary' }}>
          Nothing there after two minutes? Look in the spam folder, check the address, then{' '}
          <Link component={RouterLink} to={PAGES.loginV2.path}>
            ask for another link
          </Link>
          .
        </Typography>
        {sandbox !== '' && (
          <Typography sx={{ mt: 1.5, color: 'text.secondary' }}>
            In the sandbox no email leaves: it is in the{' '}
            <Link href={`${sandbox}/mailbox`} target="_blank" rel="noreferrer">
              sandbox’s mailbox
            </Link>
            .
          </Typography>
        )}
      </SectionCard>
    </Page>
  );
}
