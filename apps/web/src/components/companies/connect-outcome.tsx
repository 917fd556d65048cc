import { formatVrn } from '@portal/domain/uk-tax/references/vrn.ts';
import { Notice, type NoticeTone } from '../../ui/notice.tsx';
import styles from './connect-outcome.module.css';

type OutcomeMessage = { readonly tone: NoticeTone; readonly title: string; readonly text: string };

function getOutcomeMessage(outcome: string | null, vrn: string | null): OutcomeMessage | undefined {
  if (outcome === 'declined') {
    return {
      tone: 'info',
      title: 'You didn’t give permission',
      text: 'HMRC hasn’t shared anything with us. You can connect now, or later from your dashboard. Until then, we can’t see your VAT periods, file a return or make you an offer.',
    };
  }
  if (outcome === 'wrong_vrn') {
    return {
      tone: 'warning',
      title: 'That HMRC sign-in is for a different VAT number',
      text: `It doesn’t cover ${vrn === null ? 'your company’s VAT number' : `${formatVrn(vrn)}, your company’s VAT number`}. We haven’t stored anything from it. Sign out at HMRC and connect with the user ID for this company, or correct the VAT number in the previous step.`,
    };
  }
  if (outcome === 'vrn_claimed') {
    return {
      tone: 'warning',
      title: 'This VAT number is connected to another account',
      text: `Someone has already connected ${vrn === null ? 'it' : formatVrn(vrn)} here, for example a colleague or your accountant. Ask them to give you access to the company. If you don’t know who it is, contact us.`,
    };
  }
  if (outcome === 'failed') {
    return {
      tone: 'error',
      title: 'HMRC couldn’t complete the connection',
      text: 'HMRC isn’t connected. Your details here are safe. This is usually fixed within a few minutes: try again, or do it later and continue.',
    };
  }
  return undefined;
}

/**
 * The outcome of HMRC's authorisation page, shown once the browser has returned. The outcome `connected` doesn't need a message: the page
 * shows the connection itself.
 */
export function ConnectOutcome({ outcome, vrn }: { outcome: string | null; vrn: string | null }) {
  const message = getOutcomeMessage(outcome, vrn);
  if (message === undefined) return null;
  return (
    <div className={styles.outcome}>
      <Notice tone={message.tone} title={message.title} role="status">
        {message.text}
      </Notice>
    </div>
  );
}
