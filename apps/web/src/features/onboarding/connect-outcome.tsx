import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';

/** What came of HMRC's consent page, when the browser comes back from it. `connected` shows as the connected state itself. */
export function ConnectOutcome({ outcome, vrn }: { outcome: string | null; vrn: string | null }) {
  if (outcome === 'declined') {
    return (
      <Alert severity="info" variant="outlined" sx={{ mb: 3 }}>
        <AlertTitle>You said no at HMRC</AlertTitle>
        Nothing was connected and we see nothing of yours. You can connect now, or later from the dashboard: until then we cannot read your
        VAT periods, file a return or offer an advance.
      </Alert>
    );
  }
  if (outcome === 'wrong_vrn') {
    return (
      <Alert severity="warning" variant="outlined" sx={{ mb: 3 }}>
        <AlertTitle>That HMRC login belongs to another VAT number</AlertTitle>
        {vrn === null
          ? 'It does not reach the VAT number of your company.'
          : `It does not reach ${vrn}, the VAT number of your company.`}{' '}
        We kept nothing of it. Log out at HMRC and connect with the user ID of this company, or correct the VAT number in the step before.
      </Alert>
    );
  }
  if (outcome === 'failed') {
    return (
      <Alert severity="error" variant="outlined" sx={{ mb: 3 }}>
        <AlertTitle>HMRC did not finish the connection</AlertTitle>
        Nothing was connected, and nothing is lost. This is often over in a few minutes: connect again, or choose Later and go on.
      </Alert>
    );
  }
  return null;
}
