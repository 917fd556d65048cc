import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import Box from '@mui/material/Box';
import { Notice, type NoticeTone } from './notice.tsx';

type OutcomeMessage = { readonly tone: NoticeTone; readonly title: string; readonly text: string };

function getOutcomeMessage(outcome: string | null, vrn: string | null): OutcomeMessage | undefined {
  if (outcome === 'declined') {
    return {
      tone: 'info',
      title: 'You said no at HMRC',
      text: 'Nothing was connected and we see nothing of yours. You can connect now, or later from the dashboard: until then we cannot read your VAT periods, file a return or offer an advance.',
    };
  }
  if (outcome === 'wrong_vrn') {
    return {
      tone: 'warning',
      title: 'That HMRC login belongs to another VAT number',
      text: `It does not reach ${vrn === null ? 'the VAT number of your company' : formatVrn(vrn)}${vrn === null ? '' : ', the VAT number of your company'}. We kept nothing of it. Log out at HMRC and connect with the user ID of this company, or correct the VAT number in the step before.`,
    };
  }
  if (outcome === 'failed') {
    return {
      tone: 'error',
      title: 'HMRC did not finish the connection',
      text: 'Nothing was connected, and nothing is lost. This is often over in a few minutes: connect again, or choose Later and go on.',
    };
  }
  return undefined;
}

/**
 * The outcome of HMRC's authorisation page, after the browser returned. The outcome `connected` needs no message: the page shows the
 * connection itself.
 */
export function ConnectOutcome({ outcome, vrn }: { outcome: string | null; vrn: string | null }) {
  const message = getOutcomeMessage(outcome, vrn);
  if (message === undefined) return null;
  return (
    <Box sx={{ mb: 3 }}>
      <Notice tone={message.tone} title={message.title} role="status">
        {message.text}
      </Notice>
    </Box>
  );
}
